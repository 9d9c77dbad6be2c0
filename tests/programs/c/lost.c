/* Kills the process behind its driver in the middle of a frame and goes on calling everything that gives a program a pointer,
 * a number or an answer. `lost plain` did not ask to be told of a reset, looks at no error and must live; `lost told` asked,
 * and must get what GL 4.6 §2.3.2 says. Prints "ok". */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(what)                                                                   \
  do {                                                                                \
    if (!(what)) {                                                                    \
      printf("line %d: %s is false, GL error 0x%x\n", __LINE__, #what, glGetError()); \
      exit(1);                                                                        \
    }                                                                                 \
  } while (0)
#define POISON 0x5A5A5A5A
enum { CONTEXT_LOST = 0x0507 };

static EGLDisplay display;
static EGLContext context;
static EGLSurface surface;
static GLuint array, query, texture, pixels;
static GLsync early;
static void *mapped;

static const char *vertex = "#version 330\nin vec4 at; uniform vec4 by; void main() { gl_Position = at + by; }";
static const char *fragment = "#version 330\nuniform sampler2D map; out vec4 c; void main() { c = texture(map, vec2(0)); }";

static void start(int told) {
  EGLint number, size[] = {EGL_WIDTH, 32, EGL_HEIGHT, 32, EGL_NONE};
  EGLint kind[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
  EGLint list[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
                   EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                   told ? EGL_LOSE_CONTEXT_ON_RESET : EGL_NO_RESET_NOTIFICATION, EGL_NONE};
  EGLConfig config;
  display = eglGetPlatformDisplay(0x31DD, EGL_DEFAULT_DISPLAY, NULL);
  CHECK(eglInitialize(display, NULL, NULL) && eglBindAPI(EGL_OPENGL_API));
  CHECK(eglChooseConfig(display, kind, &config, 1, &number) && number == 1);
  context = eglCreateContext(display, config, EGL_NO_CONTEXT, list);
  surface = eglCreatePbufferSurface(display, config, size);
  CHECK(eglMakeCurrent(display, surface, surface, context));
}

static GLuint program(void) {
  const char *texts[] = {vertex, fragment};
  const GLenum kinds[] = {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER};
  GLuint name = glCreateProgram();
  for (int i = 0; i < 2; i++) {
    GLuint shader = glCreateShader(kinds[i]);
    glShaderSource(shader, 1, &texts[i], NULL);
    glCompileShader(shader);
    glAttachShader(name, shader);
  }
  glLinkProgram(name);
  return name;
}

static void prepare(void) {
  GLuint arrays;
  glGenVertexArrays(1, &arrays);
  glBindVertexArray(arrays);
  glGenBuffers(1, &array);
  glBindBuffer(GL_ARRAY_BUFFER, array);
  glBufferData(GL_ARRAY_BUFFER, 4096, NULL, GL_DYNAMIC_DRAW);
  glGenBuffers(1, &pixels);
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
  glUseProgram(program());
  glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, NULL);
  glEnableVertexAttribArray(0);
  glGenQueries(1, &query);
  glBeginQuery(GL_SAMPLES_PASSED, query);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glEndQuery(GL_SAMPLES_PASSED);
  early = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  mapped = glMapBufferRange(GL_ARRAY_BUFFER, 0, 4096, GL_MAP_WRITE_BIT);
  glFinish();
  CHECK(mapped != NULL && glGetError() == GL_NO_ERROR);
}

static void kill_server(void) {
  DIR *folder = opendir("/proc");
  int killed = 0;
  for (struct dirent *entry; (entry = readdir(folder));) {
    char path[300], text[512] = "";
    snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
    FILE *file = fopen(path, "r");
    if (!file) continue;
    size_t read = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    char *end = read ? strrchr(text, ')') : NULL;
    int parent = 0;
    if (end && sscanf(end + 1, " %*c %d", &parent) == 1 && parent == getpid()) killed += !kill(atoi(entry->d_name), SIGKILL);
  }
  closedir(folder);
  CHECK(killed == 1);
}

/* All errors, as many programs take them; the last one. */
static GLenum errors(void) {
  GLenum last = GL_NO_ERROR;
  for (GLenum next; (next = glGetError()) != GL_NO_ERROR;) last = next;
  return last;
}

static void buffers(void) {
  if (mapped) memset(mapped, 1, 4096);
  mapped = NULL;
  glUnmapBuffer(GL_ARRAY_BUFFER);
  for (int round = 0; round < 3; round++) {
    memset(glMapBufferRange(GL_ARRAY_BUFFER, 16, 256, GL_MAP_READ_BIT | GL_MAP_WRITE_BIT), 2, 256);
    glUnmapBuffer(GL_ARRAY_BUFFER);
    GLuint fresh;
    glGenBuffers(1, &fresh);
    glBindBuffer(GL_ARRAY_BUFFER, fresh);
    glBufferData(GL_ARRAY_BUFFER, 1 << 20, NULL, GL_STREAM_DRAW);
    memset(glMapBuffer(GL_ARRAY_BUFFER, GL_WRITE_ONLY), 3, 1 << 20);
    glUnmapBuffer(GL_ARRAY_BUFFER);
    char some[64];
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof some, some);
    glDeleteBuffers(1, &fresh);
    glBindBuffer(GL_ARRAY_BUFFER, array);
  }
}

static void polls(void) {
  GLuint done = POISON, result = POISON;
  while (done != GL_TRUE) glGetQueryObjectuiv(query, GL_QUERY_RESULT_AVAILABLE, &done);
  glGetQueryObjectuiv(query, GL_QUERY_RESULT, &result);
  CHECK(result != POISON);
  for (int round = 0; round < 2; round++) {
    GLsync next = round || !early ? glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0) : early;
    GLenum said;
    GLint status = 0;
    do said = glClientWaitSync(next, GL_SYNC_FLUSH_COMMANDS_BIT, 1000000);
    while (said != GL_ALREADY_SIGNALED && said != GL_CONDITION_SATISFIED);
    while (status != GL_SIGNALED) glGetSynciv(next, GL_SYNC_STATUS, 1, NULL, &status);
    glWaitSync(next, 0, GL_TIMEOUT_IGNORED);
    glDeleteSync(next);
    early = NULL;
  }
}

static void answers(void) {
  GLint number = POISON, length = POISON, ok = 0;
  CHECK(strlen((const char *)glGetString(GL_VERSION)) > 0 && strlen((const char *)glGetString(GL_RENDERER)) > 0);
  glGetIntegerv(GL_NUM_EXTENSIONS, &number);
  for (GLint i = 0; i < number; i++) CHECK(strlen((const char *)glGetStringi(GL_EXTENSIONS, i)) > 0);
  GLuint name = program();
  glGetProgramiv(name, GL_LINK_STATUS, &ok);
  glGetProgramiv(name, GL_INFO_LOG_LENGTH, &length);
  free(memset(malloc((size_t)length + 1), 0, (size_t)length + 1));
  CHECK(ok && glGetUniformLocation(name, "by") >= 0 && glGetUniformLocation(name, "nothing") == -1);
  glUseProgram(name);
  glUniform4f(glGetUniformLocation(name, "by"), 1, 2, 3, 4);
}

static void pictures(void) {
  static unsigned char memory[64 * 64 * 4];
  GLuint frame, target;
  glGenFramebuffers(1, &frame);
  glBindFramebuffer(GL_FRAMEBUFFER, frame);
  glGenTextures(1, &target);
  glBindTexture(GL_TEXTURE_2D, target);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, memory);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 1, 1, 2, 2, GL_BGRA, GL_UNSIGNED_BYTE, memory);
  glGenerateMipmap(GL_TEXTURE_2D);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target, 0);
  glCheckFramebufferStatus(GL_FRAMEBUFFER);
  glClear(GL_COLOR_BUFFER_BIT);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glReadPixels(0, 0, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, memory);
  glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 4, 4);
  glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, memory);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, pixels);
  glBufferData(GL_PIXEL_PACK_BUFFER, sizeof memory, NULL, GL_STREAM_READ);
  glReadPixels(0, 0, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
  memcpy(memory, glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, sizeof memory, GL_MAP_READ_BIT), sizeof memory);
  glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glDeleteFramebuffers(1, &frame);
  glDeleteTextures(1, &target);
}

static void plain(void) {
  for (int frame = 0; frame < 50; frame++) {
    buffers();
    polls();
    answers();
    pictures();
    for (int i = 0; i < 200; i++) glDrawArrays(GL_TRIANGLES, 0, 3);
    glFinish();
    if (frame % 10 == 9) {
      CHECK(!eglSwapBuffers(display, surface) && eglGetError() == EGL_CONTEXT_LOST);
      eglMakeCurrent(display, surface, surface, context);
    }
  }
  CHECK(glGetGraphicsResetStatus() == GL_NO_ERROR);
  CHECK(errors() == CONTEXT_LOST);
  glClearColor(0, 0, 0, 0);
  CHECK(errors() == CONTEXT_LOST && errors() == GL_NO_ERROR);
}

static void told(void) {
  GLuint name = POISON, value = POISON;
  GLint length = POISON, status = 0;
  float color[4] = {0.25f, 0.25f, 0.25f, 0.25f};
  while (glGetGraphicsResetStatus() == GL_NO_ERROR) usleep(1000);
  CHECK(errors() == GL_NO_ERROR);
  glClearColor(1, 1, 1, 1);
  CHECK(errors() == CONTEXT_LOST);
  glGenBuffers(1, &name);
  glGetFloatv(GL_COLOR_CLEAR_VALUE, color);
  CHECK(name == POISON && color[0] == 0.25f && errors() == CONTEXT_LOST);
  CHECK(glCreateProgram() == 0 && glMapBuffer(GL_ARRAY_BUFFER, GL_READ_ONLY) == NULL);
  CHECK(glGetUniformLocation(1, "by") == -1 && errors() == CONTEXT_LOST);
  glGetQueryObjectuiv(query, GL_QUERY_RESULT, &value);
  CHECK(value == POISON && errors() == CONTEXT_LOST);
  glGetQueryObjectuiv(9999, GL_QUERY_RESULT_AVAILABLE, &value);
  CHECK(value == GL_TRUE && errors() == CONTEXT_LOST);
  glGetSynciv((GLsync)77, GL_SYNC_STATUS, 1, &length, &status);
  CHECK(status == GL_SIGNALED && length == 1 && errors() == CONTEXT_LOST);
  glGetSynciv(early, GL_SYNC_FLAGS, 1, NULL, &status);
  CHECK(status == GL_SIGNALED && errors() == CONTEXT_LOST);
  CHECK(glClientWaitSync(early, 0, GL_TIMEOUT_IGNORED) == GL_ALREADY_SIGNALED && errors() == CONTEXT_LOST);
  CHECK(glGetString(GL_VENDOR) != NULL && glGetStringi(GL_EXTENSIONS, 0) != NULL && errors() == CONTEXT_LOST);
  CHECK(glGetGraphicsResetStatus() != GL_NO_ERROR);
  CHECK(!eglSwapBuffers(display, surface) && eglGetError() == EGL_CONTEXT_LOST);
}

int main(int count, char **words) {
  int wants = count > 1 && !strcmp(words[1], "told");
  start(wants);
  prepare();
  kill_server();
  wants ? told() : plain();
  eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(display, context);
  eglTerminate(display);
  puts("ok");
  return 0;
}
