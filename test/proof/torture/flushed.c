/*
 * Preloaded into a server: keeps in the folder synced, for each segment of pg_wal, what
 * a power loss would leave of it, which is what was in there when it was flushed last.
 *
 * Instead of the disk, a flush takes a millisecond.  The server must write a
 * segment from its begin on, into zeros (wal_recycle = off).
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FLUSH_MICROSECONDS 1000
#define PAGE 8192

static int
flush(int fd)
{
	char		link[64];
	char		path[1024];
	char		page[PAGE];
	char	   *folder;
	ssize_t		length;
	off_t		at;
	int			copy;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	path[length > 0 ? length : 0] = '\0';
	folder = strstr(path, "/pg_wal/0");
	if (folder == NULL)
		return 0;

	usleep(FLUSH_MICROSECONDS);
	memcpy(folder, "/synced/", 8);
	folder[7] = '\0';
	mkdir(path, 0700);
	folder[7] = '/';
	copy = open(path, O_WRONLY | O_CREAT, 0600);
	if (copy < 0)
		_exit(1);
	/* the last page may have more in it now */
	at = lseek(copy, 0, SEEK_END);
	at = at > 0 ? (at - 1) / PAGE * PAGE : 0;
	for (; pread(fd, page, PAGE, at) == PAGE && *(short *) page != 0; at += PAGE)
	{
		if (pwrite(copy, page, PAGE, at) != PAGE)
			_exit(1);
	}
	close(copy);
	return 0;
}

int
fdatasync(int fd)
{
	return flush(fd);
}

int
fsync(int fd)
{
	return flush(fd);
}
