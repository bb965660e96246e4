// SPDX-License-Identifier: MIT OR Apache-2.0
//! Attributes that rucc does not read as the program's own compiler does: handlers of interrupts, sections that the C
//! runtime runs, and bit-fields whose layout it does not know.
//!
//! `interrupt` and its like belong to many machines (`isr` and `signal` on AVR, `interrupt("IRQ")` on ARM), and rucc
//! knows those of x86 alone. So the names are replaced before the parser sees them, and found again in its tree.

use rucc_ast::{
    Ast, AttrList, Decl, DeclSpecsId, Declarator, Derived, Expr, Field, Member, MemberList, TypeSpec,
};
use rucc_base::{Idx, Interner, Symbol};
use rucc_diag::Span;
use rucc_lex::{PpToken, Punct};
use rustc_hash::FxHashSet;

/// What stands for all the names of the attribute.
const HANDLER: &str = "clew_interrupt_handler";

/// What compilers call a function that hardware calls.
const HANDLERS: [&str; 12] = [
    "interrupt",
    "__interrupt__",
    "interrupt_handler",
    "__interrupt_handler__",
    "isr",
    "__isr__",
    "signal",
    "__signal__",
    "exception",
    "irq",
    "fiq",
    "nmi",
];

/// Gives handlers of interrupts one name, in the tokens between `__attribute__((` and its end.
pub(crate) fn rename_handlers(tokens: &mut [PpToken], names: &mut Interner) {
    let handlers: Vec<Symbol> = HANDLERS.iter().filter_map(|name| names.find(name)).collect();
    let openers: Vec<Symbol> =
        ["__attribute__", "__attribute"].iter().filter_map(|name| names.find(name)).collect();
    if handlers.is_empty() || openers.is_empty() {
        return;
    }
    let common = names.intern(HANDLER);
    let mut at = 0;
    while at < tokens.len() {
        let opens = tokens[at].value.is_some_and(|name| openers.contains(&name));
        at += 1;
        if opens {
            at = rename_in_attribute(tokens, at, &handlers, common);
        }
    }
}

/// Looks at the tokens from the first bracket to the one that closes it; comes back behind that.
fn rename_in_attribute(tokens: &mut [PpToken], from: usize, handlers: &[Symbol], common: Symbol) -> usize {
    let mut depth = 0usize;
    for (at, token) in tokens.iter_mut().enumerate().skip(from) {
        match token.punct() {
            Some(Punct::LParen) => depth += 1,
            Some(Punct::RParen) if depth <= 1 => return at + 1,
            Some(Punct::RParen) => depth -= 1,
            None if depth == 0 => return at,
            // Arguments (`exception` of `format(exception)`) lie deeper.
            None if depth == 2 && token.value.is_some_and(|name| handlers.contains(&name)) => {
                token.value = Some(common);
            }
            _ => {}
        }
    }
    tokens.len()
}

/// Sections whose contents the C runtime runs or calls before `main` and at exit.
const RUN_SECTIONS: [&str; 7] =
    [".preinit_array", ".init_array", ".fini_array", ".ctors", ".dtors", ".init", ".fini"];

/// The first `section("...")` that puts something among what runs by itself.
pub(crate) fn runs_by_itself(tokens: &[PpToken], names: &Interner) -> Option<Span> {
    let openers: Vec<Symbol> =
        ["section", "__section__"].iter().filter_map(|name| names.find(name)).collect();
    let is_run = |text: &str| {
        let section = text.trim_matches('"');
        RUN_SECTIONS
            .iter()
            .any(|run| section.strip_prefix(run).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
    };
    let found = tokens.windows(3).find(|window| {
        let [opener, bracket, text] = window else { return false };
        opener.value.is_some_and(|name| openers.contains(&name))
            && bracket.punct() == Some(Punct::LParen)
            && text.value.is_some_and(|text| is_run(names.resolve(text)))
    });
    found.map(|window| window[0].span)
}

/// The functions that are declared handlers of interrupts.
pub(crate) fn handlers(ast: &Ast, names: &Interner) -> FxHashSet<Symbol> {
    let mut found = FxHashSet::default();
    let Some(handler) = names.find(HANDLER) else { return found };
    let says_so = |attributes: AttrList| ast[attributes].iter().any(|attribute| attribute.name == handler);
    for decl in ast.top_level() {
        match ast[*decl] {
            Decl::Function { specs, declarator, .. } if says_so(ast[specs].attrs) => {
                found.extend(ast[declarator].name);
            }
            Decl::Var { specs, declarators } => {
                let all = says_so(ast[specs].attrs);
                let declared = ast[declarators].iter().filter(|item| all || says_so(item.attrs));
                found.extend(declared.filter_map(|item| ast[item.declarator].name));
            }
            _ => {}
        }
    }
    found
}

/// The first record with bit-fields that is packed or aligned in a way that rucc lays out unlike gcc (compared on
/// some thousand random records).
pub(crate) fn unknown_layout(ast: &Ast, names: &Interner) -> Option<Span> {
    let mut records = Records { ast, names, unknown: None };
    let counts = ast.counts();
    for number in 0..counts.decls {
        match ast[Idx::<Decl>::from_usize(number)] {
            Decl::Var { specs, declarators } => {
                records.specs(specs);
                ast[declarators].iter().for_each(|item| records.declarator(&ast[item.declarator]));
            }
            Decl::Function { specs, declarator, .. } => {
                records.specs(specs);
                records.declarator(&ast[declarator]);
            }
            _ => {}
        }
    }
    for number in 0..counts.exprs {
        if let Expr::Cast { ty, .. } | Expr::CompoundLiteral { ty, .. } | Expr::SizeofType(ty) =
            ast[Idx::<Expr>::from_usize(number)]
        {
            records.specs(ast[ty].specs);
        }
    }
    records.unknown
}

struct Records<'a> {
    ast: &'a Ast,
    names: &'a Interner,
    unknown: Option<Span>,
}

impl Records<'_> {
    fn declarator(&mut self, declarator: &Declarator) {
        for derived in &self.ast[declarator.derived] {
            if let Derived::Function { params, .. } = derived {
                let specs: Vec<_> = self.ast[*params].iter().filter_map(|param| param.specs).collect();
                specs.into_iter().for_each(|specs| self.specs(specs));
            }
        }
    }

    fn specs(&mut self, specs: DeclSpecsId) {
        let TypeSpec::Record { fields: Some(members), attrs, pragmas, .. } = self.ast[specs].ty else {
            return;
        };
        let outside = [attrs, self.ast[specs].attrs];
        let has = |name: &str| outside.iter().any(|list| self.has(*list, name));
        let fields = self.fields(members);
        let has_bits = fields.iter().any(|field| field.bits.is_some());
        let on_members = |name: &str| {
            fields.iter().any(|f| self.has(f.attrs, name) || self.has(self.ast[f.specs].attrs, name))
        };
        let aligned_bits = fields.iter().any(|field| {
            let attributes = [field.attrs, self.ast[field.specs].attrs];
            field.bits.is_some() && attributes.iter().any(|list| self.has(*list, "aligned"))
        });
        let packed = has("packed") || on_members("packed");
        let by_pragma = pragmas.pack.is_some_and(|bytes| bytes > 1) && packed;
        let as_windows = has("ms_struct") && (packed || pragmas.pack.is_some() || on_members("aligned"));
        if has_bits && (by_pragma || as_windows || aligned_bits) {
            self.unknown.get_or_insert(self.ast[specs].span);
        }
        fields.iter().for_each(|field| self.specs(field.specs));
    }

    fn fields(&self, members: MemberList) -> Vec<Field> {
        let fields = self.ast[members].iter().filter_map(|member| match member {
            Member::Field(field) => Some(*field),
            Member::StaticAssert { .. } => None,
        });
        fields.collect()
    }

    fn has(&self, list: AttrList, name: &str) -> bool {
        self.ast[list].iter().any(|attribute| self.names.resolve(attribute.name) == name)
    }
}
