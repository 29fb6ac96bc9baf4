// What CUB makes of reduction, scan and histogram, and the plain tiled n-body step in CUDA C++, on
// the device that is current: one line of JSON each, `name n ms`. against_libraries.py compiles it
// (nvcc -O3 -arch=native peers.cu) and reads it.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cub/cub.cuh>

namespace {

void check(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
  }
}

template <typename T>
T* allocate(std::size_t count) {
  T* pointer = nullptr;
  check(cudaMalloc(&pointer, count * sizeof(T)));
  return pointer;
}

// The median of launches between two events each, after as long a warm-up as Tilescope's is worth.
template <typename Launch>
void time(const char* name, std::size_t n, Launch launch) {
  cudaEvent_t first, last;
  check(cudaEventCreate(&first));
  check(cudaEventCreate(&last));
  std::vector<float> samples;
  for (float spent = 0.0F; spent < 300.0F || samples.size() < 40;) {
    check(cudaEventRecord(first));
    launch();
    check(cudaEventRecord(last));
    check(cudaEventSynchronize(last));
    float ms = 0.0F;
    check(cudaEventElapsedTime(&ms, first, last));
    samples.push_back(ms);
    spent += ms + 0.02F;
  }
  samples.erase(samples.begin(), samples.begin() + static_cast<long>(samples.size() / 2));
  std::sort(samples.begin(), samples.end());
  std::printf("{\"name\": \"%s\", \"n\": %zu, \"ms\": %.6f}\n", name, n,
              samples[samples.size() / 2]);
}

// xorshift, so that a histogram's bins are all met.
__global__ void fill(unsigned* words, std::size_t count) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x) {
    unsigned x = static_cast<unsigned>(i) * 2654435761U + 1U;
    for (int round = 0; round < 4; ++round) {
      x ^= x << 13U;
      x ^= x >> 17U;
      x ^= x << 5U;
    }
    words[i] = x;
  }
}

__global__ void to_floats(unsigned* words, std::size_t count) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x) {
    reinterpret_cast<float*>(words)[i] = static_cast<float>(words[i] % 17U) - 8.0F;
  }
}

constexpr int kTile = 256;

// 20 operations an interaction, as Tilescope counts.
__global__ void pull(const float4* position, float4* acceleration, int bodies) {
  __shared__ float4 tile[kTile];
  const int body = static_cast<int>(blockIdx.x * kTile + threadIdx.x);
  const float4 here = position[body];
  float3 sum{0.0F, 0.0F, 0.0F};
  for (int first = 0; first < bodies; first += kTile) {
    tile[threadIdx.x] = position[first + static_cast<int>(threadIdx.x)];
    __syncthreads();
#pragma unroll 32
    for (int k = 0; k < kTile; ++k) {
      const float4 other = tile[k];
      const float x = other.x - here.x, y = other.y - here.y, z = other.z - here.z;
      const float inverse = rsqrtf(fmaf(x, x, fmaf(y, y, fmaf(z, z, 0.0025F))));
      const float strength = other.w * inverse * (inverse * inverse);
      sum.x = fmaf(x, strength, sum.x);
      sum.y = fmaf(y, strength, sum.y);
      sum.z = fmaf(z, strength, sum.z);
    }
    __syncthreads();
  }
  acceleration[body] = make_float4(sum.x, sum.y, sum.z, 0.0F);
}

template <typename Call>
void with_scratch(Call call, const char* name, std::size_t n) {
  std::size_t bytes = 0;
  check(call(nullptr, bytes));
  void* scratch = allocate<char>(bytes);
  time(name, n, [&] { check(call(scratch, bytes)); });
  check(cudaFree(scratch));
}

}  // namespace

int main() {
  constexpr std::size_t kMost = std::size_t{1} << 28U;
  auto* words = allocate<unsigned>(kMost);
  auto* floats = reinterpret_cast<float*>(words);
  auto* out = allocate<float>(kMost);
  auto* bins = allocate<int>(256);
  fill<<<1024, 256>>>(words, kMost);
  for (const unsigned power : {20U, 24U, 28U}) {
    const std::size_t n = std::size_t{1} << power;
    const auto* bytes = reinterpret_cast<const unsigned char*>(words);
    with_scratch(
        [&](void* scratch, std::size_t& size) {
          return cub::DeviceHistogram::HistogramEven(scratch, size, bytes, bins, 257, 0, 256,
                                                     static_cast<int>(n));
        },
        "histogram", n);
  }
  to_floats<<<1024, 256>>>(words, kMost);
  for (const unsigned power : {20U, 24U, 28U}) {
    const std::size_t n = std::size_t{1} << power;
    with_scratch(
        [&](void* scratch, std::size_t& size) {
          return cub::DeviceReduce::Sum(scratch, size, floats, out, static_cast<int>(n));
        },
        "reduction", n);
    with_scratch(
        [&](void* scratch, std::size_t& size) {
          return cub::DeviceScan::InclusiveSum(scratch, size, floats, out, static_cast<int>(n));
        },
        "scan", n);
  }
  for (const int bodies : {4096, 262144}) {
    time("nbody", static_cast<std::size_t>(bodies), [&] {
      pull<<<bodies / kTile, kTile>>>(reinterpret_cast<const float4*>(words),
                                      reinterpret_cast<float4*>(out), bodies);
    });
  }
  check(cudaDeviceSynchronize());
  return 0;
}
