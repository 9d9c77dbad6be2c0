#version 450
layout(set = 0, binding = 0, std140) uniform Default { vec4 tint; };
layout(set = 0, binding = 1, std140) uniform Named { vec4 scale; };
layout(set = 1, binding = 0) uniform sampler2D image;
layout(location = 0) in vec4 shade;
layout(location = 0) out vec4 color;
void main() { color = tint * scale * texture(image, gl_FragCoord.xy / vec2(8.0)); }
