// SPDX-License-Identifier: MIT OR Apache-2.0
//! The type judge: lets the system compiler check every type that rucc gave an expression.
//!
//! [`type_judge`] writes the preprocessed program out again with a `_Static_assert` beside each statement for
//! each of its expressions: that its type is compatible with the one the typed tree has, that its size is the
//! same, and that a constant has the same value. The names of the expression are in scope there, so what the
//! compiler rejects is a disagreement between it and us.
//!
//! What the compiler cannot be asked is counted, by reason: bit-fields have no `typeof`, types without a name
//! cannot be written, and statement expressions with labels cannot be written twice.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use clew_base::source::SourceMap;
use rucc_lex::{PpTokenKind, Punct, TokenFlags};
use rucc_sema::{Category, Const, DeclId, ExprId, ExprKind, Stmt, StmtId, Tast};
use rucc_types::{TypeId, TypeKind};

use crate::tree::{Visit, initialiser_values, walk_expr};
use crate::unit::Unit;

/// A program that only compiles when the compiler agrees.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// The preprocessed program with its assertions; compile it as `.i` under the unit's own flags.
    pub source: Vec<u8>,
    /// How many expressions are asserted.
    pub asserted: usize,
    /// How many expressions the compiler cannot be asked about, by reason.
    pub skipped: BTreeMap<&'static str, usize>,
}

/// Writes the judge for a unit that was read with its tokens.
pub fn type_judge(unit: &Unit) -> Judgement {
    let mut writer = Writer {
        unit,
        sources: unit.source_map(),
        insertions: BTreeMap::new(),
        judgement: Judgement::default(),
    };
    for decl in unit.tast.top_level() {
        writer.top_level(*decl);
    }
    let Writer { insertions, mut judgement, .. } = writer;
    judgement.source = print_program(unit, &insertions);
    judgement
}

/// Text to write before a token, by token number.
type Insertions = BTreeMap<usize, Vec<String>>;

struct Writer<'a> {
    unit: &'a Unit,
    sources: SourceMap,
    insertions: Insertions,
    judgement: Judgement,
}

impl Writer<'_> {
    fn top_level(&mut self, decl: DeclId) {
        let tast = &self.unit.tast;
        if let Some(body) = tast[decl].body
            && let Stmt::Block(_) = tast[body]
        {
            self.block(body);
        }
        let values: Vec<ExprId> = initialiser_values(tast, decl).collect();
        let last = values.iter().map(|value| self.unit.token_range(tast.expr_span(*value)).1).max();
        let end = last.and_then(|last| {
            let rest = self.unit.tokens().get(last..)?;
            Some(last + rest.iter().position(|token| token.is(Punct::Semi))? + 1)
        });
        for value in values {
            self.expression(value, end);
        }
    }

    /// Asserts about each child of a block before it, or behind it when it declares the names used.
    fn block(&mut self, block: StmtId) {
        let unit = self.unit;
        let Stmt::Block(list) = unit.tast[block] else { return };
        for child in &unit.tast[list] {
            let (first, last) = unit.token_range(unit.tast.stmt_span(*child));
            let at = if matches!(unit.tast[*child], Stmt::Decls(_)) { last + 1 } else { first };
            self.statement(*child, Some(at));
        }
    }

    /// Collects a statement's own expressions at `at`; blocks inside it have places of their own.
    fn statement(&mut self, stmt: StmtId, at: Option<usize>) {
        let tast = &self.unit.tast;
        match tast[stmt] {
            Stmt::Block(_) => self.block(stmt),
            Stmt::Expr(value) | Stmt::Return(Some(value)) | Stmt::IndirectGoto(value) => {
                self.expression(value, at)
            }
            Stmt::Decls(list) => {
                for decl in &tast[list] {
                    self.initialiser(*decl, at);
                }
            }
            Stmt::If { cond, then, otherwise } => {
                self.expression(cond, at);
                self.statement(then, at);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise, at);
                }
            }
            Stmt::While { cond, body } | Stmt::DoWhile { body, cond } | Stmt::Switch { cond, body, .. } => {
                self.expression(cond, at);
                self.statement(body, at);
            }
            Stmt::For { init, cond, step, body } => {
                // Names declared in the head are in scope in the body only.
                let declares = init.is_some_and(|init| matches!(tast[init], Stmt::Decls(_)));
                let inside = if declares { self.block_start(body) } else { at };
                if let Some(init) = init {
                    self.statement(init, inside);
                }
                for value in cond.into_iter().chain(step) {
                    self.expression(value, inside);
                }
                self.statement(body, inside);
            }
            Stmt::Case { body, .. } | Stmt::Default { body } | Stmt::Label { body, .. } => {
                self.statement(body, at)
            }
            Stmt::Error | Stmt::Empty | Stmt::Goto(_) | Stmt::Asm(_) => {}
            Stmt::Break | Stmt::Continue | Stmt::Return(None) => {}
        }
    }

    /// The token behind the opening brace of a block.
    fn block_start(&self, body: StmtId) -> Option<usize> {
        let tast = &self.unit.tast;
        match tast[body] {
            Stmt::Block(_) => Some(self.unit.token_range(tast.stmt_span(body)).0 + 1),
            _ => None,
        }
    }

    fn initialiser(&mut self, decl: DeclId, at: Option<usize>) {
        for value in initialiser_values(&self.unit.tast, decl) {
            self.expression(value, at);
        }
    }

    fn expression(&mut self, value: ExprId, at: Option<usize>) {
        let unit = self.unit;
        let mut visitor = Asserts { writer: self, at, seen: HashSet::new() };
        walk_expr(&unit.tast, value, &mut visitor);
    }

    fn skip(&mut self, why: &'static str) {
        *self.judgement.skipped.entry(why).or_default() += 1;
    }

    /// The assertions about one node, or why there are none.
    fn assertion(&self, id: ExprId) -> Result<String, &'static str> {
        let Unit { tast, types, .. } = self.unit;
        let expr = tast[id];
        if is_bit_field_value(tast, id) {
            return Err("a bit-field has no typeof");
        }
        let text = self.text(id)?;
        let spelled = self.spelled(expr.ty)?;
        let place = self.sources.place(self.unit.span(tast.expr_span(id)));
        let message = format!("\"{place}: {spelled}\"");
        let mut out = format!(
            "_Static_assert(__builtin_types_compatible_p(__typeof__({text}), {spelled}), {message});"
        );
        if let Ok(layout) = rucc_types::layout(types, expr.ty, &self.unit.target)
            && !matches!(types.kind(types.canonical(expr.ty)), TypeKind::Void | TypeKind::Function(_))
        {
            let _ = write!(out, "_Static_assert(sizeof({text}) == {}, {message});", layout.size);
        }
        // What these answer depends on how far the compiler has come; only their type is fixed.
        let late = ["__builtin_object_size", "__builtin_dynamic_object_size", "__builtin_constant_p"];
        if let ExprKind::Const(constant) = expr.kind
            && let Const::Int(value) = tast[constant]
            && !late.iter().any(|name| text.contains(name))
        {
            let _ = write!(out, "_Static_assert(({text}) == {}, {message});", integer(value));
        }
        Ok(out)
    }

    fn text(&self, id: ExprId) -> Result<String, &'static str> {
        let (first, last) = self.unit.token_range(self.unit.tast.expr_span(id));
        let mut text = String::new();
        for token in self.unit.tokens().get(first..=last).unwrap_or_default() {
            let spelling = spelling(self.unit, token);
            if token.flags.has(TokenFlags::START_OF_LINE) && spelling == b"#" {
                return Err("a pragma inside the expression");
            }
            text.push_str(std::str::from_utf8(&spelling).map_err(|_| "text that is not UTF-8")?);
            text.push(' ');
        }
        if text.contains("( {") {
            return Err("a statement expression cannot be written twice");
        }
        Ok(text.trim_end().to_owned())
    }

    /// The type as it can be written in the program.
    fn spelled(&self, ty: TypeId) -> Result<String, &'static str> {
        let Unit { types, names, .. } = self.unit;
        if is_variably_modified(self.unit, ty) {
            return Err("a type of variable size");
        }
        let spell = |ty| {
            let text = rucc_types::spell(types, names, ty).replace("restrict", "__restrict");
            text.replace("struct __va_list_tag[1]", "__builtin_va_list")
        };
        let unspellable = ["<anonymous>", "__vector(", "_BitInt(", "__va_list_tag"];
        let candidates = [spell(types.canonical(ty)), spell(ty)];
        let spelled = candidates.into_iter().find(|text| !unspellable.iter().any(|word| text.contains(word)));
        spelled.ok_or("a type without a name")
    }
}

struct Asserts<'a, 'b> {
    writer: &'a mut Writer<'b>,
    at: Option<usize>,
    /// One assertion a text and place is enough.
    seen: HashSet<String>,
}

impl Visit for Asserts<'_, '_> {
    fn expr(&mut self, id: ExprId) {
        if !is_written(self.writer.unit, id) {
            return;
        }
        let result = self.writer.assertion(id).and_then(|text| match self.at {
            Some(at) => Ok((at, text)),
            None => Err("names declared in the head of a loop without a block"),
        });
        match result {
            Err(why) => self.writer.skip(why),
            Ok((at, text)) => {
                if self.seen.insert(text.clone()) {
                    self.writer.judgement.asserted += 1;
                    self.writer.insertions.entry(at).or_default().push(text);
                }
            }
        }
    }

    fn nested_block(&mut self, block: StmtId) {
        self.writer.block(block);
    }
}

/// Whether the program has a text for this node of its own. A conversion that nobody wrote has its operand's
/// text, and the dereference that an arrow stands for has the whole member's; those are asked about themselves.
fn is_written(unit: &Unit, id: ExprId) -> bool {
    match unit.tast[id].kind {
        ExprKind::Convert { .. } | ExprKind::Error => false,
        ExprKind::Unary { op: rucc_ast::UnaryOp::Deref, .. } => {
            let (first, _) = unit.token_range(unit.tast.expr_span(id));
            unit.tokens().get(first).is_some_and(|token| token.is(Punct::Star))
        }
        _ => true,
    }
}

/// Whether an expression has the type of a bit-field, which the language has no name for: gcc gives it to
/// what is stored into one, too.
fn is_bit_field_value(tast: &Tast, id: ExprId) -> bool {
    match tast[id].kind {
        _ if tast[id].category == Category::Bitfield => true,
        ExprKind::Assign { lhs: part, .. } | ExprKind::Comma { rhs: part, .. } => {
            is_bit_field_value(tast, part)
        }
        ExprKind::Convert { operand: part, .. } => tast[part].category == Category::Bitfield,
        ExprKind::Unary { op, operand } => {
            use rucc_ast::UnaryOp as U;
            matches!(op, U::PreInc | U::PreDec | U::PostInc | U::PostDec) && is_bit_field_value(tast, operand)
        }
        _ => false,
    }
}

fn is_variably_modified(unit: &Unit, ty: TypeId) -> bool {
    match unit.types.kind(unit.types.canonical(ty)) {
        TypeKind::Array { elem, len } => {
            !matches!(len, rucc_types::ArrayLen::Fixed(_) | rucc_types::ArrayLen::Unknown)
                || is_variably_modified(unit, elem)
        }
        TypeKind::Pointer(pointee) => is_variably_modified(unit, pointee),
        TypeKind::Record(record) => unit.types.record_info(record).variable.is_some(),
        _ => false,
    }
}

/// An integer as a constant expression of a type that holds it.
fn integer(value: i128) -> String {
    match i64::try_from(value) {
        Ok(i64::MIN) => "(-9223372036854775807LL - 1)".to_owned(),
        Ok(value) => format!("({value}LL)"),
        Err(_) if value > 0 && value <= i128::from(u64::MAX) => format!("{value}ULL"),
        Err(_) => {
            let (high, low) = ((value >> 64) as i64, value as u64);
            format!("(((__int128){high}LL << 64) | {low}ULL)")
        }
    }
}

fn spelling(unit: &Unit, token: &rucc_pp::Tok) -> Vec<u8> {
    match (token.kind, token.value) {
        (PpTokenKind::Punct(punct), _) => punct.as_str().as_bytes().to_vec(),
        (_, Some(name)) => unit.names.resolve_bytes(name).to_vec(),
        (_, None) => Vec::new(),
    }
}

/// The preprocessed program of a unit that was read with its tokens.
pub fn preprocessed(unit: &Unit) -> Vec<u8> {
    print_program(unit, &Insertions::new())
}

/// The program, a line for a line, with the insertions.
fn print_program(unit: &Unit, insertions: &Insertions) -> Vec<u8> {
    let mut out = Vec::new();
    for (i, token) in unit.tokens().iter().enumerate() {
        let asserts = insertions.get(&i);
        if asserts.is_some() || token.flags.has(TokenFlags::START_OF_LINE) {
            out.push(b'\n');
        }
        for assert in asserts.into_iter().flatten() {
            out.extend_from_slice(assert.as_bytes());
            out.push(b'\n');
        }
        out.extend_from_slice(&spelling(unit, token));
        out.push(b' ');
    }
    out.push(b'\n');
    out
}
