// Sum is the sum of the N elements of A. Each workgroup stores its sum in `partial`. The last one to
// arrive adds these sums, so one launch is enough and no workgroup waits for another one.
layout(binding = 0) restrict readonly buffer InputA { float a[]; };
layout(binding = 1) restrict writeonly buffer OutputSum { float sum_of_all; };
layout(binding = 2) coherent buffer Partial { float partial[]; };  // one per workgroup
layout(binding = 3) coherent buffer Arrived { uint arrived[]; };   // the first counts workgroups
layout(push_constant) uniform Sizes { uint N; };
