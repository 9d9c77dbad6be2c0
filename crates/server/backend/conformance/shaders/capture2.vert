#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0, xfb_buffer = 1, xfb_stride = 16, xfb_offset = 0) out vec4 shade;
layout(xfb_buffer = 2, xfb_stride = 16) out gl_PerVertex { layout(xfb_offset = 0) vec4 gl_Position; };
void main() { gl_Position = position; shade = color; }
