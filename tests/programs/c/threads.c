/* Four threads, each with contexts of its own that share one buffer, draw different colours at the same time and read them
 * back; contexts wander between threads; a child process is forked in between. Prints "ok". */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(what)                                                                        \
  do {                                                                                     \
    if (!(what)) {                                                                         \
      printf("line %d: %s is false, EGL error 0x%x\n", __LINE__, #what, eglGetError());    \
      exit(1);                                                                             \
    }                                                                                      \
  } while (0)

enum { THREADS = 4, ROUNDS = 40 };

static EGLDisplay display;
static EGLConfig config;
static EGLContext root, wanderer;
static GLuint shared;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int visits;

static const EGLint core[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE};
static const EGLint size[] = {EGL_WIDTH, 32, EGL_HEIGHT, 32, EGL_NONE};

/* The one context that all threads use in turn counts its visits in its clear stencil. */
static void visit(void) {
  GLint seen = -1;
  pthread_mutex_lock(&turn);
  CHECK(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, wanderer));
  glGetIntegerv(GL_STENCIL_CLEAR_VALUE, &seen);
  CHECK(seen == visits);
  glClearStencil(++visits);
  CHECK(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
  pthread_mutex_unlock(&turn);
}

static void *work(void *argument) {
  int self = (int)(size_t)argument;
  CHECK(eglBindAPI(EGL_OPENGL_API));
  for (int round = 0; round < ROUNDS; round++) {
    EGLContext context = eglCreateContext(display, config, root, core);
    EGLSurface surface = eglCreatePbufferSurface(display, config, size);
    int value = (self * ROUNDS + round) % 256;
    unsigned char pixel[4] = {0};
    float back[2] = {0};
    CHECK(context != EGL_NO_CONTEXT && surface != EGL_NO_SURFACE);
    CHECK(eglMakeCurrent(display, surface, surface, context));
    glClearColor(value / 255.0f, self / 255.0f, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glReadPixels(31, 31, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    CHECK(pixel[0] == value && pixel[1] == self);
    glBindBuffer(GL_ARRAY_BUFFER, shared);
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof back, back);
    CHECK(back[0] == 7 && back[1] == 9 && glGetError() == GL_NO_ERROR);
    if (round % 2) CHECK(eglSwapBuffers(display, surface));
    CHECK(eglDestroyContext(display, context) && eglDestroySurface(display, surface));
    visit();
  }
  return NULL; /* without eglReleaseThread */
}

int main(void) {
  static const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                  EGL_ALPHA_SIZE, 8, EGL_NONE};
  static const float data[2] = {7, 9};
  pthread_t threads[THREADS];
  EGLint count = 0;
  display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
  CHECK(eglInitialize(display, NULL, NULL) && eglBindAPI(EGL_OPENGL_API));
  CHECK(eglChooseConfig(display, wanted, &config, 1, &count) && count == 1);
  root = eglCreateContext(display, config, EGL_NO_CONTEXT, core);
  wanderer = eglCreateContext(display, config, EGL_NO_CONTEXT, core);
  CHECK(root != EGL_NO_CONTEXT && wanderer != EGL_NO_CONTEXT);
  CHECK(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, root));
  glGenBuffers(1, &shared);
  glBindBuffer(GL_ARRAY_BUFFER, shared);
  glBufferData(GL_ARRAY_BUFFER, sizeof data, data, GL_STATIC_DRAW);
  glFinish();
  for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, work, (void *)(size_t)(i + 1)) == 0);
  int status = -1;
  pid_t child = fork();
  if (child == 0) exit(0);
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  CHECK(visits == THREADS * ROUNDS);
  CHECK(glGetError() == GL_NO_ERROR);
  printf("ok\n");
  return 0;
}
