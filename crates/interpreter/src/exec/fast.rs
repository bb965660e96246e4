// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fast loop: operations on registers and memory where nothing is out of the ordinary.

use std::rc::Rc;

use clew_base::index::Idx;
use clew_ir::syntax::{FuncId, ObligationId, UnorderedMarker};

use super::regions::Regions;
use crate::code::{CalleeSite, Cases, Code, Op, Reg, SwitchTable, Target};
use crate::machine::Frame;
use crate::memory::Memory;
use crate::value::{Pointer, Provenance};

/// Slots that an operation can name, and one more for the second half of a pair.
pub const WINDOW: usize = 65_537;

/// Why the loop was left. The operation that left is the current one and has had no effect.
pub enum Exit {
    /// The site of the operation says what to do.
    Slow,
    /// A call, by its site.
    Call(u32),
    /// A return of `b` slots from `a` on.
    Return(Reg, Reg),
    /// The allowed number of steps was taken.
    Fuel,
    /// Whether accesses are logged changed: go on at the current operation, which has not run.
    Again,
}

/// What the fast loop works on: parts of the machine.
pub struct State<'a> {
    /// Compiled functions.
    pub codes: &'a [Option<Rc<Code>>],
    /// All frames' registers.
    pub registers: &'a mut [u64],
    /// The frames; the last runs.
    pub frames: &'a mut Vec<Frame>,
    /// All objects.
    pub memory: &'a mut Memory,
    /// Regions of unordered calls, with the log of accesses.
    pub regions: &'a mut Regions,
    /// Steps that may still be taken.
    pub fuel: &'a mut u64,
    /// C stack in use, and how much there is.
    pub stack_used: &'a mut u64,
    /// How much C stack there is.
    pub stack_limit: u64,
    /// How many objects the frames have.
    pub objects: usize,
    /// The loop ends when only so many frames are left.
    pub floor: usize,
}

/// Runs the innermost frame, and those that it calls, until something is out of the ordinary. With `LOG`, accesses are
/// logged.
pub fn run<const LOG: bool>(state: State<'_>) -> Exit {
    let State { codes, registers, frames, memory, regions, fuel, stack_used, stack_limit, objects, floor } =
        state;
    let code_of = |function: FuncId| codes.get(function.index()).and_then(|code| code.as_deref());
    let Some(frame) = frames.last() else { return Exit::Slow };
    let (mut pc, mut base) = (frame.pc as usize, frame.base);
    let Some(mut code) = code_of(frame.function) else { return Exit::Slow };
    let mut ops = code.ops.as_slice();
    let Some(mut w) = registers.get_mut(base..).and_then(|r| r.first_chunk_mut::<WINDOW>()) else {
        return Exit::Slow;
    };

    macro_rules! exit {
        ($exit:expr) => {{
            if let Some(frame) = frames.last_mut() {
                frame.pc = pc as u32;
            }
            return $exit;
        }};
    }
    macro_rules! r {
        ($reg:expr) => {
            w[usize::from($reg)]
        };
    }
    macro_rules! leave {
        () => {
            exit!(Exit::Slow)
        };
    }
    macro_rules! jump {
        ($target:expr) => {{
            *fuel = fuel.wrapping_sub(1);
            if *fuel == 0 {
                // Nothing has changed yet, so that the jump can be done again with more fuel.
                exit!(Exit::Fuel);
            }
            pc = $target as usize;
            continue;
        }};
    }
    macro_rules! jump_if {
        ($condition:expr, $target:expr) => {
            if $condition {
                jump!($target)
            }
        };
    }
    macro_rules! checked {
        ($d:expr, $result:expr) => {
            match $result {
                Some(value) => r!($d) = value as i64 as u64,
                None => leave!(),
            }
        };
    }
    macro_rules! finite {
        ($d:expr, $result:expr) => {{
            let result = $result;
            if !result.is_finite() {
                leave!();
            }
            r!($d) = result.to_bits().into();
        }};
    }
    macro_rules! ordered {
        ($d:expr, $a:expr, $b:expr, $op:tt) => {{
            let (a, b) = ($a, $b);
            if a.is_nan() || b.is_nan() {
                leave!();
            }
            r!($d) = u64::from(a $op b);
        }};
    }
    macro_rules! load {
        ($d:expr, $a:expr, $addr:expr, $ty:ty, $as:ty) => {{
            const N: usize = size_of::<$ty>();
            let addr = $addr;
            if addr & (N as u64 - 1) != 0 {
                leave!();
            }
            let Some(bytes) = memory.load::<N>(addr, Provenance(w[usize::from($a) + 1])) else { leave!() };
            if LOG {
                regions.log.push(addr, N as u64, false);
            }
            r!($d) = <$ty>::from_le_bytes(bytes) as $as as u64;
        }};
    }
    macro_rules! load_pointer {
        ($d:expr, $a:expr, $addr:expr) => {{
            let addr = $addr;
            if addr & 7 != 0 {
                leave!();
            }
            let Some(pointer) = memory.load_pointer(addr, Provenance(w[usize::from($a) + 1])) else {
                leave!()
            };
            if LOG {
                regions.log.push(addr, 8, false);
            }
            r!($d) = pointer.addr;
            w[usize::from($d) + 1] = pointer.prov.0;
        }};
    }
    macro_rules! store {
        ($d:expr, $a:expr, $addr:expr, $ty:ty) => {{
            const N: usize = size_of::<$ty>();
            let addr = $addr;
            if addr & (N as u64 - 1) != 0 {
                leave!();
            }
            let bytes = (r!($d) as $ty).to_le_bytes();
            if !memory.store::<N>(addr, Provenance(w[usize::from($a) + 1]), bytes) {
                leave!();
            }
            if LOG {
                regions.log.push(addr, N as u64, true);
            }
        }};
    }
    macro_rules! store_pointer {
        ($d:expr, $a:expr, $addr:expr) => {{
            let addr = $addr;
            let value = Pointer { addr: r!($d), prov: Provenance(w[usize::from($d) + 1]) };
            if addr & 7 != 0 || !memory.store_pointer(addr, Provenance(w[usize::from($a) + 1]), value) {
                leave!();
            }
            if LOG {
                regions.log.push(addr, 8, true);
            }
        }};
    }
    macro_rules! at {
        ($a:expr, $x:expr) => {
            r!($a).wrapping_add($x as i64 as u64)
        };
        ($a:expr, $b:expr, $x:expr) => {
            r!($a).wrapping_add(r!($b).wrapping_mul(u64::from($x)))
        };
    }
    macro_rules! f64 {
        ($reg:expr) => {
            f64::from_bits(r!($reg))
        };
    }
    macro_rules! f32 {
        ($reg:expr) => {
            f32::from_bits(r!($reg) as u32)
        };
    }
    macro_rules! int32 {
        ($value:expr) => {
            $value as i32 as i64 as u64
        };
    }
    macro_rules! signed {
        ($reg:expr) => {
            (r!($reg) as i64)
        };
    }

    loop {
        let Some(op) = ops.get(pc) else { leave!() };
        match *op {
            Op::Mov { d, a } => r!(d) = r!(a),
            Op::Mov2 { d, a } => {
                let high = w[usize::from(a) + 1];
                r!(d) = r!(a);
                w[usize::from(d) + 1] = high;
            }
            Op::Const { d, x } => r!(d) = x as i64 as u64,
            Op::ConstLong { d, x } => r!(d) = code.pool[x as usize],
            Op::ConstPair { d, x } => {
                r!(d) = code.pool[x as usize];
                w[usize::from(d) + 1] = code.pool[x as usize + 1];
            }

            Op::Add32 { d, a, b } => r!(d) = int32!(r!(a).wrapping_add(r!(b))),
            Op::Add32u { d, a, b } => r!(d) = u64::from(r!(a).wrapping_add(r!(b)) as u32),
            Op::Add64 { d, a, b } => r!(d) = r!(a).wrapping_add(r!(b)),
            Op::AddC32 { d, a, b } => checked!(d, (r!(a) as i32).checked_add(r!(b) as i32)),
            Op::AddC64 { d, a, b } => checked!(d, signed!(a).checked_add(signed!(b))),
            Op::Sub32 { d, a, b } => r!(d) = int32!(r!(a).wrapping_sub(r!(b))),
            Op::Sub32u { d, a, b } => r!(d) = u64::from(r!(a).wrapping_sub(r!(b)) as u32),
            Op::Sub64 { d, a, b } => r!(d) = r!(a).wrapping_sub(r!(b)),
            Op::SubC32 { d, a, b } => checked!(d, (r!(a) as i32).checked_sub(r!(b) as i32)),
            Op::SubC64 { d, a, b } => checked!(d, signed!(a).checked_sub(signed!(b))),
            Op::Mul32 { d, a, b } => r!(d) = int32!(r!(a).wrapping_mul(r!(b))),
            Op::Mul32u { d, a, b } => r!(d) = u64::from(r!(a).wrapping_mul(r!(b)) as u32),
            Op::Mul64 { d, a, b } => r!(d) = r!(a).wrapping_mul(r!(b)),
            Op::MulC32 { d, a, b } => checked!(d, (r!(a) as i32).checked_mul(r!(b) as i32)),
            Op::MulC64 { d, a, b } => checked!(d, signed!(a).checked_mul(signed!(b))),
            Op::Div32 { d, a, b } => checked!(d, (r!(a) as i32).checked_div(r!(b) as i32)),
            Op::Div64 { d, a, b } => checked!(d, signed!(a).checked_div(signed!(b))),
            Op::DivU { d, a, b } => checked!(d, r!(a).checked_div(r!(b))),
            Op::Rem32 { d, a, b } => checked!(d, (r!(a) as i32).checked_rem(r!(b) as i32)),
            Op::Rem64 { d, a, b } => checked!(d, signed!(a).checked_rem(signed!(b))),
            Op::RemU { d, a, b } => checked!(d, r!(a).checked_rem(r!(b))),
            Op::And { d, a, b } => r!(d) = r!(a) & r!(b),
            Op::Or { d, a, b } => r!(d) = r!(a) | r!(b),
            Op::Xor { d, a, b } => r!(d) = r!(a) ^ r!(b),
            Op::Shl32 { d, a, b } => checked!(d, shl32(r!(a), r!(b))),
            Op::Shl32u { d, a, b } => {
                if r!(b) >= 32 {
                    leave!();
                }
                r!(d) = u64::from((r!(a) as u32) << r!(b));
            }
            Op::Shl64 { d, a, b } => checked!(d, shl64(r!(a), r!(b))),
            Op::Shl64u { d, a, b } => {
                if r!(b) >= 64 {
                    leave!();
                }
                r!(d) = r!(a) << r!(b);
            }
            Op::Shr32 { d, a, b } => {
                if r!(b) >= 32 {
                    leave!();
                }
                r!(d) = (signed!(a) >> r!(b)) as u64;
            }
            Op::Shr32u { d, a, b } => {
                if r!(b) >= 32 {
                    leave!();
                }
                r!(d) = r!(a) >> r!(b);
            }
            Op::Shr64 { d, a, b } => {
                if r!(b) >= 64 {
                    leave!();
                }
                r!(d) = (signed!(a) >> r!(b)) as u64;
            }
            Op::Shr64u { d, a, b } => {
                if r!(b) >= 64 {
                    leave!();
                }
                r!(d) = r!(a) >> r!(b);
            }

            Op::Add32I { d, a, x } => r!(d) = int32!((r!(a) as i32).wrapping_add(x)),
            Op::Add32uI { d, a, x } => r!(d) = u64::from((r!(a) as u32).wrapping_add(x as u32)),
            Op::Add64I { d, a, x } => r!(d) = at!(a, x),
            Op::AddC32I { d, a, x } => checked!(d, (r!(a) as i32).checked_add(x)),
            Op::AddC64I { d, a, x } => checked!(d, signed!(a).checked_add(i64::from(x))),
            Op::Mul32I { d, a, x } => r!(d) = int32!((r!(a) as i32).wrapping_mul(x)),
            Op::Mul32uI { d, a, x } => r!(d) = u64::from((r!(a) as u32).wrapping_mul(x as u32)),
            Op::Mul64I { d, a, x } => r!(d) = r!(a).wrapping_mul(x as i64 as u64),
            Op::MulC32I { d, a, x } => checked!(d, (r!(a) as i32).checked_mul(x)),
            Op::MulC64I { d, a, x } => checked!(d, signed!(a).checked_mul(i64::from(x))),
            Op::DivI { d, a, x } => checked!(d, signed!(a).checked_div(i64::from(x))),
            Op::RemI { d, a, x } => checked!(d, signed!(a).checked_rem(i64::from(x))),
            Op::DivUI { d, a, x } => checked!(d, r!(a).checked_div(u64::from(x))),
            Op::RemUI { d, a, x } => checked!(d, r!(a).checked_rem(u64::from(x))),
            Op::AndI { d, a, x } => r!(d) = r!(a) & x as i64 as u64,
            Op::OrI { d, a, x } => r!(d) = r!(a) | x as i64 as u64,
            Op::XorI { d, a, x } => r!(d) = r!(a) ^ x as i64 as u64,
            Op::Shl32I { d, a, x } => checked!(d, shl32(r!(a), u64::from(x))),
            Op::Shl32uI { d, a, x } => r!(d) = u64::from((r!(a) as u32).wrapping_shl(x)),
            Op::Shl64I { d, a, x } => checked!(d, shl64(r!(a), u64::from(x))),
            Op::Shl64uI { d, a, x } => r!(d) = r!(a).wrapping_shl(x),
            Op::ShrI { d, a, x } => r!(d) = signed!(a).wrapping_shr(x) as u64,
            Op::ShrUI { d, a, x } => r!(d) = r!(a).wrapping_shr(x),

            Op::Eq { d, a, b } => r!(d) = u64::from(r!(a) == r!(b)),
            Op::Ne { d, a, b } => r!(d) = u64::from(r!(a) != r!(b)),
            Op::LtS { d, a, b } => r!(d) = u64::from(signed!(a) < signed!(b)),
            Op::LeS { d, a, b } => r!(d) = u64::from(signed!(a) <= signed!(b)),
            Op::LtU { d, a, b } => r!(d) = u64::from(r!(a) < r!(b)),
            Op::LeU { d, a, b } => r!(d) = u64::from(r!(a) <= r!(b)),
            Op::EqI { d, a, x } => r!(d) = u64::from(signed!(a) == i64::from(x)),
            Op::NeI { d, a, x } => r!(d) = u64::from(signed!(a) != i64::from(x)),
            Op::LtSI { d, a, x } => r!(d) = u64::from(signed!(a) < i64::from(x)),
            Op::LeSI { d, a, x } => r!(d) = u64::from(signed!(a) <= i64::from(x)),
            Op::GtSI { d, a, x } => r!(d) = u64::from(signed!(a) > i64::from(x)),
            Op::GeSI { d, a, x } => r!(d) = u64::from(signed!(a) >= i64::from(x)),

            Op::AddF64 { d, a, b } => finite!(d, f64!(a) + f64!(b)),
            Op::SubF64 { d, a, b } => finite!(d, f64!(a) - f64!(b)),
            Op::MulF64 { d, a, b } => finite!(d, f64!(a) * f64!(b)),
            Op::DivF64 { d, a, b } => finite!(d, f64!(a) / f64!(b)),
            Op::AddF32 { d, a, b } => finite!(d, f32!(a) + f32!(b)),
            Op::SubF32 { d, a, b } => finite!(d, f32!(a) - f32!(b)),
            Op::MulF32 { d, a, b } => finite!(d, f32!(a) * f32!(b)),
            Op::DivF32 { d, a, b } => finite!(d, f32!(a) / f32!(b)),
            Op::EqF64 { d, a, b } => r!(d) = u64::from(f64!(a) == f64!(b)),
            Op::NeF64 { d, a, b } => r!(d) = u64::from(f64!(a) != f64!(b)),
            Op::LtF64 { d, a, b } => ordered!(d, f64!(a), f64!(b), <),
            Op::LeF64 { d, a, b } => ordered!(d, f64!(a), f64!(b), <=),
            Op::EqF32 { d, a, b } => r!(d) = u64::from(f32!(a) == f32!(b)),
            Op::NeF32 { d, a, b } => r!(d) = u64::from(f32!(a) != f32!(b)),
            Op::LtF32 { d, a, b } => ordered!(d, f32!(a), f32!(b), <),
            Op::LeF32 { d, a, b } => ordered!(d, f32!(a), f32!(b), <=),

            Op::SExt { d, a, x } => r!(d) = (r!(a).wrapping_shl(x) as i64).wrapping_shr(x) as u64,
            Op::ZExt { d, a, x } => r!(d) = r!(a).wrapping_shl(x).wrapping_shr(x),
            Op::I64F64 { d, a } => r!(d) = (signed!(a) as f64).to_bits(),
            Op::U64F64 { d, a } => r!(d) = (r!(a) as f64).to_bits(),
            Op::I64F32 { d, a } => r!(d) = (signed!(a) as f32).to_bits().into(),
            Op::U64F32 { d, a } => r!(d) = (r!(a) as f32).to_bits().into(),
            Op::F64I { d, a, x } => {
                let value = f64!(a);
                let limit = power_of_two(x - 1);
                if !(value > -limit - 1.0 && value < limit) {
                    leave!();
                }
                r!(d) = value as i64 as u64;
            }
            Op::F64U { d, a, x } => {
                let value = f64!(a);
                if !(value > -1.0 && value < power_of_two(x)) {
                    leave!();
                }
                r!(d) = value as u64;
            }
            Op::F32F64 { d, a } => r!(d) = f64::from(f32!(a)).to_bits(),
            Op::F64F32 { d, a } => finite!(d, f64!(a) as f32),
            Op::PtrToInt { d, a } => {
                memory.expose(Provenance(w[usize::from(a) + 1]));
                r!(d) = r!(a);
            }
            Op::IntToPtr { d, a } => {
                let pointer = memory.recover(r!(a));
                r!(d) = pointer.addr;
                w[usize::from(d) + 1] = pointer.prov.0;
            }

            Op::PtrAdd { d, a, b, x } => {
                let prov = w[usize::from(a) + 1];
                r!(d) = at!(a, b, x);
                w[usize::from(d) + 1] = prov;
            }
            Op::PtrAddI { d, a, x } => {
                let prov = w[usize::from(a) + 1];
                r!(d) = at!(a, x);
                w[usize::from(d) + 1] = prov;
            }
            Op::PtrDiff { d, a, b, x } => {
                let distance = r!(a).wrapping_sub(r!(b)) as i64;
                checked!(d, distance.checked_div(i64::from(x)));
            }

            Op::Load8 { d, a, x } => load!(d, a, at!(a, x), i8, i64),
            Op::Load8u { d, a, x } => load!(d, a, at!(a, x), u8, u64),
            Op::Load16 { d, a, x } => load!(d, a, at!(a, x), i16, i64),
            Op::Load16u { d, a, x } => load!(d, a, at!(a, x), u16, u64),
            Op::Load32 { d, a, x } => load!(d, a, at!(a, x), i32, i64),
            Op::Load32u { d, a, x } => load!(d, a, at!(a, x), u32, u64),
            Op::Load64 { d, a, x } => load!(d, a, at!(a, x), u64, u64),
            Op::LoadPtr { d, a, x } => load_pointer!(d, a, at!(a, x)),
            Op::LoadX8 { d, a, b, x } => load!(d, a, at!(a, b, x), i8, i64),
            Op::LoadX8u { d, a, b, x } => load!(d, a, at!(a, b, x), u8, u64),
            Op::LoadX16 { d, a, b, x } => load!(d, a, at!(a, b, x), i16, i64),
            Op::LoadX16u { d, a, b, x } => load!(d, a, at!(a, b, x), u16, u64),
            Op::LoadX32 { d, a, b, x } => load!(d, a, at!(a, b, x), i32, i64),
            Op::LoadX32u { d, a, b, x } => load!(d, a, at!(a, b, x), u32, u64),
            Op::LoadX64 { d, a, b, x } => load!(d, a, at!(a, b, x), u64, u64),
            Op::LoadXPtr { d, a, b, x } => load_pointer!(d, a, at!(a, b, x)),
            Op::Store8 { d, a, x } => store!(d, a, at!(a, x), u8),
            Op::Store16 { d, a, x } => store!(d, a, at!(a, x), u16),
            Op::Store32 { d, a, x } => store!(d, a, at!(a, x), u32),
            Op::Store64 { d, a, x } => store!(d, a, at!(a, x), u64),
            Op::StorePtr { d, a, x } => store_pointer!(d, a, at!(a, x)),
            Op::StoreX8 { d, a, b, x } => store!(d, a, at!(a, b, x), u8),
            Op::StoreX16 { d, a, b, x } => store!(d, a, at!(a, b, x), u16),
            Op::StoreX32 { d, a, b, x } => store!(d, a, at!(a, b, x), u32),
            Op::StoreX64 { d, a, b, x } => store!(d, a, at!(a, b, x), u64),
            Op::StoreXPtr { d, a, b, x } => store_pointer!(d, a, at!(a, b, x)),

            Op::Select { d, a, b, x } => {
                r!(d) = if r!(a) != 0 { r!(b) } else { r!(x as Reg) };
            }
            Op::Select2 { d, a, b, x } => {
                let from = usize::from(if r!(a) != 0 { b } else { x as Reg });
                let (low, high) = (w[from], w[from + 1]);
                r!(d) = low;
                w[usize::from(d) + 1] = high;
            }
            Op::CheckNonZero { a } => {
                if r!(a) == 0 {
                    leave!();
                }
            }
            Op::CheckFull { a } => {
                if r!(a) != u64::MAX {
                    leave!();
                }
            }
            Op::CheckBelow { a, x } => {
                if r!(a) >= u64::from(x) {
                    leave!();
                }
            }
            Op::CheckSame { a, b } => {
                if w[usize::from(a) + 1] != w[usize::from(b) + 1] {
                    leave!();
                }
            }
            Op::Slow => leave!(),
            Op::Region { marker, x } => {
                let (region, depth) = (ObligationId(x), frames.len());
                if !LOG {
                    if !regions.skips(marker, region, depth) {
                        leave!();
                    }
                } else {
                    match marker {
                        UnorderedMarker::Begin => regions.begin(region, depth),
                        UnorderedMarker::Next => regions.next(region, depth),
                        UnorderedMarker::Back => regions.back(region, depth),
                        UnorderedMarker::End => {
                            if !regions.end_quietly(region, depth) {
                                leave!();
                            }
                            if !regions.active() {
                                pc += 1;
                                exit!(Exit::Again);
                            }
                        }
                    }
                }
            }

            Op::Jump { x } => jump!(x),
            Op::JumpNonZero { a, x } => jump_if!(r!(a) != 0, x),
            Op::JumpZero { a, x } => jump_if!(r!(a) == 0, x),
            Op::JumpEq { a, b, x } => jump_if!(r!(a) == r!(b), x),
            Op::JumpNe { a, b, x } => jump_if!(r!(a) != r!(b), x),
            Op::JumpLtS { a, b, x } => jump_if!(signed!(a) < signed!(b), x),
            Op::JumpLeS { a, b, x } => jump_if!(signed!(a) <= signed!(b), x),
            Op::JumpLtU { a, b, x } => jump_if!(r!(a) < r!(b), x),
            Op::JumpLeU { a, b, x } => jump_if!(r!(a) <= r!(b), x),
            Op::JumpEqI { a, b, x } => jump_if!(signed!(a) == i64::from(b), x),
            Op::JumpNeI { a, b, x } => jump_if!(signed!(a) != i64::from(b), x),
            Op::JumpLtSI { a, b, x } => jump_if!(signed!(a) < i64::from(b), x),
            Op::JumpLeSI { a, b, x } => jump_if!(signed!(a) <= i64::from(b), x),
            Op::JumpGtSI { a, b, x } => jump_if!(signed!(a) > i64::from(b), x),
            Op::JumpGeSI { a, b, x } => jump_if!(signed!(a) >= i64::from(b), x),
            Op::Switch { a, x } => {
                let target = look_up(&code.switches[x as usize], r!(a));
                jump!(target);
            }
            Op::Call { x } => {
                let site = &code.calls[x as usize];
                let callee = match site.callee {
                    CalleeSite::Body(function) => Some(function),
                    CalleeSite::Native(_) => None,
                    CalleeSite::Indirect(a) => {
                        memory.function(Pointer { addr: r!(a), prov: Provenance(w[usize::from(a) + 1]) })
                    }
                };
                let ready = callee.and_then(|function| Some((function, code_of(function)?)));
                let Some((function, next)) =
                    ready.filter(|(_, next)| site.conforming && next.ty == site.signature)
                else {
                    exit!(Exit::Call(x));
                };
                let next_base = base + code.slots as usize + 2;
                let needed = stack_used.saturating_add(next.stack_bytes);
                if needed > stack_limit || registers.len() < next_base + WINDOW {
                    exit!(Exit::Call(x));
                }
                // The callee's window begins inside the caller's, or right behind it: one slice holds both.
                let mut to = next_base;
                for argument in &site.arguments {
                    let from = base + usize::from(argument.a);
                    registers[to] = registers[from];
                    to += 1;
                    if argument.rep.is_none_or(|rep| rep.slots() == 2) {
                        registers[to] = registers[from + 1];
                        to += 1;
                    }
                }
                if let Some(frame) = frames.last_mut() {
                    frame.pc = pc as u32;
                }
                let Some(next_code) = &codes[function.index()] else { exit!(Exit::Call(x)) };
                frames.push(Frame {
                    function,
                    code: next_code.clone(),
                    pc: 0,
                    base: next_base,
                    objects,
                    stack_before: std::mem::replace(stack_used, needed),
                    unnamed: Pointer::NULL,
                    result_place: None,
                    result_used: !matches!(site.result, Target::None),
                });
                (code, ops, base, pc) = (next, next.ops.as_slice(), next_base, 0);
                let Some(window) = registers.get_mut(base..).and_then(|r| r.first_chunk_mut::<WINDOW>())
                else {
                    return Exit::Slow;
                };
                w = window;
                continue;
            }
            Op::Return { a, b } => {
                let depth = frames.len();
                if depth <= floor + 1 {
                    exit!(Exit::Return(a, b));
                }
                let (frame, caller) = (&frames[depth - 1], &frames[depth - 2]);
                let Some(caller_code) = code_of(caller.function) else { exit!(Exit::Return(a, b)) };
                let Op::Call { x } = caller_code.ops[caller.pc as usize] else { exit!(Exit::Return(a, b)) };
                let site = &caller_code.calls[x as usize];
                if frame.objects != objects || !site.conforming || code.ty != site.signature {
                    exit!(Exit::Return(a, b));
                }
                let value = if b == 0 { [0; 2] } else { [r!(a), w[usize::from(a) + 1]] };
                *stack_used = frame.stack_before;
                (base, pc) = (caller.base, caller.pc as usize + 1);
                (code, ops) = (caller_code, caller_code.ops.as_slice());
                frames.pop();
                let Some(window) = registers.get_mut(base..).and_then(|r| r.first_chunk_mut::<WINDOW>())
                else {
                    return Exit::Slow;
                };
                w = window;
                if let Target::Register(reg, rep) = site.result {
                    r!(reg) = value[0];
                    if rep.slots() == 2 {
                        w[usize::from(reg) + 1] = value[1];
                    }
                }
                continue;
            }
        }
        pc += 1;
    }
}

/// A left shift of an `int` that C defines.
#[inline(always)]
fn shl32(value: u64, count: u64) -> Option<i32> {
    let value = value as i32;
    if count >= 32 || value < 0 {
        return None;
    }
    let shifted = value << count;
    (shifted >> count == value).then_some(shifted)
}

/// A left shift of a `long` that C defines.
#[inline(always)]
fn shl64(value: u64, count: u64) -> Option<i64> {
    let value = value as i64;
    if count >= 64 || value < 0 {
        return None;
    }
    let shifted = value << count;
    (shifted >> count == value).then_some(shifted)
}

/// `2^exponent`, for exponents below 1024.
#[inline(always)]
fn power_of_two(exponent: u32) -> f64 {
    f64::from_bits(u64::from(1023 + exponent) << 52)
}

/// Where a switch leads.
fn look_up(table: &SwitchTable, value: u64) -> u32 {
    let key = (value ^ table.flip) as i64;
    match &table.cases {
        Cases::Dense { first, targets } => {
            // Below the first wraps to a number beyond the last.
            let index = key.wrapping_sub(*first) as u64;
            targets.get(usize::try_from(index).unwrap_or(usize::MAX)).copied().unwrap_or(table.default)
        }
        Cases::Sparse(ranges) => {
            let after = ranges.partition_point(|range| range.0 <= key);
            match after.checked_sub(1).map(|i| ranges[i]) {
                Some((_, last, target)) if key <= last => target,
                _ => table.default,
            }
        }
    }
}
