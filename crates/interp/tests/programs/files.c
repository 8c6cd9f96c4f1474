/* Files, the end of the program, memory. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void last(void) {
    puts("last");
}

static void first(void) {
    puts("first");
}

int main(void) {
    atexit(last);
    atexit(first);
    errno = 0;
    FILE *missing = fopen("a-file-that-does-not-exist", "r");
    printf("%d %s\n", missing == NULL, strerror(errno));
    FILE *file = tmpfile();
    fprintf(file, "line %d\nline %d\n%5.2f\n", 1, 2, 3.0);
    printf("%ld\n", ftell(file));
    rewind(file);
    char line[32];
    while (fgets(line, sizeof line, file))
        fputs(line, stdout);
    printf("%d %d\n", feof(file) != 0, fgetc(file));
    fseek(file, 5, SEEK_SET);
    int number = 0;
    int read = fscanf(file, "%d line", &number);
    printf("%d %d\n", read, number);
    fseek(file, -6, SEEK_END);
    double value = 0;
    read = fscanf(file, "%lf", &value);
    printf("%d %g %ld\n", read, value, ftell(file));
    fseek(file, 0, SEEK_SET);
    fputc('L', file);
    fseek(file, 0, SEEK_SET);
    size_t items = fread(line, 1, 4, file);
    printf("%zu %.4s\n", items, line);
    fclose(file);
    int *p = calloc(4, sizeof *p);
    p = realloc(p, 8 * sizeof *p);
    p[7] = 3;
    printf("%d %d\n", p[3], p[7]);
    p = reallocarray(p, 2, sizeof *p);
    printf("%d\n", malloc_usable_size(p) >= 8);
    free(p);
    void *aligned = NULL;
    int failed = posix_memalign(&aligned, 64, 100);
    printf("%d %d\n", failed, (int)((unsigned long)aligned % 64));
    free(aligned);
    free(NULL);
    printf("%d %d\n", getenv("A_VARIABLE_THAT_IS_NOT_SET") == NULL, calloc((size_t)-1, 16) == NULL);
    exit(3);
}
