/* Loads that are not draws: uploads, read-backs, dispatches, indirect draws, programs. For one driver against another.
 *
 *   loads KIND N    N operations of that kind (the table at the end names them), after a warm-up
 *
 * With cpuclock.so preloaded the processor time of all threads and processes is counted. Prints one line: operations,
 * processor time and time on the wall in nanoseconds. Errors of GL and what the dispatches computed are looked at at the end.
 */
#define _GNU_SOURCE
#include "offscreen.h"

enum { SIDE = 64, BYTES = 65536, DRAWS = 1000 };

static const char *const vertex = "#version 330\n"
    "in vec4 p;\n"
    "void main() { gl_Position = p; }\n";
static const char *const fragment = "#version 330\n"
    "uniform sampler2D image;\n"
    "out vec4 o;\n"
    "void main() { o = texture(image, vec2(0.5)); }\n";
static const char *const other = "#version 330\n"
    "uniform sampler2D image;\n"
    "out vec4 o;\n"
    "void main() { o = texture(image, vec2(0.25)).bgra; }\n";
static const char *const kernel = "#version 430\n"
    "layout(local_size_x = 64) in;\n"
    "layout(std430, binding = 0) buffer B { uint v[]; };\n"
    "void main() { v[gl_GlobalInvocationID.x] += 1u; }\n";

static int64_t processors(void)
{
    int64_t (*clock)(void) = (int64_t (*)(void))dlsym(RTLD_DEFAULT, "piglit_time_get_nano");
    return clock ? clock() : 0;
}

static uint32_t words[BYTES / 4];
static unsigned programs[2];
static uint32_t *mapped;

static void draw(void)
{
    GL(void, DrawArrays, unsigned, int, int);
    DrawArrays(0, 0, 1);
}

static void upload_buffer(int i)
{
    GL(void, BufferSubData, unsigned, intptr_t, intptr_t, const void *);
    words[0] = (uint32_t)i;
    BufferSubData(0x8892, 0, BYTES, words);
    draw();
}

static void upload_texture(int i)
{
    GL(void, TexSubImage2D, unsigned, int, int, int, int, int, unsigned, unsigned, const void *);
    words[0] = (uint32_t)i;
    TexSubImage2D(0x0DE1, 0, 0, 0, 128, 128, 0x1908, 0x1401, words);
    draw();
}

static void write_persistent(int i)
{
    memset(mapped, i, BYTES);
    draw();
}

static void read_back(int i)
{
    GL(void, ReadPixels, int, int, int, int, unsigned, unsigned, void *);
    (void)i;
    draw();
    ReadPixels(0, 0, SIDE, SIDE, 0x1908, 0x1401, words);
}

static void indirect(int i)
{
    GL(void, MultiDrawArraysIndirect, unsigned, const void *, int, int);
    (void)i;
    MultiDrawArraysIndirect(0, NULL, DRAWS, 0);
}

static void dispatch(int i)
{
    GL(void, DispatchCompute, unsigned, unsigned, unsigned);
    GL(void, MemoryBarrier, unsigned);
    (void)i;
    DispatchCompute(1, 1, 1);
    MemoryBarrier(0x2000);
}

static void change_program(int i)
{
    GL(void, UseProgram, unsigned);
    UseProgram(programs[i & 1]);
    draw();
}

static void first_use(int i)
{
    char text[256];
    /* Another text each time, and another than in any run before. */
    snprintf(text, sizeof text, "#version 330\nout vec4 o;\nvoid main() { o = vec4(%d.0, %lld.0, 0, 1); }\n", i, (long long)(wall() / 1000));
    GL(void, DeleteProgram, unsigned);
    unsigned made = program(vertex, text);
    draw();
    DeleteProgram(made);
}

static void for_persistent(void)
{
    GL(void, GenBuffers, int, unsigned *);
    GL(void, BindBuffer, unsigned, unsigned);
    GL(void, BufferStorage, unsigned, intptr_t, const void *, unsigned);
    GL(void *, MapBufferRange, unsigned, intptr_t, intptr_t, unsigned);
    unsigned name;
    GenBuffers(1, &name);
    BindBuffer(0x8892, name);
    BufferStorage(0x8892, BYTES, NULL, 0xC2);
    mapped = MapBufferRange(0x8892, 0, BYTES, 0xC2);
    array(programs[0], 4);
}

static void for_indirect(void)
{
    static uint32_t commands[DRAWS][4];
    for (int i = 0; i < DRAWS; ++i)
        commands[i][0] = commands[i][1] = 1;
    storage(0x8F3F, sizeof commands, commands);
}

static void for_dispatch(void)
{
    GL(void, BindBufferBase, unsigned, unsigned, unsigned);
    program_of(1, (const unsigned[]){0x91B9}, &kernel);
    memset(words, 0, 64 * 4);
    BindBufferBase(0x90D2, 0, storage(0x90D2, 64 * 4, words));
}

static void scene(void)
{
    GL(void, GenTextures, int, unsigned *);
    GL(void, BindTexture, unsigned, unsigned);
    GL(void, TexImage2D, unsigned, int, int, int, int, int, unsigned, unsigned, const void *);
    GL(void, TexParameteri, unsigned, unsigned, int);
    unsigned texture;
    target(SIDE);
    GenTextures(1, &texture);
    BindTexture(0x0DE1, texture);
    TexParameteri(0x0DE1, 0x2801, 0x2600);
    TexImage2D(0x0DE1, 0, 0x8058, 128, 128, 0, 0x1908, 0x1401, words);
    programs[1] = program(vertex, other);
    programs[0] = program(vertex, fragment);
    storage(0x8892, BYTES, words);
    array(programs[0], 4);
}

static const struct {
    const char *name;
    void (*prepare)(void), (*run)(int);
} kinds[] = {
    {"buffer", NULL, upload_buffer},     {"texture", NULL, upload_texture},  {"persistent", for_persistent, write_persistent},
    {"readback", NULL, read_back},       {"indirect", for_indirect, indirect}, {"compute", for_dispatch, dispatch},
    {"program", NULL, change_program},   {"compile", NULL, first_use},
};

static int counted(int expected)
{
    GL(void, GetBufferSubData, unsigned, intptr_t, intptr_t, void *);
    GetBufferSubData(0x90D2, 0, 64 * 4, words);
    return words[63] == (uint32_t)expected;
}

int main(int argc, char **argv)
{
    int count = argc == 3 ? atoi(argv[2]) : 0, warm = 20;
    for (size_t k = 0; count > 0 && k < sizeof kinds / sizeof *kinds; ++k) {
        if (strcmp(argv[1], kinds[k].name) != 0)
            continue;
        context();
        scene();
        if (kinds[k].prepare)
            kinds[k].prepare();
        GL(void, Finish, void);
        GL(unsigned, GetError, void);
        for (int i = 0; i < warm; ++i)
            kinds[k].run(i);
        Finish();
        int64_t tree = processors(), start = wall();
        for (int i = 0; i < count; ++i)
            kinds[k].run(warm + i);
        Finish();
        int64_t end = wall();
        tree = processors() - tree;
        if (GetError() || (kinds[k].run == dispatch && !counted(warm + count))) {
            fprintf(stderr, "loads: the driver reports an error, or computes something else\n");
            return 1;
        }
        printf("operations=%d tree=%lld wall=%lld\n", count, (long long)tree, (long long)(end - start));
        finish();
        return 0;
    }
    fprintf(stderr, "usage: loads buffer|texture|persistent|readback|indirect|compute|program|compile N\n");
    return 2;
}
