// PAIRS rows of ROUNDS items: invocation 0 of workgroup p prepares each item of row p, and
// invocation 1 takes it. One workgroup of two invocations a row.
layout(binding = 0) restrict readonly buffer Items { float items[]; };
layout(binding = 1) restrict writeonly buffer Taken { float taken[]; };
layout(push_constant) uniform Sizes { uint PAIRS, ROUNDS; };

// The work of the producer on an item, and of the consumer on the item that it takes.
float prepare(float item) { return 2.0 * item; }
float use(float prepared) { return prepared + 1.0; }
