// Messages in a stream of bytes: split anywhere, and between bytes that are none.
#include "cli/lsp/framing.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

using cli::MessageReader;

std::vector<std::string> all_of(MessageReader& reader) {
  std::vector<std::string> all;
  for (auto item = reader.next(); item; item = reader.next()) {
    all.push_back(item->error.empty() ? item->message : "error");
  }
  return all;
}

TEST(LspFraming, AMessageMayComeInPieces) {
  const std::string stream = cli::framed("{\"a\":1}") + cli::framed("{}");
  MessageReader reader;
  std::vector<std::string> all;
  for (const char c : stream) {
    reader.add({&c, 1});
    for (std::string& one : all_of(reader)) {
      all.push_back(std::move(one));
    }
  }
  EXPECT_EQ(all, (std::vector<std::string>{"{\"a\":1}", "{}"}));
}

TEST(LspFraming, OtherHeaderLinesAreSkipped) {
  MessageReader reader;
  reader.add(
      "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:2\r\n\r\n{}");
  EXPECT_EQ(all_of(reader), std::vector<std::string>{"{}"});
}

TEST(LspFraming, TheNextMessageFollowsBytesThatAreNone) {
  for (const std::string& bytes :
       {std::string("hello\r\n\r\n"), std::string("Content-Length: -1\r\n\r\n"),
        std::string("Content-Length: 99999999999999999999\r\n\r\n{}"),
        std::string("Content-Length: 100000000\r\n\r\nabc"), std::string(20000, 'x'),
        std::string("garbage")}) {
    MessageReader reader;
    reader.add(bytes + cli::framed("{\"b\":2}"));
    const auto all = all_of(reader);
    ASSERT_EQ(all.size(), 2U) << bytes.substr(0, 60);
    EXPECT_EQ(all[0], "error");
    EXPECT_EQ(all[1], "{\"b\":2}");
  }
}

TEST(LspFraming, LostBytesAreNotKept) {
  MessageReader reader;
  const std::string block(1U << 20U, 'z');
  std::size_t errors = 0;
  for (int n = 0; n < 64; ++n) {
    reader.add(block);
    errors += all_of(reader).size();
  }
  reader.add(cli::framed("{}"));
  EXPECT_EQ(errors, 1U);
  EXPECT_EQ(all_of(reader), std::vector<std::string>{"{}"});
}

}  // namespace
