/* Draws frames as a game does and says how long each took: for frame times and memory of one driver against another.
 *
 *   frames draws N      N frames of 800 draws, each with a uniform of its own and every tenth with another texture
 *   frames uploads N    N frames that upload two textures of 512 KiB (one always the same, one new) and draw 50 times
 *
 * A frame ends with a fence; the frame before the last must be complete before the next begins, so the driver is never
 * more than two frames behind. Prints one line: frame times in microseconds and the memory (proportional set size, KiB)
 * of this process and of its children.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <unistd.h>

#include "offscreen.h"

enum { SIDE = 256, TEXTURES = 8, UPLOAD_WIDTH = 512, UPLOAD_HEIGHT = 256 };

static const char *const vertex = "#version 330\n"
    "uniform vec4 place;\n"
    "in vec4 p;\n"
    "out vec2 t;\n"
    "void main() { t = p.xy; gl_Position = vec4(p.xy * place.zw + place.xy, 0.0, 1.0); }\n";
static const char *const fragment = "#version 330\n"
    "uniform sampler2D image;\n"
    "in vec2 t;\n"
    "out vec4 o;\n"
    "void main() { o = texture(image, t); }\n";

/* Proportional set size of a process, KiB. */
static long memory_of(const char *pid)
{
    char path[64], line[256];
    long size = 0;
    snprintf(path, sizeof path, "/proc/%.16s/smaps_rollup", pid);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "Pss: %ld", &size) == 1)
            break;
    if (file)
        fclose(file);
    return size;
}

static long memory_of_children(void)
{
    long sum = 0;
    DIR *folder = opendir("/proc");
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char path[64], text[512] = "";
        int parent = -1;
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9')
            continue;
        snprintf(path, sizeof path, "/proc/%.16s/stat", entry->d_name);
        FILE *file = fopen(path, "r");
        size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
        if (file)
            fclose(file);
        text[length] = 0;
        const char *behind = strrchr(text, ')');
        if (behind && sscanf(behind + 1, " %*c %d", &parent) == 1 && parent == (int)getpid())
            sum += memory_of(entry->d_name);
    }
    if (folder)
        closedir(folder);
    return sum;
}

static int by_size(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static unsigned textures[TEXTURES], uploads[2];
static uint32_t texels[UPLOAD_WIDTH * UPLOAD_HEIGHT];

static void scene(unsigned linked)
{
    GL(void, GenTextures, int, unsigned *);
    GL(void, BindTexture, unsigned, unsigned);
    GL(void, TexImage2D, unsigned, int, int, int, int, int, unsigned, unsigned, const void *);
    GL(void, TexParameteri, unsigned, unsigned, int);
    target(SIDE);
    GenTextures(TEXTURES, textures);
    GenTextures(2, uploads);
    for (int i = 0; i < TEXTURES + 2; ++i) {
        BindTexture(0x0DE1, i < TEXTURES ? textures[i] : uploads[i - TEXTURES]);
        TexParameteri(0x0DE1, 0x2801, 0x2600);
        TexImage2D(0x0DE1, 0, 0x8058, UPLOAD_WIDTH, UPLOAD_HEIGHT, 0, 0x1908, 0x1401, texels);
    }
    const float corners[8] = {0, 0, 1, 0, 0, 1, 1, 1};
    storage(0x8892, sizeof corners, corners);
    array(linked, 2);
}

static void upload(int frame)
{
    GL(void, BindTexture, unsigned, unsigned);
    GL(void, TexSubImage2D, unsigned, int, int, int, int, int, unsigned, unsigned, const void *);
    for (int i = 0; i < 2; ++i) {
        /* Noise, so that compression has something real to do; the first texture is the same in every frame. */
        uint32_t state = i ? 0x9E3779B9u * (unsigned)(frame + 2) : 1u;
        for (int k = 0; k < UPLOAD_WIDTH * UPLOAD_HEIGHT; ++k) {
            state = state * 1664525u + 1013904223u;
            texels[k] = (state >> 28) * 0x01010101u;
        }
        BindTexture(0x0DE1, uploads[i]);
        TexSubImage2D(0x0DE1, 0, 0, 0, UPLOAD_WIDTH, UPLOAD_HEIGHT, 0x1908, 0x1401, texels);
    }
}

static void draw(int count, int place)
{
    GL(void, BindTexture, unsigned, unsigned);
    GL(void, Uniform4f, int, float, float, float, float);
    GL(void, DrawArrays, unsigned, int, int);
    for (int i = 0; i < count; ++i) {
        if (i % 10 == 0)
            BindTexture(0x0DE1, textures[i / 10 % TEXTURES]);
        Uniform4f(place, (float)(i % 40) / 20 - 1, (float)(i / 40) / 10 - 1, 0.05f, 0.05f);
        DrawArrays(5, 0, 4);
    }
}

static void report(int64_t *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, by_size);
    double sum = 0;
    for (int i = 0; i < count; ++i)
        sum += (double)times[i];
    printf("mean=%.0f p50=%.0f p99=%.0f own_kib=%ld children_kib=%ld\n", sum / count / 1000, (double)times[count / 2] / 1000,
           (double)times[count * 99 / 100] / 1000, memory_of("self"), memory_of_children());
}

int main(int argc, char **argv)
{
    int uploading = argc == 3 && strcmp(argv[1], "uploads") == 0, count = argc == 3 ? atoi(argv[2]) : 0;
    if (count < 1 || (!uploading && strcmp(argv[1], "draws") != 0)) {
        fprintf(stderr, "usage: frames draws|uploads N\n");
        return 2;
    }
    context();
    unsigned linked = program(vertex, fragment);
    scene(linked);
    GL(int, GetUniformLocation, unsigned, const char *);
    GL(void *, FenceSync, unsigned, unsigned);
    GL(unsigned, ClientWaitSync, void *, unsigned, uint64_t);
    GL(void, DeleteSync, void *);
    GL(unsigned, GetError, void);
    int place = GetUniformLocation(linked, "place"), warm = 20;
    void *fences[2] = {NULL, NULL};
    int64_t *times = calloc((size_t)count, sizeof *times), last = wall();
    for (int frame = -warm; times && frame < count; ++frame) {
        void **fence = &fences[frame & 1];
        if (*fence) {
            ClientWaitSync(*fence, 1, UINT64_MAX);
            DeleteSync(*fence);
        }
        if (uploading)
            upload(frame);
        draw(uploading ? 50 : 800, place);
        *fence = FenceSync(0x9117, 0);
        int64_t time = wall();
        if (frame >= 0)
            times[frame] = time - last;
        last = time;
    }
    if (!times || GetError()) {
        fprintf(stderr, "frames: the driver reports an error\n");
        return 1;
    }
    report(times, count);
    finish();
    return 0;
}
