#version 450
layout(set = 1, binding = 0) uniform sampler2D image;
layout(location = 0) in vec4 shade;
layout(location = 0) out vec4 color;
void main() { color = texture(image, gl_FragCoord.xy / vec2(8.0)); }
