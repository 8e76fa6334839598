// Starts programs and prints how long each took, from before the start until after the end. A runtime that measures its
// own children adds its event loop to every figure; this adds microseconds.
//
// stdin: one command per line, arguments separated by 0x1f. stdout: nanoseconds and exit status.

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static long long now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(void)
{
    static char line[65536];
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);

    while (fgets(line, sizeof line, stdin)) {
        char *argv[64];
        int argc = 0;
        line[strcspn(line, "\n")] = 0;
        for (char *word = strtok(line, "\x1f"); word && argc < 63; word = strtok(NULL, "\x1f"))
            argv[argc++] = word;
        argv[argc] = NULL;

        pid_t pid;
        int status = 0;
        long long start = now_ns();
        int error = posix_spawnp(&pid, argv[0], &files, NULL, argv, environ);
        if (error == 0)
            waitpid(pid, &status, 0);
        long long took = now_ns() - start;
        int code = error ? 127 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        printf("%lld %d\n", took, code);
        fflush(stdout);
    }
    return 0;
}
