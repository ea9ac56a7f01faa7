// A disk whose every flush takes 2 ms more, for who is started with this in LD_PRELOAD.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static int slowly(const char *name, int file) {
  int (*flush)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  const int result = flush(file);
  const struct timespec more = {0, 2000000};
  nanosleep(&more, 0);
  return result;
}

int fsync(int file) { return slowly("fsync", file); }
int fdatasync(int file) { return slowly("fdatasync", file); }
