/*
 * Prints the XXH64 of each line's bytes, which are in hexadecimal, by the library
 * that is installed, where hilo has the header's code within itself.
 */
#include <stdio.h>
#include <xxhash.h>

int
main(void)
{
	unsigned char bytes[1024];
	size_t		length = 0;
	unsigned	byte;
	int			c;

	while ((c = getchar()) != EOF)
	{
		if (c == '\n')
		{
			printf("%016llx\n", (unsigned long long) XXH64(bytes, length, 0));
			length = 0;
		}
		else if (ungetc(c, stdin) == EOF || length == sizeof(bytes) ||
				 scanf("%2x", &byte) != 1)
			return 1;
		else
			bytes[length++] = (unsigned char) byte;
	}
	return 0;
}
