#version 450
// Depth and stencil only.
void main() {}
