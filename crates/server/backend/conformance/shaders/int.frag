#version 450
layout(location = 0) out ivec4 first;
layout(location = 1) out ivec2 second;
void main() {
    first = ivec4(1, -2, 3, -4);
    second.x = 5;
    second.y = -6;
}
