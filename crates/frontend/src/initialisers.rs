// SPDX-License-Identifier: MIT OR Apache-2.0
//! Initialisers with designators: what a later one takes back from those before it.
//!
//! rucc lists the values of an initialiser at their offsets, in the order they are written, and forgets the braces.
//! But `.b = {1}` also clears what `.b.v = 3` said before, a member of a union drops the one before it, and a value
//! that another replaces is not evaluated at all (C 6.7.9, paragraph 19, as gcc reads it). The braces are still in
//! the untyped tree: it is walked once more beside the list, and the list is written anew, without overlaps and in
//! the order of members, which is gcc's order of evaluation.

use std::collections::BTreeMap;

use rucc_ast::{Ast, Designator, Init, InitId, InitItem, InitItemList};
use rucc_base::{Idx, Interner, Symbol};
use rucc_diag::Span;
use rucc_sema::{DeclId, Eval, ExprId, ExprKind, InitEntry, StorageDuration, Tast};
use rucc_target::TargetInfo;
use rucc_types::{ArrayLen, RecordId, RecordKind, TypeId, TypeKind, Types};
use rustc_hash::{FxHashMap, FxHashSet};

/// More values than this in one initialiser are not written out again and again for ranges.
const MOST_VALUES: usize = 1 << 22;

/// Writes the lists of all initialisers with designators anew. The declarations that it does not understand come
/// back: nothing is known of their values.
pub(crate) fn settle(
    ast: &Ast,
    tast: &mut Tast,
    types: &Types,
    target: &TargetInfo,
    names: &Interner,
) -> FxHashSet<DeclId> {
    let written = Written::new(ast);
    let mut unsure = FxHashSet::default();
    if written.is_empty() {
        return unsure;
    }
    let by_span = indices(&written, ast, tast);
    let mut settled = Vec::new();
    for number in 0..tast.counts().decls {
        let id: DeclId = Idx::from_usize(number);
        let Some(list) = tast[id].init else { continue };
        let Some(init) = written.of(tast, id) else { continue };
        let is_static = tast[id].duration != StorageDuration::Automatic;
        let cx = Context { ast, tast, types, target, names, by_span: &by_span, is_static };
        settled.push((id, Walk::new(&cx, &tast[list]).whole(tast[id].ty, init)));
    }
    for (id, entries) in settled {
        let Some(entries) = entries else {
            unsure.insert(id);
            continue;
        };
        let mut decl = tast[id].clone();
        decl.init = Some(tast.add_init_entries(&entries));
        tast.set_decl(id, decl);
    }
    unsure
}

/// The initialisers of the untyped tree that have designators.
struct Written {
    /// By the spans that their declaration may have in the typed tree.
    by_span: FxHashMap<Span, InitId>,
    /// Of declarators, from the first token to the last.
    declarators: Vec<(Span, InitId)>,
}

impl Written {
    fn new(ast: &Ast) -> Self {
        let mut written = Written { by_span: FxHashMap::default(), declarators: Vec::new() };
        let counts = ast.counts();
        for number in 0..counts.decls {
            let rucc_ast::Decl::Var { declarators, .. } = ast[Idx::<rucc_ast::Decl>::from_usize(number)]
            else {
                continue;
            };
            for item in &ast[declarators] {
                if let Some(init) = item.init.filter(|init| has_designators(ast, *init)) {
                    let declarator = ast[item.declarator];
                    written
                        .by_span
                        .extend([item.span, declarator.span, declarator.name_span].map(|s| (s, init)));
                    written.declarators.push((item.span, init));
                }
            }
        }
        for number in 0..counts.exprs {
            let id: rucc_ast::ExprId = Idx::from_usize(number);
            if let rucc_ast::Expr::CompoundLiteral { init, .. } = ast[id]
                && has_designators(ast, init)
            {
                written.by_span.insert(ast.expr_span(id), init);
            }
        }
        written
    }

    fn is_empty(&self) -> bool {
        self.by_span.is_empty()
    }

    fn of(&self, tast: &Tast, id: DeclId) -> Option<InitId> {
        if let Some(init) = self.by_span.get(&tast.decl_span(id)) {
            return Some(*init);
        }
        // An object that is declared more than once has the span of another declaration.
        tast[id].name?;
        let first = tast[tast[id].init?].first()?;
        let value = tast.expr_span(first.value);
        let holds = |outer: &Span| outer.lo <= value.lo && value.hi <= outer.hi;
        let around = self.declarators.iter().filter(|(span, _)| holds(span));
        around.min_by_key(|(span, _)| span.hi - span.lo).map(|(_, init)| *init)
    }
}

fn has_designators(ast: &Ast, init: InitId) -> bool {
    match ast[init] {
        Init::Expr(expr) => match ast[expr] {
            // A static array may be filled by a literal of its type.
            rucc_ast::Expr::CompoundLiteral { init, .. } => has_designators(ast, init),
            _ => false,
        },
        Init::List(list) => {
            ast[list].iter().any(|item| !item.designators.is_empty() || has_designators(ast, item.init))
        }
    }
}

/// Expressions of the typed tree by their span: the indices of designators are found there, which the typed tree
/// keeps nowhere else.
fn indices(written: &Written, ast: &Ast, tast: &Tast) -> FxHashMap<Span, ExprId> {
    let mut wanted = FxHashSet::default();
    written.by_span.values().for_each(|init| index_spans(ast, *init, &mut wanted));
    if wanted.is_empty() {
        return FxHashMap::default();
    }
    let all = (0..tast.counts().exprs).map(Idx::from_usize);
    all.map(|id: ExprId| (tast.expr_span(id), id)).filter(|(span, _)| wanted.contains(span)).collect()
}

fn index_spans(ast: &Ast, init: InitId, wanted: &mut FxHashSet<Span>) {
    let Init::List(list) = ast[init] else { return };
    for item in &ast[list] {
        for designator in &ast[item.designators] {
            match *designator {
                Designator::Index(index) => wanted.extend([ast.expr_span(index)]),
                Designator::Range { lo, hi } => wanted.extend([lo, hi].map(|e| ast.expr_span(e))),
                Designator::Field(_) | Designator::ObsoleteField(_) => {}
            }
        }
        index_spans(ast, item.init, wanted);
    }
}

struct Context<'a> {
    ast: &'a Ast,
    tast: &'a Tast,
    types: &'a Types,
    target: &'a TargetInfo,
    names: &'a Interner,
    by_span: &'a FxHashMap<Span, ExprId>,
    is_static: bool,
}

/// What an object is given so far.
#[derive(Clone)]
enum Node {
    /// One value for all of it.
    Value(ExprId),
    /// A text, and elements that later designators replaced.
    Text(ExprId, BTreeMap<u64, Node>),
    /// Members or elements. What a range with a value that is no constant gave is not taken apart again.
    Parts { parts: BTreeMap<u64, Node>, sealed: bool },
}

impl Node {
    fn empty() -> Self {
        Node::Parts { parts: BTreeMap::new(), sealed: false }
    }
}

/// A way from the object of a pair of braces down to a part of it.
type Path = Vec<u64>;

enum Kind {
    Array { element: TypeId, length: Option<u64>, size: u64 },
    Record { record: RecordId, union: bool },
    Scalar,
}

struct Walk<'a> {
    cx: &'a Context<'a>,
    /// The values of the list, each once, in the order they are written.
    values: Vec<ExprId>,
    taken: usize,
}

impl<'a> Walk<'a> {
    fn new(cx: &'a Context<'a>, entries: &[InitEntry]) -> Self {
        let mut seen = FxHashSet::default();
        let values = entries.iter().map(|e| e.value).filter(|value| seen.insert(*value)).collect();
        Walk { cx, values, taken: 0 }
    }

    fn whole(mut self, ty: TypeId, init: InitId) -> Option<Vec<InitEntry>> {
        let node = match self.cx.ast[init] {
            Init::List(list) => self.braced(ty, list)?,
            Init::Expr(expr) => {
                let list = self.array_literal(expr)?;
                self.braced(ty, list)?
            }
        };
        if self.taken != self.values.len() {
            return None;
        }
        let mut entries = Vec::new();
        self.flatten(&node, ty, Spot::default(), &mut entries)?;
        Some(entries)
    }

    /// The next value of the list, which must be that of this item.
    fn take(&mut self, item: &InitItem) -> Option<ExprId> {
        let value = self.peek(item)?;
        self.taken += 1;
        Some(value)
    }

    fn peek(&self, item: &InitItem) -> Option<ExprId> {
        let value = *self.values.get(self.taken)?;
        let span = self.cx.tast.expr_span(value);
        (item.span.lo <= span.lo && span.hi <= item.span.hi).then_some(value)
    }

    /// A pair of braces around the values of an object.
    fn braced(&mut self, ty: TypeId, list: InitItemList) -> Option<Node> {
        let items = &self.cx.ast[list];
        let Some(first) = items.first() else { return Some(Node::empty()) };
        match self.kind(ty) {
            Kind::Scalar => {
                let Init::Expr(_) = self.cx.ast[first.init] else { return None };
                Some(Node::Value(self.take(first)?))
            }
            Kind::Array { element, .. }
                if first.designators.is_empty()
                    && matches!(self.kind(element), Kind::Scalar)
                    && self.is_text(first) =>
            {
                Some(Node::Text(self.take(first)?, BTreeMap::new()))
            }
            _ => self.fill(ty, items),
        }
    }

    fn fill(&mut self, ty: TypeId, items: &[InitItem]) -> Option<Node> {
        let mut root = Node::empty();
        let mut last: Option<Path> = None;
        for item in items {
            let mut paths = if item.designators.is_empty() {
                let next = match &last {
                    None => self.first(ty).map(|index| vec![index]),
                    Some(last) => self.after(ty, last)?,
                };
                // One too many: gcc drops it with a warning.
                let Some(next) = next else { continue };
                vec![next]
            } else {
                self.designated(ty, item)?
            };
            let node = self.item(ty, &mut paths, item)?;
            if let Some(node) = node {
                let node = if paths.len() > 1 { self.sealed(node) } else { node };
                for path in &paths {
                    self.set(&mut root, ty, path, node.clone())?;
                }
            }
            last = paths.pop();
        }
        Some(root)
    }

    /// The value of an item, and the paths led on to the part that it is for. Nothing if there is no such part.
    fn item(&mut self, ty: TypeId, paths: &mut [Path], item: &InitItem) -> Option<Option<Node>> {
        loop {
            let at = self.type_at(ty, paths.first()?)?;
            let expr = match self.cx.ast[item.init] {
                Init::List(list) => return Some(Some(self.braced(at, list)?)),
                Init::Expr(expr) => expr,
            };
            let down = match self.kind(at) {
                Kind::Scalar => None,
                Kind::Array { element, .. }
                    if matches!(self.kind(element), Kind::Scalar) && self.is_text(item) =>
                {
                    return Some(Some(Node::Text(self.take(item)?, BTreeMap::new())));
                }
                Kind::Array { length: Some(_), .. }
                    if self.cx.is_static && self.array_literal(expr).is_some() =>
                {
                    let list = self.array_literal(expr)?;
                    return Some(Some(self.braced(at, list)?));
                }
                _ if self.is_whole(at, item) => match self.literal(expr, item) {
                    Some(node) => return Some(Some(node)),
                    None => None,
                },
                _ => Some(self.first(at)),
            };
            match down {
                None => return Some(Some(Node::Value(self.take(item)?))),
                Some(None) => return Some(None),
                Some(Some(first)) => paths.iter_mut().for_each(|path| path.push(first)),
            }
        }
    }

    fn is_text(&self, item: &InitItem) -> bool {
        let is_text = |value: ExprId| matches!(self.cx.tast[value].kind, ExprKind::Str(_));
        matches!(self.cx.ast[item.init], Init::Expr(_)) && self.peek(item).is_some_and(is_text)
    }

    /// Whether the value is one of the record or vector itself, not of its first member.
    fn is_whole(&self, at: TypeId, item: &InitItem) -> bool {
        let types = self.cx.types;
        let Some(value) = self.peek(item) else { return false };
        let value = self.cx.tast[value].ty;
        if rucc_types::is_vector(types, at) {
            return rucc_types::is_vector(types, value);
        }
        match (self.kind(at), self.kind(value)) {
            (Kind::Record { record, .. }, Kind::Record { record: other, .. }) => record == other,
            _ => false,
        }
    }

    /// A literal for all of a static object is as if its braces had been written there.
    fn literal(&mut self, expr: rucc_ast::ExprId, item: &InitItem) -> Option<Node> {
        let cx = self.cx;
        let (value, list) = (self.peek(item)?, self.array_literal(expr)?);
        let value = match cx.tast[value].kind {
            ExprKind::Convert { operand, .. } => operand,
            _ => value,
        };
        let ExprKind::CompoundLiteral(decl) = cx.tast[value].kind else { return None };
        if !cx.is_static {
            return None;
        }
        let entries = cx.tast[decl].init.map_or(&[][..], |init| &cx.tast[init]);
        let mut inner = Walk::new(cx, entries);
        let node = inner.braced(cx.tast[decl].ty, list)?;
        self.taken += 1;
        (inner.taken == inner.values.len()).then_some(node)
    }

    fn array_literal(&self, expr: rucc_ast::ExprId) -> Option<InitItemList> {
        match self.cx.ast[expr] {
            rucc_ast::Expr::CompoundLiteral { init, .. } => match self.cx.ast[init] {
                Init::List(list) => Some(list),
                Init::Expr(_) => None,
            },
            rucc_ast::Expr::Extension(inner) => self.array_literal(inner),
            _ => None,
        }
    }

    /// The parts that a designation names: more than one if it has ranges, the last one last.
    fn designated(&self, ty: TypeId, item: &InitItem) -> Option<Vec<Path>> {
        let mut paths = vec![Path::new()];
        let mut at = ty;
        for designator in &self.cx.ast[item.designators] {
            match (*designator, self.kind(at)) {
                (Designator::Field(name) | Designator::ObsoleteField(name), Kind::Record { record, .. }) => {
                    let steps = self.field(record, name)?;
                    paths.iter_mut().for_each(|path| path.extend(&steps));
                    for step in steps {
                        at = self.part_type(at, step)?;
                    }
                }
                (Designator::Index(index), Kind::Array { element, .. }) => {
                    let index = self.index(index)?;
                    paths.iter_mut().for_each(|path| path.push(index));
                    at = element;
                }
                (Designator::Range { lo, hi }, Kind::Array { element, .. }) => {
                    let (lo, hi) = (self.index(lo)?, self.index(hi)?);
                    let many = usize::try_from(hi.checked_sub(lo)?).ok()?.checked_add(1)?;
                    if many.checked_mul(paths.len())? > MOST_VALUES {
                        return None;
                    }
                    let wider = paths.iter().flat_map(|path| {
                        (lo..=hi).map(move |index| path.iter().copied().chain([index]).collect())
                    });
                    paths = wider.collect();
                    at = element;
                }
                _ => return None,
            }
        }
        Some(paths)
    }

    fn index(&self, expr: rucc_ast::ExprId) -> Option<u64> {
        let cx = self.cx;
        let typed = *cx.by_span.get(&cx.ast.expr_span(expr))?;
        let value = Eval::new(cx.tast, cx.types, cx.target, cx.names).integer(typed).ok()?;
        u64::try_from(value).ok()
    }

    fn field(&self, record: RecordId, name: Symbol) -> Option<Path> {
        let fields = &self.cx.types.record_info(record).fields;
        if let Some(index) = fields.iter().position(|f| f.name == Some(name)) {
            return Some(vec![index as u64]);
        }
        let unnamed = fields.iter().enumerate().filter(|(_, f)| f.name.is_none());
        unnamed.into_iter().find_map(|(index, field)| match self.kind(field.ty) {
            Kind::Record { record, .. } => {
                let rest = self.field(record, name)?;
                Some([index as u64].into_iter().chain(rest).collect())
            }
            _ => None,
        })
    }

    /// What a range gives to all its elements is computed once, unless it is constant: then it is as if each had
    /// been written.
    fn sealed(&self, node: Node) -> Node {
        match node {
            Node::Parts { parts, .. } => {
                let sealed = !parts.values().all(|part| self.is_constant(part));
                Node::Parts { parts, sealed }
            }
            node => node,
        }
    }

    fn is_constant(&self, node: &Node) -> bool {
        let cx = self.cx;
        match node {
            Node::Value(value) => {
                Eval::new(cx.tast, cx.types, cx.target, cx.names).initializer(*value).is_ok()
            }
            Node::Text(_, over) => over.values().all(|part| self.is_constant(part)),
            Node::Parts { parts, .. } => parts.values().all(|part| self.is_constant(part)),
        }
    }

    /// Puts what is written for a part in the place of what was there.
    fn set(&self, root: &mut Node, ty: TypeId, path: &[u64], node: Node) -> Option<()> {
        let Some((step, rest)) = path.split_first() else {
            *root = node;
            return Some(());
        };
        let parts = match root {
            Node::Text(_, over) => over,
            Node::Value(_) if self.cx.is_static => return None,
            Node::Parts { parts, sealed: false } => parts,
            Node::Value(_) | Node::Parts { .. } => {
                *root = Node::empty();
                let Node::Parts { parts, .. } = root else { return None };
                parts
            }
        };
        if let Kind::Record { union: true, .. } = self.kind(ty) {
            parts.retain(|index, _| index == step);
        }
        let part = parts.entry(*step).or_insert_with(Node::empty);
        self.set(part, self.part_type(ty, *step)?, rest, node)
    }

    fn flatten(&self, node: &Node, ty: TypeId, spot: Spot, out: &mut Vec<InitEntry>) -> Option<()> {
        if out.len() > MOST_VALUES {
            return None;
        }
        let (first, parts) = match node {
            Node::Value(value) => (Some(*value), None),
            Node::Text(value, over) => (Some(*value), Some(over)),
            Node::Parts { parts, .. } => (None, Some(parts)),
        };
        out.extend(first.map(|value| InitEntry {
            offset: spot.offset,
            value,
            bit_offset: spot.bit,
            bit_width: spot.bits,
            reverse: spot.reverse,
        }));
        for (index, part) in parts.into_iter().flatten() {
            let (at, inner) = match self.kind(ty) {
                Kind::Array { element, size, .. } => {
                    let offset = spot.offset.checked_add(index.checked_mul(size)?)?;
                    (element, Spot { offset, ..spot })
                }
                Kind::Record { record, .. } => {
                    let info = self.cx.types.record_info(record);
                    let field = info.fields.get(usize::try_from(*index).ok()?)?;
                    let offset = spot.offset + field.offset;
                    let bits = field.bits.unwrap_or(0);
                    (field.ty, Spot { offset, bit: field.bit, bits, reverse: info.reverse })
                }
                Kind::Scalar => return None,
            };
            self.flatten(part, at, inner, out)?;
        }
        Some(())
    }

    fn kind(&self, ty: TypeId) -> Kind {
        let types = self.cx.types;
        let mut ty = types.canonical(ty);
        if let TypeKind::Atomic(inner) = types.kind(ty) {
            ty = types.canonical(inner);
        }
        let size = |element| rucc_types::layout(types, element, self.cx.target).map_or(0, |l| l.size);
        match types.kind(ty) {
            TypeKind::Array { elem, len } => {
                let length = if let ArrayLen::Fixed(len) = len { Some(len) } else { None };
                Kind::Array { element: elem, length, size: size(elem) }
            }
            TypeKind::Vector { elem, len } => {
                Kind::Array { element: elem, length: Some(u64::from(len)), size: size(elem) }
            }
            TypeKind::Record(record) => {
                Kind::Record { record, union: types.record_info(record).kind == RecordKind::Union }
            }
            _ => Kind::Scalar,
        }
    }

    fn part_type(&self, ty: TypeId, index: u64) -> Option<TypeId> {
        match self.kind(ty) {
            Kind::Array { element, .. } => Some(element),
            Kind::Record { record, .. } => {
                let fields = &self.cx.types.record_info(record).fields;
                fields.get(usize::try_from(index).ok()?).map(|f| f.ty)
            }
            Kind::Scalar => None,
        }
    }

    fn type_at(&self, ty: TypeId, path: &[u64]) -> Option<TypeId> {
        path.iter().try_fold(ty, |at, step| self.part_type(at, *step))
    }

    fn first(&self, ty: TypeId) -> Option<u64> {
        self.part_from(ty, 0)
    }

    /// The first part at or behind an index that a value without a designator may go to.
    fn part_from(&self, ty: TypeId, from: u64) -> Option<u64> {
        match self.kind(ty) {
            Kind::Array { length, .. } => length.is_none_or(|length| from < length).then_some(from),
            Kind::Record { record, .. } => {
                let fields = &self.cx.types.record_info(record).fields;
                let rest = fields.iter().enumerate().skip(usize::try_from(from).ok()?);
                // A bit-field without a name takes no value; another member without one holds members.
                let mut takes = rest.filter(|(_, f)| f.name.is_some() || f.bits.is_none());
                takes.next().map(|(index, _)| index as u64)
            }
            Kind::Scalar => None,
        }
    }

    /// The part behind another one, in the innermost object that has one. The outer `None`: no such way.
    fn after(&self, ty: TypeId, path: &[u64]) -> Option<Option<Path>> {
        for depth in (0..path.len()).rev() {
            let holder = self.type_at(ty, &path[..depth])?;
            if let Kind::Record { union: true, .. } = self.kind(holder) {
                continue;
            }
            if let Some(next) = self.part_from(holder, path[depth] + 1) {
                let mut path = path[..depth].to_vec();
                path.push(next);
                return Some(Some(path));
            }
        }
        Some(None)
    }
}

/// Where a part lies in the whole object.
#[derive(Clone, Copy, Default)]
struct Spot {
    offset: u64,
    bit: u32,
    bits: u32,
    reverse: bool,
}
