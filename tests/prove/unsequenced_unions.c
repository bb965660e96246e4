// SPDX-License-Identifier: MIT OR Apache-2.0
// Members of a union share their bytes, and a record has those of its members.
union u {
    int i;
    short s[2];
    struct {
        int a, b;
    } p;
};

int of_a_pointer(union u *u)
{
    return (u->i++ & 1) + u->s[1]; // open: unsequenced
}

int of_an_object(int k)
{
    union u u = { k & 7 };
    return (u.s[0]++ & 1) + u.i; // open: unsequenced
}

int beside(union u *u)
{
    return (u->p.a++ & 1) + (u->p.b & 1);
}

struct pair {
    int a, b;
};

int whole(struct pair p, struct pair q)
{
    p = (p.a++, q);
    return p.a;
}
