// SPDX-License-Identifier: MIT OR Apache-2.0
// Grids: the game of life, a flood fill with a queue, and shortest paths.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 10
#define COLS 12

static char cells[ROWS][COLS];

static int alive(int r, int c)
{
    if (r < 0 || r >= ROWS || c < 0 || c >= COLS)
        return 0;
    return cells[r][c];
}

static void step(void)
{
    char next[ROWS][COLS];
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLS; c++) {
            int around = 0;
            for (int dr = -1; dr <= 1; dr++)
                for (int dc = -1; dc <= 1; dc++)
                    if (dr != 0 || dc != 0)
                        around += alive(r + dr, c + dc);
            next[r][c] = (char)(around == 3 || (around == 2 && cells[r][c]));
        }
    memcpy(cells, next, sizeof cells);
}

static int fill(const char *map, int width, int height, int start)
{
    int *queue = malloc((unsigned)(width * height) * sizeof(int));
    int *distance = malloc((unsigned)(width * height) * sizeof(int));
    int head = 0, tail = 0, farthest = 0;
    static const int dx[] = {1, -1, 0, 0}, dy[] = {0, 0, 1, -1};
    if (queue == NULL || distance == NULL)
        exit(1);
    for (int i = 0; i < width * height; i++)
        distance[i] = -1;
    queue[tail++] = start;
    distance[start] = 0;
    while (head < tail) {
        int at = queue[head++];
        if (distance[at] > farthest)
            farthest = distance[at];
        for (int d = 0; d < 4; d++) {
            int x = at % width + dx[d], y = at / width + dy[d];
            if (x < 0 || x >= width || y < 0 || y >= height)
                continue;
            int to = y * width + x;
            if (map[to] == '#' || distance[to] >= 0)
                continue;
            distance[to] = distance[at] + 1;
            queue[tail++] = to;
        }
    }
    free(queue);
    free(distance);
    return farthest;
}

int main(void)
{
    static const char map[] = "....#..."
                              ".##.#.#."
                              ".#....#."
                              ".#.####."
                              "...#....";
    cells[1][2] = cells[2][3] = cells[3][1] = cells[3][2] = cells[3][3] = 1;
    for (int i = 0; i < 12; i++)
        step();
    for (int r = 0; r < ROWS; r++) {
        for (int c = 0; c < COLS; c++)
            putchar(cells[r][c] ? '#' : '.');
        putchar('\n');
    }
    printf("%d %d\n", fill(map, 8, 5, 0), fill(map, 8, 5, 39));
    return 0;
}
