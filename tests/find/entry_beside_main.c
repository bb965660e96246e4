// What is looked for from functions that are named beside `main`: numbers, records by value with and without a tag,
// bit-fields, functions as arguments and inside records, static functions.
// flags: --entry get --entry scale --entry ratio --entry kind --entry apply --entry advance --entry hidden
struct point {
    int x, y;
    unsigned kind : 3;
};
typedef struct {
    int a, b;
} pair;
struct steps {
    int (*next)(struct steps *, int);
    int at;
};

int t[4];

int get(int i)
{
    return t[i]; // violated: out-of-bounds
}

int scale(struct point p)
{
    return 100 / (p.x & 7); // violated: division-by-zero
}

int ratio(const pair p)
{
    return 7 % (p.b & 15); // violated: division-by-zero
}

int kind(struct point p)
{
    int of[7] = {0};
    return of[p.kind]; // violated: out-of-bounds
}

int apply(unsigned (*f)(int), int n)
{
    int of[10] = {0};
    return f ? of[f(n) % 11] : 0; // violated: out-of-bounds
}

int advance(struct steps *s)
{
    int of[3] = {0};
    if (!s || !s->next)
        return 0;
    return of[s->next(s, 2) & 3]; // violated: out-of-bounds
}

static int hidden(int i)
{
    int of[4] = {0};
    return of[i & 7]; // violated: out-of-bounds
}

int main(void)
{
    return get(1) + hidden(1);
}
