/* Windows in the situations that programs bring them into. `window WAY SCENE`, WAY egl-platform, egl-display or glx. */
#include "port.h"
#include <pthread.h>

static struct Port port;
static void *context;

static void start(int robust) {
  port = new_window(10, 320, 240);
  context = new_context(robust);
  CHECK(bind(port, context));
  prepare();
  printf("renderer %s\n", glGetString(GL_RENDERER));
}

static void shown(void) { at("shown window=%lu", port.window); }

static void still(void) {
  start(0);
  triangle(320, 240);
  CHECK(swap(port));
  shown();
}

/* Sizes change at every frame; the last holds. */
static void resize(void) {
  start(0);
  for (int i = 0; i <= 60; i++) {
    int width = i == 60 ? 400 : 50 + i * 37 % 500, height = i == 60 ? 300 : 40 + i * 53 % 400;
    XResizeWindow(display, port.window, width, height);
    XSync(display, False);
    triangle(width, height);
    CHECK(swap(port));
  }
  triangle(400, 300);
  CHECK(swap(port));
  shown();
}

static void unmapped(void) {
  start(0);
  XUnmapWindow(display, port.window);
  XSync(display, False);
  for (int i = 0; i < 10; i++) {
    fill(1, 0, 0);
    CHECK(swap(port));
  }
  at("hidden");
  XMapWindow(display, port.window);
  XSync(display, False);
  fill(0, 1, 0);
  CHECK(swap(port));
  shown();
}

static pthread_barrier_t together;

static void *paint(void *which) {
  int second = which != NULL;
  // The bound client API belongs to a thread (EGL 1.5 §3.7).
  if (!use_glx) CHECK(eglBindAPI(EGL_OPENGL_API));
  struct Port own = new_window(second ? 400 : 10, 320, 240);
  void *mine = new_context(0);
  CHECK(bind(own, mine));
  for (int i = 0; i < 60; i++) {
    fill(i % 2, 1, second);
    CHECK(swap(own));
  }
  fill(!second, 0, second);
  CHECK(swap(own));
  pthread_barrier_wait(&together);
  if (!second) port = own;
  pthread_barrier_wait(&together);
  if (second) at("shown window=%lu other=%lu", port.window, own.window);
  pthread_barrier_wait(&together);
  return NULL;
}

static void threads(void) {
  pthread_t all[2];
  pthread_barrier_init(&together, NULL, 2);
  for (size_t i = 0; i < 2; i++) CHECK(pthread_create(&all[i], NULL, paint, i ? "second" : NULL) == 0);
  for (int i = 0; i < 2; i++) pthread_join(all[i], NULL);
}

/* One context draws two windows of different sizes in turn. */
static void turns(void) {
  start(0);
  struct Port other = new_window(400, 200, 100);
  for (int i = 0; i < 20; i++) {
    CHECK(bind(port, context));
    fill(1, 0, 0);
    CHECK(swap(port));
    CHECK(bind(other, context));
    fill(0, 0, 1);
    CHECK(swap(other));
  }
  at("shown window=%lu other=%lu", port.window, other.window);
}

static void destroyed(void) {
  start(0);
  triangle(320, 240);
  CHECK(swap(port));
  XDestroyWindow(display, port.window);
  XSync(display, False);
  int refused = 0;
  for (int i = 0; i < 20; i++) {
    triangle(320, 240);
    refused += !swap(port);
  }
  XSync(display, False);
  port = new_window(10, 320, 240);
  CHECK(bind(port, context));
  fill(0, 1, 0);
  CHECK(swap(port));
  at("shown window=%lu refused=%d errors=%d", port.window, refused, errors);
}

/* The test kills the driver's process: the context says so, a new one draws into the same window. */
static void orphan(void) {
  start(1);
  fill(1, 0, 0);
  CHECK(swap(port));
  shown();
  GLenum (*status)(void) = (GLenum(*)(void))(use_glx ? (void *)glXGetProcAddressARB((const GLubyte *)"glGetGraphicsResetStatusARB")
                                                      : (void *)eglGetProcAddress("glGetGraphicsResetStatus"));
  int lost = 0, refused = 0;
  CHECK(status);
  for (int i = 0; i < 1000 && !lost; i++) {
    fill(1, 0, 0);
    refused |= !swap(port) && eglGetError() == EGL_CONTEXT_LOST;
    lost = status() != GL_NO_ERROR;
    usleep(1000);
  }
  at("lost reset=%d refused=%d", lost, refused);
}

/* The test kills the X server: swaps end, with an error or with Xlib's own exit. */
static void bereft(void) {
  start(0);
  fill(1, 0, 0);
  CHECK(swap(port));
  shown();
  for (int i = 0; i < 300; i++) {
    fill(1, 0, 0);
    if (!swap(port)) break;
    usleep(2000);
  }
  _exit(0);
}

/* How many swaps after the first one of a new colour another client sees it. */
static void latency(void) {
  start(0);
  Display *other = XOpenDisplay(NULL);
  for (int i = 0; i < 10; i++) {
    fill(1, 0, 0);
    CHECK(swap(port));
  }
  glFinish();
  int swaps = 0;
  for (unsigned long pixel = 0; pixel != 0x00ff00 && swaps < 60;) {
    fill(0, 1, 0);
    CHECK(swap(port));
    swaps++;
    usleep(30000);
    XImage *image = XGetImage(other, port.window, 100, 100, 1, 1, AllPlanes, ZPixmap);
    pixel = XGetPixel(image, 0, 0) & 0xffffff;
  }
  at("seen swaps=%d", swaps);
}

static void intervals(void) {
  start(0);
  PFNGLXSWAPINTERVALEXTPROC set = (PFNGLXSWAPINTERVALEXTPROC)glXGetProcAddressARB((const GLubyte *)"glXSwapIntervalEXT");
  for (int interval = 2; interval >= 0; interval--) {
    if (!use_glx) CHECK(eglSwapInterval(egl, interval));
    if (use_glx && set) set(display, port.window, interval);
    for (int i = 0; i < 10; i++) {
      fill(0, interval == 0, 1);
      CHECK(swap(port));
    }
  }
  fill(0, 1, 0);
  CHECK(swap(port));
  shown();
}

/* A frame of which only a half is drawn: what a buffer's age promises is there. */
static void ages(void) {
  EGLint age = 0;
  unsigned int glx_age = 0;
  start(0);
  for (int i = 0; i < 4; i++) {
    fill(1, 0, 0);
    CHECK(swap(port));
  }
  if (use_glx) glXQueryDrawable(display, port.window, GLX_BACK_BUFFER_AGE_EXT, &glx_age), age = glx_age;
  else eglQuerySurface(egl, port.surface, EGL_BUFFER_AGE_EXT, &age);
  if (age == 0) fill(1, 0, 0);
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 0, 320, 60);
  fill(0, 1, 0);
  CHECK(swap(port));
  at("shown window=%lu age=%d", port.window, age);
}

int main(int count, char **words) {
  static const struct {
    const char *name;
    void (*run)(void);
  } scenes[] = {{"still", still}, {"resize", resize}, {"unmapped", unmapped}, {"threads", threads}, {"turns", turns},
                {"destroyed", destroyed}, {"orphan", orphan}, {"bereft", bereft}, {"latency", latency},
                {"intervals", intervals}, {"ages", ages}};
  CHECK(count == 3);
  open_port(words[1], True, GLX_WINDOW_BIT);
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
    if (strcmp(words[2], scenes[i].name) == 0) return scenes[i].run(), 0;
  return 2;
}
