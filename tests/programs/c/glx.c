/* Windows of X11 through GLX: what is drawn is what the X server has, the right way up, after a resize, in several windows, from
 * two threads, in pixmaps; a window destroyed under us and, with `glx lost`, a server killed under us are lived through. */
#define GL_GLEXT_PROTOTYPES
#include <GL/glcorearb.h>
#include <GL/glx.h>
#include <GL/glxext.h>
#include <X11/Xutil.h>
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(what)                                                                                          \
  do {                                                                                                       \
    if (!(what)) {                                                                                           \
      printf("line %d: %s is false, pixel %06lx, X errors %d\n", __LINE__, #what, last, errors);             \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

static Display *dpy;
static GLXFBConfig config;
static XVisualInfo *visual;
static int errors, column;
static unsigned long last;
static PFNGLXCREATECONTEXTATTRIBSARBPROC create;
static PFNGLXWAITFORSBCOMLPROC wait_for_sbc;
static PFNGLXCOPYSUBBUFFERMESAPROC copy_sub_buffer;

static int count_error(Display *display, XErrorEvent *event) {
  (void)display, (void)event;
  return ++errors;
}

static void *address(const char *name) { return (void *)glXGetProcAddress((const GLubyte *)name); }

static Window window(int width, int height) {
  Window root = DefaultRootWindow(dpy);
  XSetWindowAttributes set = {.colormap = XCreateColormap(dpy, root, visual->visual, AllocNone)};
  int x = column++ * 160;
  Window made = XCreateWindow(dpy, root, x, 0, width, height, 0, visual->depth, InputOutput, visual->visual,
                              CWColormap | CWBorderPixel, &set);
  XMapWindow(dpy, made);
  return made;
}

static GLXContext context(void) {
  int list[] = {GLX_CONTEXT_MAJOR_VERSION_ARB, 3, GLX_CONTEXT_MINOR_VERSION_ARB, 3, GLX_CONTEXT_PROFILE_MASK_ARB,
                GLX_CONTEXT_CORE_PROFILE_BIT_ARB, GLX_CONTEXT_FLAGS_ARB, GLX_CONTEXT_ROBUST_ACCESS_BIT_ARB,
                GLX_CONTEXT_RESET_NOTIFICATION_STRATEGY_ARB, GLX_LOSE_CONTEXT_ON_RESET_ARB, None};
  return create(dpy, config, NULL, True, list);
}

/* What the X server has at a place, from the top left corner. */
static unsigned long pixel(Drawable of, int x, int y) {
  XImage *image = XGetImage(dpy, of, x, y, 1, 1, AllPlanes, ZPixmap);
  last = image ? XGetPixel(image, 0, 0) & 0xffffff : 0xdead;
  if (image) XDestroyImage(image);
  return last;
}

static void paint(unsigned long color) {
  glClearColor((color >> 16 & 255) / 255.f, (color >> 8 & 255) / 255.f, (color & 255) / 255.f, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

static void show(GLXDrawable in) {
  int64_t ust, msc, sbc;
  glXSwapBuffers(dpy, in);
  wait_for_sbc(dpy, in, 0, &ust, &msc, &sbc);
}

struct job {
  Window in;
  unsigned long color;
};

static void *work(void *argument) {
  struct job *job = argument;
  GLXContext own = context();
  CHECK(own && glXMakeCurrent(dpy, job->in, own));
  for (int i = 0; i < 30; i++) {
    paint(i % 2 ? 0x808080 : job->color);
    glXSwapBuffers(dpy, job->in);
  }
  paint(job->color);
  show(job->in);
  glXMakeCurrent(dpy, None, NULL);
  glXDestroyContext(dpy, own);
  return NULL;
}

/* The driver's process is the only child there is. */
static void kill_child(void) {
  char path[64];
  int child = 0;
  snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
  FILE *list = fopen(path, "r");
  CHECK(list && fscanf(list, "%d", &child) == 1 && child > 1);
  fclose(list);
  kill(child, SIGKILL);
}

static void one_window(Window in) {
  paint(0xff0000), show(in);
  CHECK(pixel(in, 10, 10) == 0xff0000);
  paint(0x0000ff);
  glEnable(GL_SCISSOR_TEST), glScissor(0, 0, 60, 50);
  paint(0x00ff00);
  glDisable(GL_SCISSOR_TEST), show(in);
  CHECK(pixel(in, 10, 90) == 0x00ff00 && pixel(in, 10, 10) == 0x0000ff && pixel(in, 110, 90) == 0x0000ff);
  paint(0xffffff), copy_sub_buffer(dpy, in, 0, 0, 20, 20), glXWaitGL();
  CHECK(pixel(in, 10, 90) == 0xffffff && pixel(in, 10, 10) == 0x0000ff && pixel(in, 30, 90) == 0x00ff00);
  XResizeWindow(dpy, in, 150, 140), XSync(dpy, False);
  glViewport(0, 0, 150, 140), paint(0xffff00), show(in);
  CHECK(pixel(in, 145, 135) == 0xffff00);
}

static void others(GLXContext with) {
  int size[] = {GLX_PBUFFER_WIDTH, 32, GLX_PBUFFER_HEIGHT, 16, None};
  unsigned char read[4];
  GLXPbuffer pbuffer = glXCreatePbuffer(dpy, config, size);
  CHECK(pbuffer && glXMakeContextCurrent(dpy, pbuffer, pbuffer, with));
  paint(0x00ff00), glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, read);
  CHECK(read[0] == 0 && read[1] == 255);
  Pixmap pixmap = XCreatePixmap(dpy, DefaultRootWindow(dpy), 16, 16, visual->depth);
  GLXPixmap drawn = glXCreatePixmap(dpy, config, pixmap, NULL);
  CHECK(drawn && glXMakeCurrent(dpy, drawn, with));
  glDrawBuffer(GL_FRONT), paint(0xff0000), glFlush(), glXWaitGL();
  CHECK(pixel(pixmap, 3, 3) == 0xff0000 && errors == 0);
  CHECK(!glXMakeCurrent(dpy, 0x12345, with) && errors == 1);
}

static void lost(Window in, GLXContext with) {
  CHECK(glXMakeCurrent(dpy, in, with));
  glDrawBuffer(GL_BACK), kill_child();
  for (int i = 0; i < 5000 && glGetGraphicsResetStatus() == GL_NO_ERROR; i++) {
    paint(0x0000ff), glXSwapBuffers(dpy, in), usleep(1000);
  }
  CHECK(glGetGraphicsResetStatus() != GL_NO_ERROR);
  GLXContext next = context();
  CHECK(next && glXMakeCurrent(dpy, in, next));
  paint(0x00ff00), show(in);
  CHECK(pixel(in, 5, 5) == 0x00ff00);
}

int main(int count, char **arguments) {
  int wanted[] = {GLX_RED_SIZE, 8, GLX_GREEN_SIZE, 8, GLX_BLUE_SIZE, 8, GLX_DOUBLEBUFFER, True, GLX_DEPTH_SIZE, 24, None};
  int found;
  XInitThreads();
  dpy = XOpenDisplay(NULL);
  CHECK(dpy);
  XSetErrorHandler(count_error);
  GLXFBConfig *list = glXChooseFBConfig(dpy, DefaultScreen(dpy), wanted, &found);
  CHECK(list && found > 0);
  config = list[0], visual = glXGetVisualFromFBConfig(dpy, config);
  create = address("glXCreateContextAttribsARB"), wait_for_sbc = address("glXWaitForSbcOML");
  copy_sub_buffer = address("glXCopySubBufferMESA");
  Window first = window(120, 100), second = window(64, 64);
  GLXContext drawing = context();
  CHECK(drawing && glXMakeCurrent(dpy, first, drawing) && glXIsDirect(dpy, drawing));
  CHECK(strstr((const char *)glGetString(GL_RENDERER), "MobileGL"));
  one_window(first);
  CHECK(glXMakeCurrent(dpy, second, drawing));
  paint(0x00ffff), show(second);
  CHECK(glXMakeCurrent(dpy, first, drawing));
  paint(0xff00ff), show(first);
  CHECK(pixel(first, 5, 5) == 0xff00ff && pixel(second, 5, 5) == 0x00ffff);
  struct job jobs[] = {{window(50, 50), 0xff0000}, {window(50, 50), 0x00ff00}};
  pthread_t threads[2];
  XSync(dpy, False);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &jobs[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  CHECK(pixel(jobs[0].in, 5, 5) == 0xff0000 && pixel(jobs[1].in, 5, 5) == 0x00ff00);
  XDestroyWindow(dpy, first), XSync(dpy, False);
  for (int i = 0; i < 5; i++) paint(0), glXSwapBuffers(dpy, first);
  CHECK(glGetError() == GL_NO_ERROR && glXMakeCurrent(dpy, second, drawing));
  paint(0x0000ff), show(second);
  CHECK(pixel(second, 5, 5) == 0x0000ff);
  others(drawing);
  if (count > 1 && !strcmp(arguments[1], "lost")) lost(second, drawing);
  XCloseDisplay(dpy);
  puts("ok");
  return 0;
}
