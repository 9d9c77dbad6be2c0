#version 450
layout(set = 1, binding = 0) uniform samplerBuffer texels;
layout(location = 0) out vec4 color;
void main() { color = texelFetch(texels, 1500 + int(gl_FragCoord.x)); }
