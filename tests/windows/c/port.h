/* One way to windows for the programs, over EGL (by its platform or by a display) and over GLX. */
#include "stage.h"

static Display *display;
static int use_glx, errors;
static EGLDisplay egl;
static EGLConfig config;
static GLXFBConfig fbconfig;
static XVisualInfo *visual;

struct Port {
  Window window;
  EGLSurface surface;
};

static int count_error(Display *from, XErrorEvent *event) {
  (void)from;
  printf("X error %d of request %d.%d\n", event->error_code, event->request_code, event->minor_code);
  errors++;
  return 0;
}

static void open_egl(const char *way) {
  static const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_WINDOW_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_RED_SIZE, 5,
                                  EGL_GREEN_SIZE, 5, EGL_BLUE_SIZE, 5, EGL_DEPTH_SIZE, 1, EGL_NONE};
  EGLint count = 0, id = 0;
  egl = strcmp(way, "egl-display") == 0 ? eglGetDisplay((EGLNativeDisplayType)display)
                                        : eglGetPlatformDisplay(EGL_PLATFORM_X11_KHR, display, NULL);
  CHECK(egl != EGL_NO_DISPLAY);
  CHECK(eglInitialize(egl, NULL, NULL));
  CHECK(eglBindAPI(EGL_OPENGL_API));
  CHECK(eglChooseConfig(egl, wanted, &config, 1, &count) && count == 1);
  CHECK(eglGetConfigAttrib(egl, config, EGL_NATIVE_VISUAL_ID, &id));
  XVisualInfo like = {.visualid = id};
  visual = XGetVisualInfo(display, VisualIDMask, &like, &count);
  CHECK(visual && count == 1);
}

static void open_glx(int buffers, int kind) {
  int count = 0, wanted[] = {GLX_DRAWABLE_TYPE, kind, GLX_X_RENDERABLE, True, GLX_DOUBLEBUFFER, buffers, GLX_RED_SIZE, 5,
                             GLX_GREEN_SIZE, 5, GLX_BLUE_SIZE, 5, None};
  GLXFBConfig *all = glXChooseFBConfig(display, DefaultScreen(display), wanted, &count);
  CHECK(all && count > 0);
  fbconfig = all[0];
  for (int i = 0; i < count; i++) {
    XVisualInfo *info = glXGetVisualFromFBConfig(display, all[i]);
    if (info && info->depth == DefaultDepth(display, DefaultScreen(display))) {
      fbconfig = all[i], visual = info;
      break;
    }
  }
  CHECK(visual);
}

static void open_port(const char *way, int buffers, int kind) {
  XInitThreads();
  display = XOpenDisplay(NULL);
  CHECK(display);
  XSetErrorHandler(count_error);
  use_glx = strcmp(way, "glx") == 0;
  use_glx ? open_glx(buffers, kind) : open_egl(way);
}

static struct Port new_window(int x, int width, int height) {
  struct Port port = {0};
  Window root = DefaultRootWindow(display);
  XSetWindowAttributes set = {.colormap = XCreateColormap(display, root, visual->visual, AllocNone)};
  set.override_redirect = True;
  port.window = XCreateWindow(display, root, x, 10, width, height, 0, visual->depth, InputOutput, visual->visual,
                              CWBorderPixel | CWColormap | CWOverrideRedirect, &set);
  XMapWindow(display, port.window);
  XSync(display, False);
  if (use_glx) return port;
  port.surface = eglCreateWindowSurface(egl, config, port.window, NULL);
  CHECK(port.surface != EGL_NO_SURFACE);
  return port;
}

/* A context of OpenGL 3.3 core; a robust one tells when it is lost. */
static void *new_context(int robust) {
  static const EGLint plain[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE};
  static const EGLint wary[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
                                EGL_CONTEXT_OPENGL_ROBUST_ACCESS, EGL_TRUE,
                                EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, EGL_LOSE_CONTEXT_ON_RESET, EGL_NONE};
  int words[] = {GLX_CONTEXT_MAJOR_VERSION_ARB, 3, GLX_CONTEXT_MINOR_VERSION_ARB, 3, GLX_CONTEXT_PROFILE_MASK_ARB,
                 GLX_CONTEXT_CORE_PROFILE_BIT_ARB, robust ? GLX_CONTEXT_FLAGS_ARB : None,
                 GLX_CONTEXT_ROBUST_ACCESS_BIT_ARB, GLX_CONTEXT_RESET_NOTIFICATION_STRATEGY_ARB,
                 GLX_LOSE_CONTEXT_ON_RESET_ARB, None};
  void *context;
  if (use_glx) {
    PFNGLXCREATECONTEXTATTRIBSARBPROC create =
        (PFNGLXCREATECONTEXTATTRIBSARBPROC)glXGetProcAddressARB((const GLubyte *)"glXCreateContextAttribsARB");
    CHECK(create);
    context = create(display, fbconfig, NULL, True, words);
  } else {
    context = eglCreateContext(egl, config, EGL_NO_CONTEXT, robust ? wary : plain);
  }
  CHECK(context);
  return context;
}

static int bind(struct Port port, void *context) {
  if (use_glx) return glXMakeCurrent(display, port.window, context);
  return eglMakeCurrent(egl, port.surface, port.surface, context);
}

static int swap(struct Port port) {
  if (!use_glx) return eglSwapBuffers(egl, port.surface);
  glXSwapBuffers(display, port.window);
  return 1;
}
