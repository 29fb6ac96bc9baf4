// Counts[v] is how many of N bytes, four a word, are v. Workgroups add to `totals`, and the last one
// to arrive writes them out and leaves zeros.
layout(binding = 0) restrict readonly buffer InputBytes { uint words[]; };
layout(binding = 1) restrict writeonly buffer OutputCounts { uint counts[]; };
layout(binding = 2) coherent buffer Totals { uint totals[]; };
layout(binding = 3) coherent buffer Arrived { uint arrived; };
layout(push_constant) uniform Sizes { uint N; };

const uint BINS = 256;
