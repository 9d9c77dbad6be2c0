#version 450
layout(location = 0) centroid in vec4 color;
layout(location = 0) out vec4 result;
void main() { result = color + vec4(float(gl_SampleID), float(gl_SampleMaskIn[0]), gl_SamplePosition); }
