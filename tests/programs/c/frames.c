/* Three presented frames of three triangles each, the second one as lines; writes what the last frame shows to the file
 * named on the command line, as PPM with the top row first. With the word "persistent" the corners are in a persistent map,
 * through which every frame makes the triangles larger; with "leave" it leaves without ending anything. Prints "ok". */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIZE 64
#define CHECK(what)                                                                     \
  do {                                                                                  \
    if (!(what)) {                                                                      \
      printf("line %d: %s is false, EGL error 0x%x\n", __LINE__, #what, eglGetError()); \
      exit(1);                                                                          \
    }                                                                                   \
  } while (0)

static const char *vertex =
    "#version 330\nlayout(location = 0) in vec2 at; uniform vec2 move; void main() { gl_Position = vec4(at + move, 0, 1); }";
static const char *fragment = "#version 330\nuniform vec3 colour; out vec4 c; void main() { c = vec4(colour, 1); }";

static GLuint shader(GLenum kind, const char *text) {
  GLint done = 0;
  GLuint name = glCreateShader(kind);
  glShaderSource(name, 1, &text, NULL);
  glCompileShader(name);
  glGetShaderiv(name, GL_COMPILE_STATUS, &done);
  CHECK(done);
  return name;
}

static GLuint program(void) {
  GLint done = 0;
  GLuint name = glCreateProgram();
  glAttachShader(name, shader(GL_VERTEX_SHADER, vertex));
  glAttachShader(name, shader(GL_FRAGMENT_SHADER, fragment));
  glLinkProgram(name);
  glGetProgramiv(name, GL_LINK_STATUS, &done);
  CHECK(done);
  return name;
}

static void frame(GLuint name, int number) {
  GLint move = glGetUniformLocation(name, "move"), colour = glGetUniformLocation(name, "colour");
  glClearColor(0.1f * (float)number, 0.1f, 0.2f, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  for (int i = 0; i < 3; i++) {
    glPolygonMode(GL_FRONT_AND_BACK, i == 1 ? GL_LINE : GL_FILL);
    glUniform2f(move, -0.6f + 0.6f * (float)i, -0.2f + 0.2f * (float)number);
    glUniform3f(colour, i == 0, i == 1, i == 2);
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }
}

static void save(const char *path) {
  static unsigned char pixels[SIZE][SIZE][3];
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, SIZE, SIZE, GL_RGB, GL_UNSIGNED_BYTE, pixels);
  FILE *file = fopen(path, "wb");
  CHECK(file != NULL);
  fprintf(file, "P6 %d %d 255\n", SIZE, SIZE);
  for (int y = SIZE - 1; y >= 0; y--) fwrite(pixels[y], sizeof pixels[y], 1, file);
  CHECK(fclose(file) == 0);
}

static const float corners[] = {-0.25f, -0.4f, 0.25f, -0.4f, 0.0f, 0.4f};

/* The bound buffer gets the corners; the map of them, when there is to be one. */
static float *store(int persistent) {
  const GLbitfield flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  if (!persistent) {
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
    return NULL;
  }
  glBufferStorage(GL_ARRAY_BUFFER, sizeof corners, corners, flags);
  float *map = glMapBufferRange(GL_ARRAY_BUFFER, 0, sizeof corners, flags);
  CHECK(map != NULL);
  return map;
}

int main(int count, char **arguments) {
  static const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                  EGL_RED_SIZE, 8, EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8, EGL_NONE};
  static const EGLint core[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
                                EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  static const EGLint size[] = {EGL_WIDTH, SIZE, EGL_HEIGHT, SIZE, EGL_NONE};
  EGLConfig config;
  EGLint found = 0;
  GLuint buffer, array;
  CHECK(count == 2 || count == 3);
  EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
  CHECK(display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL) && eglBindAPI(EGL_OPENGL_API));
  CHECK(eglChooseConfig(display, wanted, &config, 1, &found) && found == 1);
  EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, core);
  EGLSurface surface = eglCreatePbufferSurface(display, config, size);
  CHECK(context != EGL_NO_CONTEXT && surface != EGL_NO_SURFACE);
  CHECK(eglMakeCurrent(display, surface, surface, context));
  glGenVertexArrays(1, &array);
  glBindVertexArray(array);
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  float *map = store(count == 3 && strcmp(arguments[2], "persistent") == 0);
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
  glEnableVertexAttribArray(0);
  GLuint name = program();
  glUseProgram(name);
  for (int number = 0; number < 3; number++) {
    /* The draws of the frame before read what is about to change. */
    if (map) glFinish();
    for (int i = 0; map && i < 6; i++) map[i] = corners[i] * (1 + 0.3f * (float)number);
    frame(name, number);
    if (number == 2) save(arguments[1]);
    CHECK(eglSwapBuffers(display, surface));
  }
  CHECK(glGetError() == GL_NO_ERROR);
  if (count == 3 && strcmp(arguments[2], "leave") == 0) _exit(0);
  CHECK(eglTerminate(display));
  printf("ok\n");
  return 0;
}
