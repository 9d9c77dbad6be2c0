/* Makes a given number of draws and ends: for counting instructions per draw as the difference of two runs.
 *
 *   draws plain N     N draws with nothing changed in between
 *   draws blend N     N draws with GL_BLEND toggled before each
 *   draws uniform N   N draws with one uniform changed before each
 */
#include "offscreen.h"

static const char *const vertex = "#version 330\nin vec4 p;\nvoid main() { gl_Position = p; }\n";
static const char *const fragment = "#version 330\nuniform vec4 c;\nout vec4 o;\nvoid main() { o = c; }\n";

static void target_and_mesh(unsigned linked)
{
    GL(void, GenTextures, int, unsigned *);
    GL(void, BindTexture, unsigned, unsigned);
    GL(void, TexImage2D, unsigned, int, int, int, int, int, unsigned, unsigned, const void *);
    GL(void, GenFramebuffers, int, unsigned *);
    GL(void, BindFramebuffer, unsigned, unsigned);
    GL(void, FramebufferTexture2D, unsigned, unsigned, unsigned, unsigned, int);
    GL(void, Viewport, int, int, int, int);
    GL(void, GenVertexArrays, int, unsigned *);
    GL(void, BindVertexArray, unsigned);
    GL(void, GenBuffers, int, unsigned *);
    GL(void, BindBuffer, unsigned, unsigned);
    GL(void, BufferData, unsigned, intptr_t, const void *, unsigned);
    GL(int, GetAttribLocation, unsigned, const char *);
    GL(void, VertexAttribPointer, unsigned, int, unsigned, unsigned char, int, const void *);
    GL(void, EnableVertexAttribArray, unsigned);
    unsigned texture, framebuffer, array, buffer;
    GenTextures(1, &texture);
    BindTexture(0x0DE1, texture);
    TexImage2D(0x0DE1, 0, 0x8058, 16, 16, 0, 0x1908, 0x1401, NULL);
    GenFramebuffers(1, &framebuffer);
    BindFramebuffer(0x8D40, framebuffer);
    FramebufferTexture2D(0x8D40, 0x8CE0, 0x0DE1, texture, 0);
    Viewport(0, 0, 16, 16);
    GenVertexArrays(1, &array);
    BindVertexArray(array);
    /* All corners in one point: nothing is rasterised, only the way there is measured. */
    const float corners[12] = {0};
    GenBuffers(1, &buffer);
    BindBuffer(0x8892, buffer);
    BufferData(0x8892, sizeof corners, corners, 0x88E4);
    int location = GetAttribLocation(linked, "p");
    VertexAttribPointer((unsigned)location, 4, 0x1406, 0, 0, NULL);
    EnableVertexAttribArray((unsigned)location);
}

int main(int count, char **words)
{
    long draws = count == 3 ? atol(words[2]) : 0;
    if (draws <= 0) {
        fprintf(stderr, "usage: draws plain|blend|uniform N\n");
        return 2;
    }
    context();
    unsigned linked = program(vertex, fragment);
    target_and_mesh(linked);
    GL(void, DrawArrays, unsigned, int, int);
    GL(void, Enable, unsigned);
    GL(void, Disable, unsigned);
    GL(void, Uniform4f, int, float, float, float, float);
    GL(int, GetUniformLocation, unsigned, const char *);
    GL(void, Finish, void);
    GL(unsigned, GetError, void);
    int colour = GetUniformLocation(linked, "c");
    char kind = words[1][0];
    for (long i = 0; i < draws; ++i) {
        if (kind == 'b') {
            if (i & 1)
                Enable(0x0BE2);
            else
                Disable(0x0BE2);
        } else if (kind == 'u') {
            Uniform4f(colour, (float)i, 0.0f, 0.0f, 1.0f);
        }
        DrawArrays(0x0004, 0, 3);
    }
    Finish();
    unsigned error = GetError();
    if (error)
        fprintf(stderr, "draws: GL error %#x\n", error);
    finish();
    return error != 0;
}
