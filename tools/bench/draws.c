/* Makes a given number of draws and ends: for counting instructions per draw as the difference of two runs.
 *
 *   draws plain N     N draws with nothing changed in between
 *   draws blend N     N draws with GL_BLEND toggled before each
 *   draws uniform N   N draws with one uniform changed before each
 *
 * A surfaceless OpenGL 3.3 core context; everything through libEGL, whatever driver that gives.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *(*address_fn)(const char *);
static address_fn address;

static void *need(const char *name)
{
    void *function = address(name);
    if (!function) {
        fprintf(stderr, "draws: the driver has no %s\n", name);
        exit(1);
    }
    return function;
}

#define GL(result, name, ...) result (*name)(__VA_ARGS__) = need("gl" #name)

static void context(void)
{
    void *library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        fprintf(stderr, "draws: %s\n", dlerror());
        exit(1);
    }
    address = (address_fn)dlsym(library, "eglGetProcAddress");
    void *(*get_display)(unsigned, void *, const intptr_t *) = dlsym(library, "eglGetPlatformDisplay");
    unsigned (*initialize)(void *, int *, int *) = dlsym(library, "eglInitialize");
    unsigned (*bind_api)(unsigned) = dlsym(library, "eglBindAPI");
    void *(*create)(void *, void *, void *, const int *) = dlsym(library, "eglCreateContext");
    unsigned (*make_current)(void *, void *, void *, void *) = dlsym(library, "eglMakeCurrent");
    /* Version 3.3, core profile. */
    const int attributes[] = {0x3098, 3, 0x30FB, 3, 0x30FD, 1, 0x3038};
    void *display = get_display(0x31DD /* surfaceless */, NULL, NULL);
    if (!initialize(display, NULL, NULL) || !bind_api(0x30A2)) {
        fprintf(stderr, "draws: EGL cannot be initialised\n");
        exit(1);
    }
    void *made = create(display, NULL, NULL, attributes);
    if (!made || !make_current(display, NULL, NULL, made)) {
        fprintf(stderr, "draws: no OpenGL 3.3 core context\n");
        exit(1);
    }
}

static unsigned program(void)
{
    GL(unsigned, CreateShader, unsigned);
    GL(void, ShaderSource, unsigned, int, const char *const *, const int *);
    GL(void, CompileShader, unsigned);
    GL(unsigned, CreateProgram, void);
    GL(void, AttachShader, unsigned, unsigned);
    GL(void, LinkProgram, unsigned);
    GL(void, GetProgramiv, unsigned, unsigned, int *);
    GL(void, UseProgram, unsigned);
    const char *vertex = "#version 330\nin vec4 p;\nvoid main() { gl_Position = p; }\n";
    const char *fragment = "#version 330\nuniform vec4 c;\nout vec4 o;\nvoid main() { o = c; }\n";
    unsigned linked = CreateProgram(), shaders[2] = {CreateShader(0x8B31), CreateShader(0x8B30)};
    const char *texts[2] = {vertex, fragment};
    for (int i = 0; i < 2; ++i) {
        ShaderSource(shaders[i], 1, &texts[i], NULL);
        CompileShader(shaders[i]);
        AttachShader(linked, shaders[i]);
    }
    LinkProgram(linked);
    int done = 0;
    GetProgramiv(linked, 0x8B82, &done);
    if (!done) {
        fprintf(stderr, "draws: the program does not link\n");
        exit(1);
    }
    UseProgram(linked);
    return linked;
}

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
    unsigned linked = program();
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
    return error != 0;
}
