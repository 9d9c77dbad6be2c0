/* Kills the server its driver started, in the middle of a frame, and goes on as a robust program does: it must read
 * EGL_CONTEXT_LOST and a reset status, and a new context must work. Prints "ok". */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CHECK(what)                                                                        \
  do {                                                                                     \
    if (!(what)) {                                                                         \
      printf("line %d: %s is false, EGL error 0x%x\n", __LINE__, #what, eglGetError());    \
      exit(1);                                                                             \
    }                                                                                      \
  } while (0)

static const EGLint robust[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
                                EGL_CONTEXT_OPENGL_ROBUST_ACCESS, EGL_TRUE,
                                EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, EGL_LOSE_CONTEXT_ON_RESET, EGL_NONE};

/* The one child of this process. */
static pid_t child(void) {
  char path[64];
  int pid = 0;
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  FILE *file = fopen(path, "r");
  CHECK(file != NULL);
  CHECK(fscanf(file, "%d", &pid) == 1);
  fclose(file);
  return pid;
}

int main(void) {
  EGLint count = 0;
  EGLConfig config;
  static const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  static const EGLint size[] = {EGL_WIDTH, 64, EGL_HEIGHT, 64, EGL_NONE};
  EGLDisplay display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
  CHECK(eglInitialize(display, NULL, NULL));
  CHECK(eglBindAPI(EGL_OPENGL_API));
  CHECK(eglChooseConfig(display, wanted, &config, 1, &count) && count == 1);
  EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, robust);
  EGLSurface surface = eglCreatePbufferSurface(display, config, size);
  CHECK(context != EGL_NO_CONTEXT && surface != EGL_NO_SURFACE);
  CHECK(eglMakeCurrent(display, surface, surface, context));
  PFNGLGETGRAPHICSRESETSTATUSPROC status =
      (PFNGLGETGRAPHICSRESETSTATUSPROC)eglGetProcAddress("glGetGraphicsResetStatus");
  CHECK(status != NULL && status() == GL_NO_ERROR);
  glClearColor(0, 1, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  CHECK(eglSwapBuffers(display, surface));

  CHECK(kill(child(), SIGKILL) == 0);
  int lost = 0;
  for (int frame = 0; frame < 1000 && !lost; frame++) {
    unsigned char pixel[4];
    glClear(GL_COLOR_BUFFER_BIT);
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    lost = !eglSwapBuffers(display, surface);
  }
  CHECK(lost && eglGetError() == EGL_CONTEXT_LOST);
  CHECK(status() != GL_NO_ERROR);
  CHECK(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
  CHECK(!eglMakeCurrent(display, surface, surface, context) && eglGetError() == EGL_CONTEXT_LOST);
  CHECK(eglDestroyContext(display, context));

  unsigned char pixel[4] = {0};
  context = eglCreateContext(display, config, EGL_NO_CONTEXT, robust);
  CHECK(context != EGL_NO_CONTEXT);
  CHECK(eglMakeCurrent(display, surface, surface, context));
  glClearColor(0, 0, 1, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glReadPixels(5, 5, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
  CHECK(pixel[0] == 0 && pixel[2] == 255);
  printf("ok\n");
  return 0;
}
