// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory without a program: what accesses, copies and deaths do.

use super::*;

fn memory() -> Memory {
    Memory::new(8, 1 << 20)
}

fn object(memory: &mut Memory, size: u64, kind: Kind) -> Pointer {
    let new = NewObject {
        size,
        align: 1,
        kind,
        name: Name::Unnamed("an object"),
        initialised: false,
        writable: true,
        born: TraceId(0),
    };
    memory.alloc(new).expect("there is memory")
}

#[test]
fn objects_are_apart_and_aligned() {
    let mut memory = memory();
    let (a, b) = (object(&mut memory, 5, Kind::Heap), object(&mut memory, 5, Kind::Heap));
    assert!(b.addr >= a.addr + 5 + 32);
    assert!(a.addr.is_multiple_of(16) && b.addr.is_multiple_of(16));
}

#[test]
fn a_pointer_that_wandered_into_a_neighbour_is_out_of_bounds() {
    let mut memory = memory();
    let (a, b) = (object(&mut memory, 8, Kind::Heap), object(&mut memory, 8, Kind::Heap));
    let wandered = a.add(b.addr - a.addr);
    assert_eq!(memory.judge(wandered, 4, true), Err(Fault::OutOfBounds));
    assert!(!memory.store(wandered.addr, wandered.prov, [1u8; 4]));
    assert_eq!(memory.judge(b, 8, true), Ok(()));
}

#[test]
fn bytes_are_uninitialised_until_written_and_copies_carry_that_along() {
    let mut memory = memory();
    let (a, b) = (object(&mut memory, 8, Kind::Stack), object(&mut memory, 8, Kind::Stack));
    assert_eq!(memory.load::<4>(a.addr, a.prov), None);
    assert!(memory.store(a.addr, a.prov, 7u32.to_le_bytes()));
    assert_eq!(memory.load::<4>(a.addr, a.prov), Some(7u32.to_le_bytes()));
    memory.copy(b, a, 8);
    assert!(memory.is_initialised(b, 4, None));
    assert!(!memory.is_initialised(b.add(4), 4, None));
}

#[test]
fn bit_fields_are_initialised_bit_by_bit() {
    let mut memory = memory();
    let a = object(&mut memory, 1, Kind::Stack);
    memory.write(a, &[0x0f]);
    memory.set_mask(a, &[0x0f]);
    assert!(memory.is_initialised(a, 1, Some((0, 4))));
    assert!(!memory.is_initialised(a, 1, Some((3, 2))));
}

#[test]
fn pointers_keep_their_provenance_through_copies() {
    let mut memory = memory();
    let (cell, copy) = (object(&mut memory, 16, Kind::Stack), object(&mut memory, 16, Kind::Stack));
    let target = object(&mut memory, 4, Kind::Heap);
    assert!(memory.store_pointer(cell.addr + 8, cell.prov, target));
    memory.copy(copy, cell, 16);
    assert_eq!(memory.load_pointer(copy.addr + 8, copy.prov), Some(target));
    // Copied byte by byte, the address leads back to the object.
    for i in 8..16 {
        memory.expose_words(cell.addr + i, cell.prov, 1);
        let byte = memory.bytes(cell.add(i), 1).map(<[u8]>::to_vec).unwrap_or_default();
        memory.write(copy.add(i), &byte);
    }
    assert_eq!(memory.read_pointer(copy.add(8)), target);
}

#[test]
fn an_overwritten_pointer_is_gone() {
    let mut memory = memory();
    let cell = object(&mut memory, 8, Kind::Stack);
    let target = object(&mut memory, 4, Kind::Heap);
    assert!(memory.store_pointer(cell.addr, cell.prov, target));
    assert_eq!(memory.load::<8>(cell.addr, cell.prov), None, "a pointer's bytes take the slow path");
    assert!(memory.store(cell.addr, cell.prov, target.addr.to_le_bytes()));
    assert_eq!(memory.load_pointer(cell.addr, cell.prov), None);
    assert!(memory.read_pointer(cell).prov.is_none(), "nobody exposed the object");
}

#[test]
fn dead_objects_stay_known_until_their_slot_is_needed() {
    let mut memory = memory();
    let a = object(&mut memory, 4, Kind::Heap);
    memory.kill(a.prov, TraceId(9));
    assert_eq!(memory.judge(a, 1, false), Err(Fault::Dead));
    assert_eq!(memory.object(a.prov).map(|o| o.died), Some(TraceId(9)));
    let b = object(&mut memory, 4, Kind::Heap);
    assert_ne!(a.addr, b.addr);
    assert!(memory.live(a.prov).is_none() && memory.live(b.prov).is_some());
}

#[test]
fn lost_objects_are_those_that_nothing_reaches() {
    let mut memory = memory();
    let root = object(&mut memory, 8, Kind::Static);
    let (kept, inner, lost) = (
        object(&mut memory, 8, Kind::Heap),
        object(&mut memory, 8, Kind::Heap),
        object(&mut memory, 8, Kind::Heap),
    );
    assert!(memory.store_pointer(root.addr, root.prov, kept));
    assert!(memory.store_pointer(kept.addr, kept.prov, inner));
    assert!(memory.store_pointer(lost.addr, lost.prov, lost));
    assert_eq!(memory.lost(std::iter::empty()), [lost.prov]);
    assert_eq!(memory.lost(std::iter::once(lost.prov)), []);
}

#[test]
fn memory_ends() {
    let mut memory = memory();
    let new = NewObject {
        size: 2 << 20,
        align: 16,
        kind: Kind::Heap,
        name: Name::Unnamed("too much"),
        initialised: true,
        writable: true,
        born: TraceId(0),
    };
    assert_eq!(memory.alloc(new), None);
    assert_eq!(memory.alloc(NewObject { size: u64::MAX, ..new }), None);
}
