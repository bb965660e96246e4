// SPDX-License-Identifier: MIT OR Apache-2.0
//! What callers promise of arguments beyond their types, and functions of their results: `nonnull`, `returns_nonnull`,
//! `[static n]`.

use rucc_ast::{ArraySize, Ast, AttrArg, AttrList, Decl, Declarator, Derived, Expr, ExprId, InitDeclarator};
use rucc_base::{Interner, Symbol};
use rustc_hash::FxHashMap;

/// What the declarations of one function promise.
#[derive(Clone, Default, Debug)]
pub(crate) struct Promises {
    /// The parameters that are not null, one bit each.
    pub(crate) nonnull: u64,
    /// Every parameter that is a pointer is not null.
    pub(crate) all_nonnull: bool,
    /// Parameters that lead to at least so many elements.
    pub(crate) elements: Vec<(u32, u64)>,
    /// The result is not null.
    pub(crate) returns_nonnull: bool,
    /// Something is promised whose meaning is not a number in the text: `[static n]`.
    pub(crate) unknown: bool,
}

/// The functions that are declared with promises.
pub(crate) fn promises(ast: &Ast, names: &Interner) -> FxHashMap<Symbol, Promises> {
    let both = |plain: &str, other: &str| [names.find(plain), names.find(other)];
    let reader = Reader {
        ast,
        nonnull: both("nonnull", "__nonnull__"),
        returns: both("returns_nonnull", "__returns_nonnull__"),
    };
    let mut found: FxHashMap<Symbol, Promises> = FxHashMap::default();
    let mut note = |name: Option<Symbol>, attributes: &[AttrList], declarator: &Declarator| {
        let Some(name) = name else { return };
        let mut promises = Promises::default();
        attributes.iter().for_each(|attributes| reader.attributes(*attributes, &mut promises));
        reader.parameters(declarator, &mut promises);
        if promises.is_some() {
            found.entry(name).or_default().add(promises);
        }
    };
    for decl in ast.top_level() {
        match ast[*decl] {
            Decl::Function { specs, declarator, .. } => {
                let declared = &ast[declarator];
                note(declared.name, &[ast[specs].attrs], declared);
            }
            Decl::Var { specs, declarators } => {
                for item in &ast[declarators] {
                    let InitDeclarator { declarator, attrs, .. } = item;
                    let declared = &ast[*declarator];
                    note(declared.name, &[ast[specs].attrs, *attrs], declared);
                }
            }
            _ => {}
        }
    }
    found
}

impl Promises {
    fn is_some(&self) -> bool {
        self.nonnull != 0
            || self.all_nonnull
            || self.returns_nonnull
            || self.unknown
            || !self.elements.is_empty()
    }

    fn add(&mut self, other: Promises) {
        self.nonnull |= other.nonnull;
        self.all_nonnull |= other.all_nonnull;
        self.returns_nonnull |= other.returns_nonnull;
        self.unknown |= other.unknown;
        let new: Vec<_> = other.elements.into_iter().filter(|it| !self.elements.contains(it)).collect();
        self.elements.extend(new);
    }
}

struct Reader<'a> {
    ast: &'a Ast,
    nonnull: [Option<Symbol>; 2],
    returns: [Option<Symbol>; 2],
}

impl Reader<'_> {
    fn attributes(&self, attributes: AttrList, promises: &mut Promises) {
        for attribute in &self.ast[attributes] {
            if self.returns.contains(&Some(attribute.name)) {
                promises.returns_nonnull = true;
            }
            if !self.nonnull.contains(&Some(attribute.name)) {
                continue;
            }
            let arguments = &self.ast[attribute.args];
            promises.all_nonnull |= arguments.is_empty();
            for argument in arguments {
                let number = match argument {
                    AttrArg::Expr(expr) => self.number(*expr),
                    AttrArg::Ident(_) => None,
                };
                match number.filter(|number| (1..=64).contains(number)) {
                    Some(number) => promises.nonnull |= 1 << (number - 1),
                    None => promises.unknown = true,
                }
            }
        }
    }

    fn parameters(&self, declarator: &Declarator, promises: &mut Promises) {
        // The list nearest to the name is the function's own.
        let lists = self.ast[declarator.derived].iter().find_map(|derived| match derived {
            Derived::Function { params, .. } => Some(*params),
            _ => None,
        });
        for (number, param) in lists.iter().flat_map(|list| &self.ast[*list]).enumerate() {
            let of_type = param.specs.map(|specs| self.ast[specs].attrs);
            let says_so =
                |list: AttrList| self.ast[list].iter().any(|a| self.nonnull.contains(&Some(a.name)));
            if says_so(param.attrs) || of_type.is_some_and(says_so) {
                promises.nonnull |= 1u64.checked_shl(number as u32).unwrap_or(0);
            }
            for derived in &self.ast[self.ast[param.declarator].derived] {
                let Derived::Array { size, has_static: true, .. } = derived else { continue };
                promises.nonnull |= 1u64.checked_shl(number as u32).unwrap_or(0);
                let count = match size {
                    ArraySize::Expr(expr) => self.number(*expr),
                    _ => None,
                };
                match count.and_then(|count| u64::try_from(count).ok()) {
                    Some(count) => promises.elements.push((number as u32, count)),
                    None => promises.unknown = true,
                }
            }
        }
    }

    fn number(&self, expr: ExprId) -> Option<u128> {
        match self.ast[expr] {
            Expr::Int(constant) => Some(self.ast[constant].value),
            _ => None,
        }
    }
}
