/*
 * A disk that takes 2 ms longer to flush the WAL, for a server that is started
 * with this library in LD_PRELOAD.  Other files get an fsync.
 */
#include <sys/syscall.h>
#include <unistd.h>

int
fdatasync(int file)
{
	usleep(2000);
	return syscall(SYS_fdatasync, file);
}
