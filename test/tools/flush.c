// Makes every flush slower by FLUSH_DELAY_US microseconds, so that a fast disk behaves like an ordinary one.
// sync_file_range isn't slowed: it guarantees nothing, so programs don't wait for it.

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

// Waits until a fixed time, so that signals, of which PostgreSQL gets many, don't make it longer.
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
