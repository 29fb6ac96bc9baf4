// Counts[v] is the number of bytes with value v, of N bytes, four per word. Workgroups add to `totals`, and the last one
// to arrive copies them to the result and sets them back to zero.
layout(binding = 0) restrict readonly buffer InputBytes { uint words[]; };
layout(binding = 1) restrict writeonly buffer OutputCounts { uint counts[]; };
layout(binding = 2) coherent buffer Totals { uint totals[]; };
layout(binding = 3) coherent buffer Arrived { uint arrived; };
layout(push_constant) uniform Sizes { uint N; };

const uint BINS = 256;
