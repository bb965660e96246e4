// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
// Descriptors, files by name, directories.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void)
{
    char directory[] = "/tmp/clew-test-XXXXXX", path[PATH_MAX], buffer[64] = "";
    printf("%d\n", mkdtemp(directory) != NULL);
    snprintf(path, sizeof path, "%s/file", directory);
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0640);
    printf("%d %zd\n", fd, write(fd, "hello, world", 12));
    printf("%ld ", (long)lseek(fd, 7, SEEK_SET));
    printf("%zd ", read(fd, buffer, 5));
    printf("%s\n", buffer);
    printf("%zd", pwrite(fd, "HELLO", 5, 0));
    printf(" %zd", pread(fd, buffer, 12, 0));
    printf(" %.12s\n", buffer);
    struct stat st;
    printf("%d ", fstat(fd, &st));
    printf("%ld %o %d %ld\n", (long)st.st_size, st.st_mode & 0777, S_ISREG(st.st_mode), (long)st.st_nlink);
    printf("%d ", ftruncate(fd, 5));
    stat(path, &st);
    printf("%ld\n", (long)st.st_size);
    printf("%d %d\n", fsync(fd), fdatasync(fd));
    int copy = dup(fd), other = dup2(fd, 10);
    printf("%d %d %d\n", copy, other, fcntl(fd, F_GETFL) & O_ACCMODE);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    printf("%d\n", fcntl(fd, F_SETLK, &lock));
    printf("%d ", close(copy));
    printf("%d ", close(other));
    printf("%d\n", close(fd));
    printf("%d", close(fd));
    printf(" %d\n", errno == EBADF);
    printf("%d %d", access(path, R_OK | W_OK), access("/nonexistent", F_OK));
    printf(" %s\n", strerror(errno));
    fd = open(path, O_WRONLY | O_APPEND);
    struct iovec parts[2] = {{"ab", 2}, {"cde", 3}};
    printf("%zd\n", writev(fd, parts, 2));
    close(fd);
    fd = open(path, O_RDONLY);
    memset(buffer, 0, sizeof buffer);
    printf("%zd ", read(fd, buffer, sizeof buffer));
    printf("%s\n", buffer);
    printf("%zd\n", read(fd, buffer, sizeof buffer));
    FILE *f = fdopen(fd, "r");
    rewind(f);
    printf("%d %c\n", fileno(f) == fd, fgetc(f));
    fclose(f);
    char link_path[PATH_MAX], target[PATH_MAX] = "";
    snprintf(link_path, sizeof link_path, "%s/link", directory);
    printf("%d ", symlink("file", link_path));
    printf("%zd ", readlink(link_path, target, sizeof target));
    printf("%s\n", target);
    printf("%d ", lstat(link_path, &st));
    printf("%d\n", S_ISLNK(st.st_mode));
    printf("%d ", chmod(path, 0600));
    stat(path, &st);
    printf("%o\n", st.st_mode & 0777);
    snprintf(link_path, sizeof link_path, "%s/sub", directory);
    printf("%d %d\n", mkdir(link_path, 0755), mkdir(link_path, 0755));
    DIR *d = opendir(directory);
    int entries = 0, named = 0;
    for (struct dirent *e; (e = readdir(d)) != NULL; entries++)
        named += strcmp(e->d_name, "file") == 0 && e->d_type == DT_REG;
    printf("%d %d %d\n", entries, named, closedir(d));
    printf("%d\n", chdir(directory));
    char *here = getcwd(NULL, 0);
    printf("%d\n", strcmp(here, directory) == 0 || here[0] == '/');
    free(here);
    printf("%d", getcwd(buffer, 2) == NULL);
    printf(" %d\n", errno == ERANGE);
    char *mapped = mmap(NULL, 10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("%d", mapped != MAP_FAILED && mapped[9999] == 0);
    mapped[5000] = 1;
    printf(" %d\n", munmap(mapped, 10000));
    printf("%d %d %ld\n", getpid() > 0, getpagesize(), sysconf(_SC_PAGESIZE));
    printf("%d %d %d\n", unlink("file"), unlink("link"), rmdir("sub"));
    printf("%d ", chdir("/"));
    printf("%d\n", rmdir(directory));
    fflush(stdout);
    printf("%zd\n", write(STDOUT_FILENO, "direct\n", 7));
    return 0;
}
