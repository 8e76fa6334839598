// Simulates the loss of power: only flushed data survives. At any moment, the folder POWERCUT_SHADOW holds what a disk
// would hold of the files below POWERCUT_DIR if the power went off then.
//
// (1) fsync and fdatasync of a file copy its current contents to the shadow before they return. Anything written or
//     truncated but not flushed is missing there; a file never flushed is absent.
// (2) unlink, rename and rmdir are durable when they return. A file renamed without a flush is empty under its new
//     name.
// (3) -shm files are never copied, because SQLite rebuilds them.
// (4) Once POWERCUT_SHADOW.cut exists, nothing is copied and no flush returns. The cut is at the same moment for all
//     processes, and none can acknowledge anything after it.
// (5) The file is read through the caller's descriptor. Opening and closing it here would drop the POSIX locks that
//     SQLite holds on the file in this process.
//
// With several processes, copies are made one at a time, under flock, and read inside the lock. So a later copy never
// holds less than an earlier one, and a copy that ends after a flush was requested holds all bytes written before the
// request. SQLite flushes a commit under its write lock, and the database file under its checkpoint lock, so no other
// process writes to that file then. A checkpointer flushes the WAL without the write lock; its copy may hold half a
// transaction of another process, as may a disk, and the WAL's checksums hide it.
//
// Not modeled: O_SYNC, sync, syncfs, msync, and a flush that survives in part.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))
typedef char path_t[PATH_MAX];

static const char *dir, *shadow;
static size_t dir_length;

__attribute__((constructor)) static void read_settings(void)
{
    dir = getenv("POWERCUT_DIR");
    shadow = getenv("POWERCUT_SHADOW");
    dir_length = dir ? strlen(dir) : 0;
}

// A shadow with a hole would report losses that didn't happen. Not abort, which Bun takes for a crash of its own and
// may report over the network.
static void give_up(const char *what, const char *path)
{
    fprintf(stderr, "powercut: %s %s: %s\n", what, path, strerror(errno));
    _exit(99);
}

static void join_path(path_t out, const char *first, const char *second)
{
    if (snprintf(out, PATH_MAX, "%s%s", first, second) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        give_up("join", first);
    }
}

// The shadow of a path below the folder; 0 for all others. Paths must be absolute.
static int shadow_of(const char *path, path_t out)
{
    if (!dir || !shadow || strncmp(path, dir, dir_length) != 0 || path[dir_length] != '/')
        return 0;
    size_t length = strlen(path);
    if (length > 4 && strcmp(path + length - 4, "-shm") == 0)
        return 0;
    join_path(out, shadow, path + dir_length);
    return 1;
}

// The name itself may be a link or gone, so only its folder is resolved.
static int shadow_of_name(int at, const char *name, path_t out)
{
    path_t folder, real, full;
    const char *slash = strrchr(name, '/');
    const char *base = slash ? slash + 1 : name;
    if (!dir || !shadow)
        return 0;
    if (name[0] == '/')
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - name + 1), name);
    else if (at == AT_FDCWD)
        snprintf(folder, sizeof folder, "./%.*s", (int)(base - name), name);
    else
        snprintf(folder, sizeof folder, "/proc/self/fd/%d/%.*s", at, (int)(base - name), name);
    if (!realpath(folder, real))
        return 0;
    join_path(full, strcmp(real, "/") == 0 ? "" : real, "/");
    join_path(real, full, base);
    return shadow_of(real, out);
}

static void stop_if_cut(void)
{
    path_t cut;
    join_path(cut, shadow, ".cut");
    if (access(cut, F_OK) == 0)
        for (;;)
            pause();
}

// flock belongs to the open file, so it works between threads too.
static int lock(void)
{
    path_t name;
    join_path(name, shadow, ".lock");
    int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        give_up("open", name);
    while (flock(fd, LOCK_EX) != 0)
        if (errno != EINTR)
            give_up("flock", name);
    stop_if_cut();
    return fd;
}

static void make_folders(char *path)
{
    for (char *slash = path + strlen(shadow) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            give_up("mkdir", path);
        *slash = '/';
    }
}

// A write-only descriptor can't be read, so such a file is opened again. That is safe, because SQLite only flushes
// through descriptors that it also reads.
static void copy_bytes(int from, int to, const char *link)
{
    char block[1 << 16];
    ssize_t got;
    int readable = (fcntl(from, F_GETFL) & O_ACCMODE) != O_WRONLY;
    int fd = readable ? from : open(link, O_RDONLY | O_CLOEXEC);
    for (off_t at = 0; (got = pread(fd, block, sizeof block, at)) != 0; at += got)
        if (got < 0 || write(to, block, got) != got)
            give_up("copy", link);
    if (!readable)
        close(fd);
}

static void save(int fd)
{
    path_t link, path, target, unfinished;
    struct stat info;
    if (!dir || !shadow || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    int locked = lock();
    // Inside the lock, because the file may have been renamed or unlinked while we waited.
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length > 0 && fstat(fd, &info) == 0 && info.st_nlink > 0) {
        path[length] = 0;
        if (shadow_of(path, target)) {
            make_folders(target);
            join_path(unfinished, shadow, ".new");
            int copy = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, info.st_mode & 0777);
            if (copy < 0)
                give_up("open", unfinished);
            copy_bytes(fd, copy, link);
            close(copy);
            if (REAL(int, rename, const char *, const char *)(unfinished, target) != 0)
                give_up("rename", target);
        }
    }
    close(locked);
}

static int flush(int result, int fd)
{
    int error = errno;
    if (result == 0)
        save(fd);
    errno = error;
    return result;
}

int fsync(int fd)
{
    return flush(REAL(int, fsync, int)(fd), fd);
}

int fdatasync(int fd)
{
    return flush(REAL(int, fdatasync, int)(fd), fd);
}

int unlinkat(int at, const char *name, int flags)
{
    path_t target;
    int (*next)(int, const char *, int) = REAL(int, unlinkat, int, const char *, int);
    if (!shadow_of_name(at, name, target))
        return next(at, name, flags);
    int locked = lock();
    int result = next(at, name, flags);
    int error = errno;
    if (result == 0)
        next(AT_FDCWD, target, flags);
    close(locked);
    errno = error;
    return result;
}

int unlink(const char *name)
{
    return unlinkat(AT_FDCWD, name, 0);
}

int rmdir(const char *name)
{
    return unlinkat(AT_FDCWD, name, AT_REMOVEDIR);
}

// If the source was never flushed, its new name is on the disk but its contents aren't.
static void rename_shadow(const char *from, path_t to, int is_folder)
{
    make_folders(to);
    if (from && REAL(int, rename, const char *, const char *)(from, to) == 0)
        return;
    int empty = is_folder ? mkdir(to, 0777) : open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (empty < 0 && errno != EEXIST)
        give_up("create", to);
    if (!is_folder)
        close(empty);
}

int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags)
{
    path_t source, target;
    struct stat info;
    int (*next)(int, const char *, int, const char *, unsigned) =
        REAL(int, renameat2, int, const char *, int, const char *, unsigned);
    int has_source = shadow_of_name(from_at, from, source);
    int has_target = shadow_of_name(to_at, to, target);
    if (!has_source && !has_target)
        return next(from_at, from, to_at, to, flags);
    int locked = lock();
    int result = next(from_at, from, to_at, to, flags);
    int error = errno;
    if (result == 0 && has_target && fstatat(to_at, to, &info, AT_SYMLINK_NOFOLLOW) == 0)
        rename_shadow(has_source ? source : NULL, target, S_ISDIR(info.st_mode));
    else if (result == 0)
        REAL(int, unlink, const char *)(source);
    close(locked);
    errno = error;
    return result;
}

int renameat(int from_at, const char *from, int to_at, const char *to)
{
    return renameat2(from_at, from, to_at, to, 0);
}

int rename(const char *from, const char *to)
{
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}
