// Makes every flush slower by FLUSH_DELAY_US microseconds, so that a fast disk feels like an
// ordinary one. sync_file_range stays as it is: it promises nothing, so nobody waits for it.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long delay_us(void)
{
    const char *text = getenv("FLUSH_DELAY_US");
    return text ? atol(text) : 0;
}

// Against a fixed moment: signals, of which PostgreSQL has many, must not make it longer.
static void wait_for_disk(void)
{
    long us = delay_us();
    if (us <= 0)
        return;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += us / 1000000;
    until.tv_nsec += us % 1000000 * 1000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
}

static int flush(const char *name, int fd)
{
    int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    int result = next(fd);
    int error = errno;
    if (result == 0)
        wait_for_disk();
    errno = error;
    return result;
}

int fsync(int fd)
{
    return flush("fsync", fd);
}

int fdatasync(int fd)
{
    return flush("fdatasync", fd);
}
