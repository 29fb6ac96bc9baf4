#include "core/stream/streaming_copy.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace core {

#ifdef __SSE2__

void copy_streaming(std::byte* to, const std::byte* from, std::size_t bytes) {
  constexpr std::size_t kVector = sizeof(__m128i);
  const std::size_t past = reinterpret_cast<std::uintptr_t>(to) % kVector;
  const std::size_t head = std::min(bytes, (kVector - past) % kVector);
  std::memcpy(to, from, head);
  std::size_t at = head;
  for (; at + kVector <= bytes; at += kVector) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + at),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at)));
  }
  std::memcpy(to + at, from + at, bytes - at);
}

void finish_streaming() {
  _mm_sfence();
}

#else

void copy_streaming(std::byte* to, const std::byte* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}

void finish_streaming() {}

#endif

}  // namespace core
