// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a function finds when it is called: its parameters, globals, and what these lead to.

use clew_base::int::IntType;
use clew_ir::syntax::{BlockId, GlobalId, GlobalKind, Linkage, LocalId, Program, Type, TypeId};
use clew_ir::types::Class;

use crate::linear::limits;

/// Something that holds a number or a pointer when a function begins.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Source {
    /// Where it is.
    pub place: Place,
    /// What it holds.
    pub kind: Kind,
}

/// Where a source is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// A parameter, from 0 on.
    Parameter(u32),
    /// A global, or a part of one so many bytes from its start.
    Global(GlobalId, i64),
    /// What stands so many bytes behind a pointer.
    Behind(Box<Source>, i64),
    /// How often the loop with this head was begun again: no part of a contract, only of what leads to one.
    Turns(BlockId),
    /// What a register holds at the head of a loop, while it is not known how it changes.
    Register(BlockId, LocalId),
}

/// What a source holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// An integer.
    Number {
        /// Bits of its type.
        bits: u16,
        /// Whether it may be negative.
        signed: bool,
    },
    /// A pointer to this.
    Pointer(TypeId),
}

impl Source {
    /// A source of this type; none for types that contracts do not speak of.
    pub fn new(program: &Program, place: Place, ty: TypeId) -> Option<Source> {
        let kind = match (program.types().get(ty), program.types().class(ty)) {
            (Type::Pointer(pointee), _) => Kind::Pointer(*pointee),
            (_, Class::Int(IntType { bits, signed })) if bits <= 64 => Kind::Number { bits, signed },
            _ => return None,
        };
        Some(Source { place, kind })
    }

    /// How often a loop was begun again.
    pub fn turns(head: BlockId) -> Source {
        Source { place: Place::Turns(head), kind: Kind::Number { bits: 63, signed: false } }
    }

    /// The least and the greatest number that it can hold.
    pub fn range(&self) -> (i128, i128) {
        match self.kind {
            Kind::Number { bits, signed } => limits(IntType { bits, signed }),
            Kind::Pointer(_) => (0, (1 << 64) - 1),
        }
    }

    /// Whether callers can name it.
    pub fn is_nameable(&self, program: &Program) -> bool {
        match &self.place {
            Place::Parameter(_) => true,
            Place::Global(global, _) => {
                let global = &program.globals[*global];
                global.kind == GlobalKind::Variable
                    && global.linkage != Linkage::Internal
                    && !global.is_of_models()
            }
            Place::Behind(pointer, _) => pointer.is_nameable(program),
            Place::Turns(_) | Place::Register(..) => false,
        }
    }

    /// Whether it, or what leads to it, is such a place.
    pub fn mentions(&self, place: &Place) -> bool {
        self.place == *place || matches!(&self.place, Place::Behind(inner, _) if inner.mentions(place))
    }

    /// Bytes of what it points to, at least one.
    pub fn element_bytes(&self, program: &Program) -> i128 {
        match self.kind {
            Kind::Pointer(pointee) => i128::from(program.types().size_of(pointee).max(1)),
            Kind::Number { .. } => 1,
        }
    }
}
