/* An OpenGL 3.3 core context without a surface, and a program for it; everything through libEGL, whatever driver that gives.
 * For the programs of this folder only; it knows nothing of what they measure.
 */
#ifndef OFFSCREEN_H
#define OFFSCREEN_H
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static unsigned program(const char *vertex, const char *fragment)
{
    GL(unsigned, CreateShader, unsigned);
    GL(void, ShaderSource, unsigned, int, const char *const *, const int *);
    GL(void, CompileShader, unsigned);
    GL(unsigned, CreateProgram, void);
    GL(void, AttachShader, unsigned, unsigned);
    GL(void, LinkProgram, unsigned);
    GL(void, GetProgramiv, unsigned, unsigned, int *);
    GL(void, UseProgram, unsigned);
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
        fprintf(stderr, "bench: the program does not link\n");
        exit(1);
    }
    UseProgram(linked);
    return linked;
}

#endif
