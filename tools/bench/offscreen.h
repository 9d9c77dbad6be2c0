/* An OpenGL 3.3 core context without a surface, and what every program here sets up in it; everything through libEGL, whatever
 * driver that gives.
 * For the programs of this folder only; it knows nothing of what they measure.
 */
#ifndef OFFSCREEN_H
#define OFFSCREEN_H
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void *(*address_fn)(const char *);
static address_fn address;
/* Ends the display and with it the context, so that a driver can say its last words. */
static unsigned (*terminate)(void *);
static unsigned (*make_current)(void *, void *, void *, void *);
static void *display;

static inline void finish(void)
{
    make_current(display, NULL, NULL, NULL);
    terminate(display);
}

static void *need(const char *name)
{
    void *function = address(name);
    if (!function) {
        fprintf(stderr, "bench: the driver has no %s\n", name);
        exit(1);
    }
    return function;
}

#define GL(result, name, ...) result (*name)(__VA_ARGS__) = need("gl" #name)

static void context(void)
{
    void *library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        fprintf(stderr, "bench: %s\n", dlerror());
        exit(1);
    }
    address = (address_fn)dlsym(library, "eglGetProcAddress");
    void *(*get_display)(unsigned, void *, const intptr_t *) = dlsym(library, "eglGetPlatformDisplay");
    unsigned (*initialize)(void *, int *, int *) = dlsym(library, "eglInitialize");
    unsigned (*bind_api)(unsigned) = dlsym(library, "eglBindAPI");
    void *(*create)(void *, void *, void *, const int *) = dlsym(library, "eglCreateContext");
    terminate = dlsym(library, "eglTerminate");
    make_current = dlsym(library, "eglMakeCurrent");
    /* Version 3.3, core profile. */
    const int attributes[] = {0x3098, 3, 0x30FB, 3, 0x30FD, 1, 0x3038};
    display = get_display(0x31DD /* surfaceless */, NULL, NULL);
    if (!initialize(display, NULL, NULL) || !bind_api(0x30A2)) {
        fprintf(stderr, "bench: EGL cannot be initialised\n");
        exit(1);
    }
    void *made = create(display, NULL, NULL, attributes);
    if (!made || !make_current(display, NULL, NULL, made)) {
        fprintf(stderr, "bench: no OpenGL 3.3 core context\n");
        exit(1);
    }
}

/* Nanoseconds on the wall. */
static inline int64_t wall(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* A program of these stages, in use. */
static inline unsigned program_of(int stages, const unsigned *kinds, const char *const *texts)
{
    GL(unsigned, CreateShader, unsigned);
    GL(void, ShaderSource, unsigned, int, const char *const *, const int *);
    GL(void, CompileShader, unsigned);
    GL(unsigned, CreateProgram, void);
    GL(void, AttachShader, unsigned, unsigned);
    GL(void, LinkProgram, unsigned);
    GL(void, GetProgramiv, unsigned, unsigned, int *);
    GL(void, UseProgram, unsigned);
    unsigned linked = CreateProgram();
    for (int i = 0; i < stages; ++i) {
        unsigned shader = CreateShader(kinds[i]);
        ShaderSource(shader, 1, &texts[i], NULL);
        CompileShader(shader);
        AttachShader(linked, shader);
    }
    LinkProgram(linked);
    int done = 0;
    GetProgramiv(linked, 0x8B82, &done);
    if (!done) {
        fprintf(stderr, "bench: the program does not link\n");
        exit(1);
    }
    UseProgram(linked);
    return linked;
}

static inline unsigned program(const char *vertex, const char *fragment)
{
    return program_of(2, (const unsigned[]){0x8B31, 0x8B30}, (const char *const[]){vertex, fragment});
}

/* A square texture to draw into, and a vertex array. */
static inline void target(int side)
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
    unsigned texture, framebuffer, array;
    GenTextures(1, &texture);
    BindTexture(0x0DE1, texture);
    TexImage2D(0x0DE1, 0, 0x8058, side, side, 0, 0x1908, 0x1401, NULL);
    GenFramebuffers(1, &framebuffer);
    BindFramebuffer(0x8D40, framebuffer);
    FramebufferTexture2D(0x8D40, 0x8CE0, 0x0DE1, texture, 0);
    Viewport(0, 0, side, side);
    GenVertexArrays(1, &array);
    BindVertexArray(array);
}

/* A buffer of these contents, bound. */
static inline unsigned storage(unsigned point, intptr_t size, const void *data)
{
    GL(void, GenBuffers, int, unsigned *);
    GL(void, BindBuffer, unsigned, unsigned);
    GL(void, BufferData, unsigned, intptr_t, const void *, unsigned);
    unsigned name;
    GenBuffers(1, &name);
    BindBuffer(point, name);
    BufferData(point, size, data, 0x88E4);
    return name;
}

/* The attribute p of a program takes tight floats from the bound buffer. */
static inline void array(unsigned linked, int components)
{
    GL(int, GetAttribLocation, unsigned, const char *);
    GL(void, VertexAttribPointer, unsigned, int, unsigned, unsigned char, int, const void *);
    GL(void, EnableVertexAttribArray, unsigned);
    int location = GetAttribLocation(linked, "p");
    VertexAttribPointer((unsigned)location, components, 0x1406, 0, 0, NULL);
    EnableVertexAttribArray((unsigned)location);
}

#endif
