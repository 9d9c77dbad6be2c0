/* Replaces the clock of piglit's drawoverhead by processor time, so that a busy machine measures the same as a quiet one.
 *
 * Preload it. The clock counts all threads of this process and of its living children: what a draw costs altogether,
 * with the driver in a process of its own counted too. With MGL_BENCH_LOG=FILE every reading is also appended to that
 * file together with the calling thread's processor time and the time on the wall (all in nanoseconds), from which
 * the cost to the program itself follows. All drawing is finished before the clock is read.
 * It knows nothing of any driver.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int64_t nanoseconds(clockid_t clock)
{
    struct timespec time;
    if (clock_gettime(clock, &time) != 0)
        return 0;
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* The parent of a process: the fourth field of its stat file, counted behind the name, which may hold spaces. */
static int parent_of(const char *pid)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%.16s/stat", pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = 0;
    const char *behind = strrchr(text, ')');
    int parent = -1;
    if (behind)
        sscanf(behind + 1, " %*c %d", &parent);
    return parent;
}

static int64_t children(void)
{
    int64_t sum = 0;
    DIR *folder = opendir("/proc");
    if (!folder)
        return 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        clockid_t clock;
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9' || parent_of(entry->d_name) != (int)getpid())
            continue;
        if (clock_getcpuclockid(atoi(entry->d_name), &clock) == 0)
            sum += nanoseconds(clock);
    }
    closedir(folder);
    return sum;
}

/* Of the same name and type as piglit's own; the preloaded one is found first. */
int64_t piglit_time_get_nano(void)
{
    /* A driver that runs behind would otherwise leave its work to be done after the last reading. */
    void (*finish)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "glFinish");
    if (finish)
        finish();
    const char *path = getenv("MGL_BENCH_LOG");
    int64_t thread = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    int64_t tree = nanoseconds(CLOCK_PROCESS_CPUTIME_ID) + children();
    FILE *file = path ? fopen(path, "a") : NULL;
    if (file) {
        fprintf(file, "%lld %lld %lld\n", (long long)tree, (long long)thread, (long long)nanoseconds(CLOCK_MONOTONIC));
        fclose(file);
    }
    return tree;
}
