/*
 * Faults of a machine for one process (LD_PRELOAD). shim.ts compiles this file and explains the variables.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static const char *setting(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

/* Returns whether the file of a descriptor is in the folder SHIM_FOLDER; its name within the folder goes to `name`. */
static int is_watched(int fd, char *name) {
  const char *folder = setting("SHIM_FOLDER");
  if (!folder) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  size_t start = strlen(folder);
  if (strncmp(path, folder, start) != 0 || path[start] != '/') return 0;
  strcpy(name, path + start + 1);
  return 1;
}

/* Held while a change or a flush runs and is recorded, so that no flush is recorded after a change that it did not cover. */
static pthread_mutex_t order = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/* Appends one event with its data to SHIM_LOG. */
static void record(char kind, const char *name, long long offset, const void *data, size_t length) {
  static int log = -1;
  const char *file = setting("SHIM_LOG");
  if (!file) return;
  int before = errno;
  REAL(write);
  pthread_mutex_lock(&order);
  if (log < 0) log = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  char head[PATH_MAX + 64];
  int size = snprintf(head, sizeof head, "%c %lld %zu %s\n", kind, offset, length, name);
  if (real(log, head, size) != size || (length && real(log, data, length) != (ssize_t)length)) abort();
  pthread_mutex_unlock(&order);
  errno = before;
}

/* Returns whether the disk is full for a write that makes the file larger. */
static int is_full(int fd, long long end) {
  const char *flag = setting("SHIM_FULL");
  struct stat found;
  if (!flag || access(flag, F_OK) != 0) {
    return 0;
  }
  return fstat(fd, &found) != 0 || end > found.st_size;
}

static int before_write(int fd, long long offset, const void *data, size_t length) {
  char name[PATH_MAX];
  if (!is_watched(fd, name)) return 1;
  if (is_full(fd, offset + (long long)length)) {
    errno = ENOSPC;
    return 0;
  }
  record('W', name, offset, data, length);
  return 1;
}

/* Returns where write(2) writes. */
static long long position(int fd) {
  struct stat found;
  if ((fcntl(fd, F_GETFL) & O_APPEND) && fstat(fd, &found) == 0) return found.st_size;
  return lseek(fd, 0, SEEK_CUR);
}

ssize_t write(int fd, const void *data, size_t length) {
  REAL(write);
  if (setting("SHIM_FOLDER") && fd > 2 && !before_write(fd, position(fd), data, length)) return -1;
  return real(fd, data, length);
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
  REAL(pwrite);
  pthread_mutex_lock(&order);
  ssize_t result = before_write(fd, offset, data, length) ? real(fd, data, length, offset) : -1;
  pthread_mutex_unlock(&order);
  return result;
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
  REAL(pwrite64);
  pthread_mutex_lock(&order);
  ssize_t result = before_write(fd, offset, data, length) ? real(fd, data, length, offset) : -1;
  pthread_mutex_unlock(&order);
  return result;
}

/* The programs of the tests that use these are not recorded; they meet a full disk only. */
static int fits(int fd, const struct iovec *parts, int count, long long offset) {
  char name[PATH_MAX];
  long long length = 0;
  for (int at = 0; at < count; at++) length += parts[at].iov_len;
  if (!is_watched(fd, name) || !is_full(fd, offset + length)) return 1;
  errno = ENOSPC;
  return 0;
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
  REAL(pwritev);
  return fits(fd, parts, count, offset) ? real(fd, parts, count, offset) : -1;
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) {
  REAL(pwritev64);
  return fits(fd, parts, count, offset) ? real(fd, parts, count, offset) : -1;
}

int posix_fallocate(int fd, off_t offset, off_t length) {
  REAL(posix_fallocate);
  char name[PATH_MAX];
  if (is_watched(fd, name) && is_full(fd, offset + length)) return ENOSPC;
  return real(fd, offset, length);
}

int ftruncate(int fd, off_t length) {
  REAL(ftruncate);
  char name[PATH_MAX];
  pthread_mutex_lock(&order);
  if (is_watched(fd, name)) record('T', name, length, NULL, 0);
  int result = real(fd, length);
  pthread_mutex_unlock(&order);
  return result;
}

int ftruncate64(int fd, off64_t length) {
  REAL(ftruncate64);
  char name[PATH_MAX];
  pthread_mutex_lock(&order);
  if (is_watched(fd, name)) record('T', name, length, NULL, 0);
  int result = real(fd, length);
  pthread_mutex_unlock(&order);
  return result;
}

static int flush(int fd, int (*real)(int)) {
  char name[PATH_MAX];
  pthread_mutex_lock(&order);
  int result = real(fd);
  if (result == 0 && is_watched(fd, name)) record('S', name, 0, NULL, 0);
  pthread_mutex_unlock(&order);
  return result;
}

int fsync(int fd) {
  REAL(fsync);
  return flush(fd, real);
}

int fdatasync(int fd) {
  REAL(fdatasync);
  char name[PATH_MAX];
  const char *wait = setting("SHIM_NO_FDATASYNC");
  if (!wait || !is_watched(fd, name)) return flush(fd, real);
  usleep(atoi(wait) * 1000);
  errno = EIO;
  return -1;
}

int unlink(const char *path) {
  REAL(unlink);
  const char *folder = setting("SHIM_FOLDER");
  size_t start = folder ? strlen(folder) : 0;
  if (folder && strncmp(path, folder, start) == 0 && path[start] == '/') record('U', path + start + 1, 0, NULL, 0);
  return real(path);
}

static long clock_error(void) {
  const char *seconds = setting("SHIM_CLOCK");
  return seconds ? atol(seconds) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  REAL(clock_gettime);
  int result = real(clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += clock_error();
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  REAL(gettimeofday);
  int result = real(now, zone);
  if (result == 0) now->tv_sec += clock_error();
  return result;
}

time_t time(time_t *into) {
  REAL(time);
  time_t now = real(NULL) + clock_error();
  if (into) *into = now;
  return now;
}

static int is_dns_away(void) {
  const char *flag = setting("SHIM_NO_DNS");
  return flag && access(flag, F_OK) == 0;
}

static int is_dns(const struct sockaddr *address) {
  if (!address || !is_dns_away()) return 0;
  if (address->sa_family == AF_INET) return ((const struct sockaddr_in *)address)->sin_port == htons(53);
  return address->sa_family == AF_INET6 && ((const struct sockaddr_in6 *)address)->sin6_port == htons(53);
}

int connect(int fd, const struct sockaddr *address, socklen_t length) {
  REAL(connect);
  if (!is_dns(address)) return real(fd, address, length);
  errno = ENETUNREACH;
  return -1;
}

int getaddrinfo(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **found) {
  REAL(getaddrinfo);
  int is_numeric = host && strspn(host, "0123456789abcdefABCDEF.:") == strlen(host);
  if (is_dns_away() && host && !is_numeric && strcmp(host, "localhost") != 0) return EAI_AGAIN;
  return real(host, port, hints, found);
}

/* A file system without hard links, such as exFAT. */
int link(const char *from, const char *to) {
  REAL(link);
  const char *folder = setting("SHIM_FOLDER");
  if (setting("SHIM_NO_LINKS") && folder && strncmp(to, folder, strlen(folder)) == 0) return errno = EPERM, -1;
  return real(from, to);
}
