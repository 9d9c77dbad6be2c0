#version 450
layout(local_size_x = 4) in;
layout(set = 2, binding = 0, std430) buffer Data { uint value[]; };
void main() { value[gl_GlobalInvocationID.x] *= value[gl_GlobalInvocationID.x]; }
