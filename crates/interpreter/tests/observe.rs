// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an observer sees at a loop head: registers, globals, locals in memory and heap objects, iteration by iteration.

use clew_interpreter::host::Captured;
use clew_interpreter::observe::{Blocks, Observer, Register, View, What};
use clew_interpreter::outcome::End;
use clew_interpreter::value::Value;
use clew_interpreter::{Options, run_observed};
use clew_ir::location::Location;
use clew_ir::syntax::{BlockId, FuncId, GlobalId, LocalId};

/// `for (i = 0; i < 2; i++) { a[i] = i; h = malloc(4); late = i; g = late + 1; }`
const LOOP: &str = r#"clew-ir 1
target "x86_64-linux-gnu" pointer 8 char signed int 32 long 64 long_double x87

global @g0 "g" "g": i32 size 4 align 4 external = "\05"

function @f0 "main" "main": fn() -> i32 external {
  %0 "late": i32 register
  %1 "h": *i32 register
  %2 "a": [2 i8] memory align 1
  %3 "i": i32 register
  %4: *void register
b0:
  live %0.late
  %1.h = 0:*i32
  live %2.a
  %3.i = 0
  goto b1
b1:
  branch (%3.i < 2) ? b2 : b4
b2:
  store %2.a[%3.i by 1 of 2] = (%3.i as i8)
  call local %4 = @f1.malloc(4:u64)
  %1.h = (%4 as *i32)
  store *%1.h = %3.i
  %0.late = %3.i
  store @g0.g = (%0.late + 1)
  goto b3
b3:
  %3.i = (%3.i + 1)
  goto b1
b4:
  return 0
}

function @f1 "malloc" "malloc": fn(u64) -> *void external
"#;

#[derive(Default)]
struct Seen(Vec<String>);

impl Observer for Seen {
    fn at_block(&mut self, function: FuncId, block: BlockId, view: &View<'_>) {
        assert_eq!((function, block, view.depth()), (FuncId(0), BlockId(1), 1));
        let number = |local: u32| match view.register(LocalId(local)) {
            Some(Register::Value(Value::Int(value))) => value.to_string(),
            Some(Register::Uninitialised) => "?".to_owned(),
            other => panic!("{other:?}"),
        };
        assert_eq!(view.register(LocalId(2)), None);
        let array = view.memory_local(LocalId(2)).expect("it is alive");
        let bytes: String =
            (0..2)
                .map(|at| {
                    if array.written(at) == 0xff {
                        array.bytes()[at as usize].to_string()
                    } else {
                        "?".into()
                    }
                })
                .collect();
        let global = view.global(GlobalId(0)).expect("it is defined").bytes()[0];
        let heap = match view.register(LocalId(1)) {
            Some(Register::Value(Value::Ptr(pointer))) if pointer.is_null() => "null".to_owned(),
            Some(Register::Value(Value::Ptr(pointer))) => {
                let object = view.object(pointer.prov).expect("it is known");
                let What::Heap(birth) = object.what() else { panic!("{:?}", object.what()) };
                let place = Location { function: FuncId(0), block: BlockId(2), statement: 1 };
                assert_eq!((birth.place, birth.caller, view.born(place, None)), (place, None, birth.number));
                assert_eq!((object.size(), object.alive(), object.offset_of(pointer)), (4, true, 0));
                format!("{}:{}", birth.number, object.bytes()[0])
            }
            other => panic!("{other:?}"),
        };
        self.0.push(format!("late {} i {} a {bytes} g {global} h {heap}", number(0), number(3)));
    }
}

#[test]
fn an_observer_sees_every_turn() {
    let program = clew_ir::text::parse(LOOP).expect("the program parses");
    let blocks: Blocks = [(FuncId(0), BlockId(1))].into_iter().collect();
    let mut seen = Seen::default();
    let outcome = run_observed(&program, &Options::default(), &mut Captured::default(), &blocks, &mut seen);
    assert_eq!(outcome.end, End::Exit(0));
    let expected = ["late ? i 0 a ?? g 5 h null", "late 0 i 1 a 0? g 1 h 1:0", "late 1 i 2 a 01 g 2 h 2:1"];
    assert_eq!(seen.0, expected);
}
