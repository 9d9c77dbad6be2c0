/* Asks for what this driver does not serve, as many programs do first: strings before eglInitialize, a legacy context, twice,
 * OpenGL ES, a GBM display, configurations for windows. Prints "ok" when EGL refuses each with the code of EGL 1.5. */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(what)                                                                        \
  do {                                                                                     \
    if (!(what)) {                                                                         \
      printf("line %d: %s is false, EGL error 0x%x\n", __LINE__, #what, eglGetError());    \
      exit(1);                                                                             \
    }                                                                                      \
  } while (0)

int main(void) {
  EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
  CHECK(display != EGL_NO_DISPLAY);
  CHECK(eglQueryString(display, EGL_EXTENSIONS) == NULL);
  CHECK(eglGetError() == EGL_NOT_INITIALIZED);
  CHECK(eglInitialize(display, NULL, NULL));
  CHECK(eglBindAPI(EGL_OPENGL_API));
  for (int i = 0; i < 2; ++i) {
    static const EGLint legacy[] = {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_CONTEXT_MINOR_VERSION, 1, EGL_NONE};
    CHECK(eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, legacy) == EGL_NO_CONTEXT);
    CHECK(eglGetError() == EGL_BAD_MATCH);
  }
  CHECK(!eglBindAPI(EGL_OPENGL_ES_API));
  CHECK(eglGetError() == EGL_BAD_PARAMETER);
  CHECK(eglGetPlatformDisplay(EGL_PLATFORM_GBM_MESA, NULL, NULL) == EGL_NO_DISPLAY);
  EGLint count = 1;
  static const EGLint window[] = {EGL_SURFACE_TYPE, EGL_WINDOW_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config;
  CHECK(eglChooseConfig(display, window, &config, 1, &count) && count == 0);
  static const EGLint es[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_NONE};
  CHECK(eglChooseConfig(display, es, &config, 1, &count) && count == 0);
  puts("ok");
  return 0;
}
