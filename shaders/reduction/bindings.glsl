// Sum is that of A's N elements. A launch leaves each workgroup's sum in `partial`; the last one to
// arrive adds those up, so that one launch is enough and nobody waits for anybody.
layout(binding = 0) restrict readonly buffer InputA { float a[]; };
layout(binding = 1) restrict writeonly buffer OutputSum { float sum_of_all; };
layout(binding = 2) coherent buffer Partial { float partial[]; };  // one a workgroup
layout(binding = 3) coherent buffer Arrived { uint arrived[]; };   // the first counts workgroups
layout(push_constant) uniform Sizes { uint N; };
