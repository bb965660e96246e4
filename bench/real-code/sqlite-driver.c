// SPDX-License-Identifier: MIT OR Apache-2.0
// Runs the SQL statements of standard input on the database that the first argument names, and prints every row.
// Stands in for SQLite's shell, which the amalgamation does not carry.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sqlite3.h"

static char *read_all(FILE *in)
{
    size_t used = 0, room = 4096;
    char *text = malloc(room);
    size_t got;
    if (!text)
        return NULL;
    while ((got = fread(text + used, 1, room - used - 1, in)) > 0) {
        used += got;
        if (room - used < 2) {
            char *more = realloc(text, room * 2);
            if (!more) {
                free(text);
                return NULL;
            }
            text = more;
            room *= 2;
        }
    }
    text[used] = '\0';
    return text;
}

static void print_row(sqlite3_stmt *statement)
{
    int columns = sqlite3_column_count(statement);
    for (int i = 0; i < columns; i++) {
        const unsigned char *value = sqlite3_column_text(statement, i);
        printf("%s%s", i ? "|" : "", value ? (const char *)value : "NULL");
    }
    putchar('\n');
}

int main(int argc, char **argv)
{
    sqlite3 *db;
    int number = 0;
    if (argc != 2) {
        fprintf(stderr, "usage: %s DATABASE < SCRIPT\n", argv[0]);
        return 2;
    }
    char *script = read_all(stdin);
    if (!script)
        return 3;
    if (sqlite3_open(argv[1], &db) != SQLITE_OK) {
        fprintf(stderr, "cannot open %s: %s\n", argv[1], sqlite3_errmsg(db));
        return 1;
    }
    const char *rest = script;
    while (*rest) {
        sqlite3_stmt *statement = NULL;
        int result = sqlite3_prepare_v2(db, rest, -1, &statement, &rest);
        if (result != SQLITE_OK) {
            printf("error: %s\n", sqlite3_errmsg(db));
            break;
        }
        if (!statement)
            continue;
        printf("-- %d\n", ++number);
        while ((result = sqlite3_step(statement)) == SQLITE_ROW)
            print_row(statement);
        if (result != SQLITE_DONE)
            printf("error: %s\n", sqlite3_errmsg(db));
        sqlite3_finalize(statement);
    }
    printf("%d statements, %lld changes\n", number, (long long)sqlite3_total_changes(db));
    sqlite3_close(db);
    free(script);
    return 0;
}
