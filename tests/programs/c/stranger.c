/* A headless OpenGL program that knows no driver: core 3.3 context, clear, read-back, two threads that share, EGL errors.
 * Prints "ok" and the renderer when everything is as EGL 1.5 and OpenGL 3.3 say. */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what)                                                                        \
  do {                                                                                     \
    if (!(what)) {                                                                         \
      printf("line %d: %s is false, EGL error 0x%x\n", __LINE__, #what, eglGetError());    \
      exit(1);                                                                             \
    }                                                                                      \
  } while (0)

static EGLDisplay display;
static EGLConfig config;
static EGLContext first, second;
static GLuint buffer;

static const EGLint core[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
                              EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};

static void *other_thread(void *unused) {
  (void)unused;
  CHECK(eglBindAPI(EGL_OPENGL_API));
  CHECK(eglGetCurrentContext() == EGL_NO_CONTEXT);
  CHECK(!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, first));
  CHECK(eglGetError() == EGL_BAD_ACCESS);
  CHECK(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, second));
  static const float data[4] = {1, 2, 3, 4};
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  glBufferData(GL_ARRAY_BUFFER, sizeof data, data, GL_STATIC_DRAW);
  CHECK(glGetError() == GL_NO_ERROR);
  glFinish();
  CHECK(eglReleaseThread());
  CHECK(eglGetCurrentContext() == EGL_NO_CONTEXT);
  return NULL;
}

static void errors(void) {
  static const EGLint never[] = {EGL_CONTEXT_MAJOR_VERSION, 9, EGL_NONE};
  static const EGLint unknown[] = {0x7777, 1, EGL_NONE};
  EGLint value;
  CHECK(eglCreateContext(display, config, EGL_NO_CONTEXT, never) == EGL_NO_CONTEXT && eglGetError() != EGL_SUCCESS);
  CHECK(eglCreateContext(display, config, EGL_NO_CONTEXT, unknown) == EGL_NO_CONTEXT &&
        eglGetError() == EGL_BAD_ATTRIBUTE);
  CHECK(!eglQueryContext(display, (EGLContext)0x123, EGL_CONFIG_ID, &value) && eglGetError() == EGL_BAD_CONTEXT);
  CHECK(!eglGetConfigAttrib(display, config, 0x7777, &value) && eglGetError() == EGL_BAD_ATTRIBUTE);
  CHECK(eglGetError() == EGL_SUCCESS);
}

static void draw(void) {
  unsigned char pixel[4] = {0};
  glViewport(0, 0, 16, 16);
  glClearColor(0.2f, 0.4f, 0.6f, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 0, 8, 8);
  glClearColor(1.0f, 0.0f, 0.0f, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT);
  glDisable(GL_SCISSOR_TEST);
  glReadPixels(12, 12, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
  CHECK(pixel[0] == 51 && pixel[1] == 102 && pixel[2] == 153 && pixel[3] == 255);
  glReadPixels(4, 4, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
  CHECK(pixel[0] == 255 && pixel[1] == 0 && pixel[2] == 0 && pixel[3] == 255);
  glEnable(0x7777);
  CHECK(glGetError() == GL_INVALID_ENUM && glGetError() == GL_NO_ERROR);
}

static void shared_buffer(void) {
  pthread_t thread;
  float back[4] = {0};
  CHECK(pthread_create(&thread, NULL, other_thread, NULL) == 0);
  pthread_join(thread, NULL);
  CHECK(buffer != 0);
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  glGetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof back, back);
  CHECK(back[0] == 1 && back[3] == 4);
}

int main(void) {
  EGLint major, minor, count = 0, width = 0;
  static const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                  EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 8, EGL_DEPTH_SIZE, 24, EGL_NONE};
  static const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
  PFNEGLGETPLATFORMDISPLAYEXTPROC platform =
      (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
  CHECK(platform != NULL);
  display = platform(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
  CHECK(display != EGL_NO_DISPLAY);
  CHECK(eglInitialize(display, &major, &minor) && major == 1 && minor >= 4);
  CHECK(eglBindAPI(EGL_OPENGL_API) && eglQueryAPI() == EGL_OPENGL_API);
  CHECK(eglChooseConfig(display, wanted, &config, 1, &count) && count == 1);
  first = eglCreateContext(display, config, EGL_NO_CONTEXT, core);
  CHECK(first != EGL_NO_CONTEXT);
  second = eglCreateContext(display, config, first, core);
  CHECK(second != EGL_NO_CONTEXT);
  EGLSurface surface = eglCreatePbufferSurface(display, config, size);
  CHECK(surface != EGL_NO_SURFACE);
  CHECK(eglQuerySurface(display, surface, EGL_WIDTH, &width) && width == 16);
  CHECK(eglMakeCurrent(display, surface, surface, first));
  CHECK(eglGetCurrentContext() == first && eglGetCurrentSurface(EGL_DRAW) == surface);
  CHECK(strncmp((const char *)glGetString(GL_VERSION), "3.3", 3) >= 0);
  errors();
  draw();
  shared_buffer();
  CHECK(eglSwapBuffers(display, surface));
  CHECK(glGetError() == GL_NO_ERROR);
  printf("ok %s\n", (const char *)glGetString(GL_RENDERER));
  CHECK(eglDestroyContext(display, first)); /* current: lives until it is released */
  CHECK(eglGetCurrentContext() == first);
  CHECK(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
  CHECK(eglTerminate(display));
  return 0;
}
