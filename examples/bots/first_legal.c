/* A whole bot for any game, with docs/protocol.md: it plays the first legal move. */
#include <stdio.h>
#include <string.h>

int main(void) {
    static char line[1 << 16], move[256]; /* of a longer line the rest looks like unknown lines: they are ignored */
    int rows = 0;
    setvbuf(stdout, NULL, _IOLBF, 0); /* a pipe gets every line at once, as a terminal does */
    while (fgets(line, sizeof line, stdin)) {
        if (rows > 0) rows--; /* a line of the position */
        else if (!strncmp(line, "begin", 5)) puts("ready");
        else if (sscanf(line, "position %d", &rows) == 1) continue;
        else if (sscanf(line, "legal %255s", move) == 1) continue;
        else if (!strncmp(line, "go", 2)) printf("move %s\n", move);
        else if (!strncmp(line, "quit", 4)) break;
    }
    return 0;
}
