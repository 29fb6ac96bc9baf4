// What `--buffer` says of a kernel's memory.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/work/dispatch.h"
#include "spirv/reflection/reflect.h"

namespace lab {

/// A resource by name (the variable's, the block's, its array's, a member that is an address) or as
/// "SET.BINDING"; "NAME[I]" is one descriptor of an array, without the index all are meant. To
/// what it is, parts separated by colons, in any order but for a file, which is the last:
///
///     buffers   "BYTES[:zero|iota|random|poison|@FILE]"; BYTES may end in KiB, MiB or GiB; also
///               "random=N" (from 0 to below N), "equal=N", "negative" and "large" (core::Fill)
///     images    "64x64[:rgba8][:random|@FILE][:nearest|linear]"; layers are the last length; a
///               number alone is bytes, as square as they allow
///     texels    "1024[:r32f][:random|@FILE]"
///     samplers  "nearest" or "linear"
///
/// "@BUFFER[+OFFSET[:BYTES]]" makes a buffer a range of another one's memory: all of it behind the
/// offset, or so many bytes.
///
/// "@FILE" alone is as long as the file; an image's file has its texels, one after the other.
/// Errors: there is no such resource, with those that there are; a file that can't be read.
[[nodiscard]] core::Expected<void> give_contents(const spirv::Interface& interface,
                                                 const std::map<std::string, std::string>& buffers,
                                                 std::vector<core::Resource>& resources);

/// Gives one resource what such a text says.
[[nodiscard]] core::Expected<void> give_content(const std::string& text, core::Resource& resource);

/// Whether give_contents() takes a name to mean a resource.
[[nodiscard]] bool is_called(const spirv::Interface& interface, const core::Resource& resource,
                             const std::string& name);

/// A resource as such a text; `content` instead of its own, where not empty ("@FILE").
[[nodiscard]] std::string resource_text(const core::Resource& resource,
                                        const std::string& content = {});
/// The same of one of a dispatch's resources, which may be a range of another one's memory.
[[nodiscard]] std::string resource_text(std::span<const core::Resource> resources,
                                        std::size_t number, const std::string& content = {});
/// The buffer that "@BUFFER+OFFSET:BYTES" names; empty for any other text.
[[nodiscard]] std::string_view range_of(std::string_view text);

}  // namespace lab
