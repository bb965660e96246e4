// SPDX-License-Identifier: MIT OR Apache-2.0
//! The judges against the system compiler: they agree on what is right and notice what is wrong.

use std::io::Write as _;
use std::process::{Command as Process, Stdio};

use clew_frontend::judge::type_judge;
use clew_frontend::layout::{layout_judge, layouts};
use clew_frontend::{Command, DiskFiles, Unit, parse_unit_with_tokens};

const PROGRAM: &str = r#"
#include <stdarg.h>
#include <stddef.h>
#define SQUARE(x) ((x) * (x))
typedef struct { char c; double d; } pair;
enum colour { RED, GREEN = 7, BLUE };
struct node {
    unsigned low : 3, high : 29;
    struct node *next;
    union { int i; float f; struct { short s; char t[3]; }; };
    pair pairs[2];
    char tail[];
};
static const int table[] = { 1, SQUARE(3), sizeof(struct node), 'a', -1, BLUE };
static unsigned char narrow(short a, unsigned char b) { return a + b; }
int sum(int count, ...)
{
    va_list list;
    va_start(list, count);
    long total = 0;
    for (int i = 0; i < count; i++) {
        int value = va_arg(list, int);
        total += (value < 0 ? -value : value) << (char)1;
    }
    va_end(list);
    return total;
}
float walk(struct node *head, float scale, unsigned long long wide)
{
    float best = 0;
    for (struct node *n = head; n; n = n->next) {
        if (n->f * scale > best) best = n->f;
        else switch (n->low + n->s) { case 1: wide++; break; default: wide ^= ~n->high; }
        n->pairs[n->t[0] & 1].d += narrow(n->i, 'x') / 2.0L;
    }
    const char *text = &"abc"[wide % 3];
    return *text ? best : (float)offsetof(struct node, pairs);
}
int main(void) { struct node n = { .next = 0, .i = table[1] }; return sum(2, 3, 4u) + (int)walk(&n, 2, 3) + (0, n.low); }
"#;

fn unit() -> Unit {
    let mut files = DiskFiles::new();
    files.overlay("judged.c", PROGRAM.as_bytes());
    parse_unit_with_tokens(&Command::new("judged.c"), &files).unwrap_or_else(|errors| panic!("{errors}"))
}

/// What the compiler says; empty when it agrees.
fn compile(source: &[u8]) -> String {
    let mut child = Process::new("gcc")
        .args(["-w", "-fsyntax-only", "-x", "cpp-output", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("gcc");
    child.stdin.take().expect("a pipe").write_all(source).expect("written");
    String::from_utf8_lossy(&child.wait_with_output().expect("an end").stderr).into_owned()
}

#[test]
fn the_compiler_agrees_with_every_type() {
    let judgement = type_judge(&unit());
    assert!(judgement.asserted > 100, "{}", judgement.asserted);
    assert_eq!(compile(&judgement.source), "");
}

#[test]
fn the_compiler_agrees_with_every_layout() {
    let judgement = layout_judge(&unit());
    assert!(judgement.asserted > 20, "{}", judgement.asserted);
    assert_eq!(compile(&judgement.source), "");
}

#[test]
fn a_wrong_type_a_wrong_value_and_a_wrong_offset_are_noticed() {
    let tampered = |source: Vec<u8>, right: &str, wrong: &str| {
        let text = String::from_utf8(source).expect("UTF-8");
        assert!(text.contains(right), "{right} is not in the judge");
        compile(text.replacen(right, wrong, 1).as_bytes())
    };
    let types = type_judge(&unit()).source;
    let log = tampered(types.clone(), "__typeof__(a + b), int)", "__typeof__(a + b), unsigned int)");
    assert!(log.contains("static assertion failed"), "{log}");
    let log = tampered(types, "(BLUE) == (8LL)", "(BLUE) == (9LL)");
    assert!(log.contains("static assertion failed"), "{log}");
    let log = tampered(layout_judge(&unit()).source, "(struct node, next) == 8", "(struct node, next) == 4");
    assert!(log.contains("static assertion failed"), "{log}");
}

#[test]
fn layouts_list_bit_fields_and_anonymous_members() {
    let records = layouts(&unit());
    let node = records.iter().find(|r| r.tag.as_deref() == Some("node")).expect("struct node");
    let high = &node.fields[1];
    assert_eq!((high.name.as_deref(), high.bit_offset, high.bits), (Some("high"), 3, Some(29)));
    let anonymous = &node.fields[3];
    assert_eq!((anonymous.name.as_deref(), anonymous.bit_offset), (None, 128));
    assert_eq!(anonymous.inner[2].inner[1].bit_offset, 128 + 16);
    assert!(records.iter().any(|r| r.alias.as_deref() == Some("pair") && r.size == 16));
}
