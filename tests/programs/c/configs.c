/* Draws into a pbuffer of every configuration and reads it back; asks for no-error, debug and robust contexts.
 * Prints the number of configurations and "ok". */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(what)                                                                        \
  do {                                                                                     \
    if (!(what)) {                                                                         \
      printf("config %d, line %d: %s is false, EGL error 0x%x\n", id, __LINE__, #what, eglGetError()); \
      exit(1);                                                                             \
    }                                                                                      \
  } while (0)

static EGLDisplay display;
static EGLint id;

static EGLint attribute(EGLConfig config, EGLint name) {
  EGLint value = -1;
  CHECK(eglGetConfigAttrib(display, config, name, &value));
  return value;
}

static int near(int got, int wanted, int bits) { return abs(got - wanted) <= (255 >> bits) + 1; }

/* Clears all buffers and reads colour and depth back. */
static void draw(EGLConfig config) {
  unsigned char pixel[4] = {0};
  EGLint red = attribute(config, EGL_RED_SIZE), samples = 0;
  glClearColor(1.0f, 0.5f, 0.25f, 0.5f);
  glClearDepth(0.5);
  glClearStencil(3);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
  glReadPixels(20, 3, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
  CHECK(glGetError() == GL_NO_ERROR);
  CHECK(near(pixel[0], 255, red) && near(pixel[1], 128, red) && near(pixel[2], 64, red));
  CHECK(near(pixel[3], attribute(config, EGL_ALPHA_SIZE) ? 128 : 255, 8));
  glGetIntegerv(GL_SAMPLES, &samples);
  CHECK(samples == attribute(config, EGL_SAMPLES));
  if (attribute(config, EGL_DEPTH_SIZE)) {
    float depth = 0;
    glReadPixels(20, 3, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
    CHECK(glGetError() == GL_NO_ERROR && depth > 0.499f && depth < 0.501f);
  }
}

static void one(EGLConfig config, const EGLint *attributes) {
  static const EGLint size[] = {EGL_WIDTH, 33, EGL_HEIGHT, 7, EGL_NONE};
  EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
  EGLSurface surface = eglCreatePbufferSurface(display, config, size);
  CHECK(context != EGL_NO_CONTEXT && surface != EGL_NO_SURFACE);
  CHECK(eglMakeCurrent(display, surface, surface, context));
  draw(config);
  CHECK(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
  CHECK(eglDestroySurface(display, surface) && eglDestroyContext(display, context));
}

int main(void) {
  static const EGLint core[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE};
  static const EGLint quiet[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
                                 EGL_CONTEXT_OPENGL_NO_ERROR_KHR, EGL_TRUE, EGL_NONE};
  static const EGLint debug[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
                                 EGL_CONTEXT_OPENGL_DEBUG, EGL_TRUE, EGL_CONTEXT_OPENGL_ROBUST_ACCESS, EGL_TRUE, EGL_NONE};
  static const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig configs[256];
  EGLint count = 0;
  display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
  CHECK(eglInitialize(display, NULL, NULL));
  CHECK(eglBindAPI(EGL_OPENGL_API));
  CHECK(eglChooseConfig(display, wanted, configs, 256, &count) && count > 0);
  for (int i = 0; i < count; i++) {
    id = attribute(configs[i], EGL_CONFIG_ID);
    one(configs[i], core);
  }
  one(configs[0], quiet);
  one(configs[0], debug);
  printf("%d configurations ok\n", count);
  return 0;
}
