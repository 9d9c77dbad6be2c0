/* What the programs with windows have in common: a window, a triangle, and steps that a test follows: `at WORD …` on a
 * line of its own, then a line on the standard input lets the program go on. They know no driver. */
#define GL_GLEXT_PROTOTYPES
#define EGL_EGLEXT_PROTOTYPES
#define GLX_GLXEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(what)                                                                        \
  do {                                                                                     \
    if (!(what)) {                                                                         \
      printf("line %d: %s is false, EGL error 0x%x\n", __LINE__, #what, eglGetError());    \
      fflush(stdout);                                                                      \
      _exit(1);                                                                            \
    }                                                                                      \
  } while (0)

/* Says where the program is and waits until it may go on; without a listener it goes on at once. */
static void at(const char *format, ...) {
  char line[64];
  va_list list;
  va_start(list, format);
  printf("at ");
  vprintf(format, list);
  printf("\n");
  fflush(stdout);
  va_end(list);
  if (!fgets(line, sizeof line, stdin)) return;
}

static GLuint stage(GLenum kind, const char *text) {
  GLint good = 0;
  GLuint shader = glCreateShader(kind);
  glShaderSource(shader, 1, &text, NULL);
  glCompileShader(shader);
  glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
  CHECK(good);
  return shader;
}

/* The program and vertex array of a triangle of three colours; both stay bound. */
static void prepare(void) {
  GLuint program = glCreateProgram(), array;
  glAttachShader(program, stage(GL_VERTEX_SHADER,
    "#version 330 core\nout vec3 c;void main(){vec2 p=vec2(gl_VertexID==1,gl_VertexID==2);"
    "c=vec3(1.0-p.x-p.y,p);gl_Position=vec4(p*1.6-0.7,0.0,1.0);}"));
  glAttachShader(program, stage(GL_FRAGMENT_SHADER,
    "#version 330 core\nin vec3 c;out vec4 o;void main(){o=vec4(c,1.0);}"));
  glLinkProgram(program);
  glUseProgram(program);
  glGenVertexArrays(1, &array);
  glBindVertexArray(array);
  // Which pattern a driver dithers in is its own affair, on screens of 16 bits.
  glDisable(GL_DITHER);
}

static void triangle(int width, int height) {
  glViewport(0, 0, width, height);
  glClearColor(0.2f, 0.3f, 0.4f, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void fill(float r, float g, float b) {
  glClearColor(r, g, b, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}
