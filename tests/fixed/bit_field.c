// A bit-field is refused, with its place.
/* clew-fixed: fixed x=q8 range x=0..1 */
// flags: --function read
// no bound: a bit-field
// status: 0
struct packed {
    int part : 12;
};
int read(int x) {
    struct packed p;
    p.part = x;
    return p.part;
}
