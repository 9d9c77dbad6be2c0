#version 450
// Fills with a value from the push constants. VALUE is vec4, ivec4 or uvec4.
layout(push_constant) uniform Push { VALUE value; } push;
layout(location = 0) out VALUE color;
void main() { color = push.value; }
