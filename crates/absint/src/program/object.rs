// SPDX-License-Identifier: MIT OR Apache-2.0
//! The objects that an analysis tells apart.

use clew_base::index_types;
use clew_ir::syntax::{BlockId, FuncId, GlobalId, LocalId, TypeId};
use rustc_hash::FxHashMap;

index_types! {
    /// An object of one analysis.
    ObjectId = "obj";
}
crate::map::handle_keys!(ObjectId);

pub use clew_ir::location::Location as Site;

/// What an object is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Object {
    /// A global.
    Global(GlobalId),
    /// A memory local of the running call of a function.
    Local(FuncId, LocalId),
    /// A memory local whose life has ended: what pointers to it point to from then on.
    DeadLocal(FuncId, LocalId),
    /// The last object made by an allocation, reached through these calls.
    Recent(Site, Option<Site>),
    /// All older objects of that allocation, as one.
    Older(Site, Option<Site>),
    /// What `alloca` made last at a statement.
    Alloca(Site),
    /// All that it made there before, as one.
    OlderAlloca(Site),
    /// A function.
    Function(FuncId),
    /// A label, for computed goto.
    Label(FuncId, BlockId),
    /// The unnamed arguments of the running call of a variadic function.
    VarArgs(FuncId),
    /// The record that a call returns, on its way to the caller.
    Returned(FuncId),
    /// Made up for an entry: what its pointer parameter (or a pointer found in such an object) points to.
    Input(Input),
}

/// An object that an entry's caller is thought to have made.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Input {
    /// What a parameter points to.
    Parameter {
        /// Which parameter.
        number: u32,
        /// The alignment of what is there.
        align: u32,
        /// It points to something const: callers may pass what must not be written.
        read_only: bool,
    },
    /// All other objects of a type that pointers found in such objects point to, as one, and their alignment.
    Others(TypeId, u32),
    /// `argv`'s array.
    ArgumentVector,
    /// The strings it points to, as one.
    ArgumentStrings,
    /// `envp`'s array.
    EnvironmentVector,
    /// The strings of the environment, as one.
    EnvironmentStrings,
}

/// The objects by number, in the order they were met: one analysis of one entry meets them in one order.
#[derive(Default)]
pub struct Objects {
    list: Vec<Object>,
    index: FxHashMap<Object, ObjectId>,
    heap: Vec<ObjectId>,
}

impl Objects {
    /// The number of an object.
    pub fn id(&mut self, object: Object) -> ObjectId {
        if let Some(id) = self.index.get(&object) {
            return *id;
        }
        let id = ObjectId(self.list.len() as u32);
        if matches!(object, Object::Recent(..) | Object::Older(..)) {
            self.heap.push(id);
        }
        self.list.push(object.clone());
        self.index.insert(object, id);
        id
    }

    /// The object of a number.
    pub fn get(&self, id: ObjectId) -> &Object {
        &self.list[id.0 as usize]
    }

    /// What allocations made.
    pub fn heap(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.heap.iter().copied()
    }

    /// The last objects of all allocations.
    pub fn recent(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let recent = |(at, object): (usize, &Object)| {
            matches!(object, Object::Recent(..) | Object::Alloca(_)).then_some(ObjectId(at as u32))
        };
        self.list.iter().enumerate().filter_map(recent)
    }

    /// What `alloca` made in a function.
    pub fn on_stack_of(&self, function: FuncId) -> Vec<ObjectId> {
        let made = self.list.iter().enumerate().filter(|(_, object)| match object {
            Object::Alloca(site) | Object::OlderAlloca(site) => site.function == function,
            _ => false,
        });
        made.map(|(at, _)| ObjectId(at as u32)).collect()
    }

    /// What a call of the program allocated.
    pub fn allocated_at(&self, call: Site) -> Vec<ObjectId> {
        let made = self.list.iter().enumerate().filter(|(_, object)| match object {
            Object::Recent(site, through) | Object::Older(site, through) => {
                *through == Some(call) || *site == call
            }
            _ => false,
        });
        made.map(|(at, _)| ObjectId(at as u32)).collect()
    }

    /// The number of an object that has been met.
    pub fn find(&self, object: &Object) -> Option<ObjectId> {
        self.index.get(object).copied()
    }
}
