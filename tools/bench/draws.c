/* Makes a given number of draws and ends: for counting instructions per draw as the difference of two runs.
 *
 *   draws plain N     N draws with nothing changed in between
 *   draws blend N     N draws with GL_BLEND toggled before each
 *   draws uniform N   N draws with one uniform changed before each
 */
#include "offscreen.h"

static const char *const vertex = "#version 330\nin vec4 p;\nvoid main() { gl_Position = p; }\n";
static const char *const fragment = "#version 330\nuniform vec4 c;\nout vec4 o;\nvoid main() { o = c; }\n";

int main(int count, char **words)
{
    long draws = count == 3 ? atol(words[2]) : 0;
    if (draws <= 0) {
        fprintf(stderr, "usage: draws plain|blend|uniform N\n");
        return 2;
    }
    context();
    unsigned linked = program(vertex, fragment);
    target(16);
    /* All corners in one point: nothing is rasterised, only the way there is measured. */
    const float corners[12] = {0};
    storage(0x8892, sizeof corners, corners);
    array(linked, 4);
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
