/* Two contexts of one share group in one thread: uniforms of a shared program are set in either, with many small draws
 * between the changes of context and nothing read before the end. Prints how many of them are wrong. */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 1024, HEIGHT = 16 };

static const char *vertex =
    "#version 330 core\n"
    "void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0, 1); }";
static const char *fragment =
    "#version 330 core\n"
    "uniform vec4 par[12]; uniform vec3 c; uniform bool dark; out vec4 o;\n"
    "void main() { o = par[0] + vec4(c, 0) * 0.0; if (dark) o.rgb *= 0.5; }";

static GLuint shader(GLenum type, const char *text) {
  GLuint name = glCreateShader(type);
  glShaderSource(name, 1, &text, NULL);
  glCompileShader(name);
  return name;
}

static void target(void) {
  GLuint framebuffer, color, array;
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glGenRenderbuffers(1, &color);
  glBindRenderbuffer(GL_RENDERBUFFER, color);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, WIDTH, HEIGHT);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
  glViewport(0, 0, WIDTH, HEIGHT);
  glGenVertexArrays(1, &array);
  glBindVertexArray(array);
  glEnable(GL_SCISSOR_TEST);
}

int main(void) {
  EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
  static const EGLint wishes[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
  static const EGLint core[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE};
  EGLConfig config;
  EGLint count = 0;
  if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API) ||
      !eglChooseConfig(display, wishes, &config, 1, &count) || count == 0) {
    printf("no display: 0x%x\n", eglGetError());
    return 1;
  }
  EGLContext contexts[2];
  contexts[0] = eglCreateContext(display, config, EGL_NO_CONTEXT, core);
  contexts[1] = eglCreateContext(display, config, contexts[0], core);

  eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, contexts[0]);
  GLuint program = glCreateProgram();
  glAttachShader(program, shader(GL_VERTEX_SHADER, vertex));
  glAttachShader(program, shader(GL_FRAGMENT_SHADER, fragment));
  glLinkProgram(program);
  GLint par = glGetUniformLocation(program, "par"), c = glGetUniformLocation(program, "c"),
        dark = glGetUniformLocation(program, "dark");
  target();
  eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, contexts[1]);
  target();

  float ones[48];
  for (int i = 0; i < 48; i++) ones[i] = 1;
  static const float three[3] = {1, 2, 3};
  static unsigned char wanted[2][WIDTH], pixels[WIDTH * 4];
  int drawn[2] = {0, 0}, wrong = 0, total = 0;
  unsigned random = 12345;
  for (int round = 0; round < 400 && drawn[0] < 1000 && drawn[1] < 1000; round++) {
    int at = round & 1, steps = 1 + (random >> 8) % 8;
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, contexts[at]);
    glUseProgram(program);
    while (steps--) {
      random = random * 1664525 + 1013904223;
      int value = (random >> 16) & 1;
      glUniform1i(dark, value);
      glUniform4fv(par, 12, ones);
      glUniform3fv(c, 1, three);
      glScissor(drawn[at], 0, 1, HEIGHT);
      wanted[at][drawn[at]++] = value;
      glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
  }
  for (int at = 0; at < 2; at++) {
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, contexts[at]);
    glReadPixels(0, HEIGHT / 2, WIDTH, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    for (int i = 0; i < drawn[at]; i++, total++) wrong += abs(pixels[4 * i] - (wanted[at][i] ? 128 : 255)) > 2;
  }
  printf("%s: %d of %d wrong\n", glGetString(GL_RENDERER), wrong, total);
  return wrong != 0 || glGetError() != GL_NO_ERROR;
}
