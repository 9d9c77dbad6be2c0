#version 450
layout(local_size_x = 1) in;
struct Light { vec4 place; vec3 color; };
layout(set = 2, binding = 0, std430) readonly buffer Lights { uvec4 head; Light lights[]; };
layout(set = 2, binding = 1, std430) buffer Out { uint number; };
void main() { number = lights.length(); }
