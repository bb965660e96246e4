// SPDX-License-Identifier: MIT OR Apache-2.0
//! What objects hold that nothing was written to, as the witness says: for those of the heap behind the allocation, for
//! those of functions where the program asks (`instrumented.rs`). What it does not say is zero, as for the interpreter.

use clew_ir::witness::{InputKind, Witness};

use crate::c_values::{literal, of_kind};

/// Whether the witness says what an allocation holds; objects of functions have a point in their names.
pub(crate) fn fills_heap(witness: &Witness) -> bool {
    of_kind(witness, InputKind::Unwritten).any(|input| !input.name.contains('.'))
}

/// The table, and how it is asked.
pub(crate) fn table(witness: &Witness) -> String {
    let rows = of_kind(witness, InputKind::Unwritten).map(|input| {
        let bytes = input.bytes().unwrap_or_default();
        format!("    {{ {}, {}, {} }},\n", literal(input.name.as_bytes()), literal(&bytes), bytes.len())
    });
    format!(
        "\n/* What objects hold before anything is written to them: the function and the object or the allocation, the first\n \
         * bytes, how many. One row serves once; everything else is 0. */\n\
         static const struct unwritten {{\n    const char *name, *bytes;\n    size_t size;\n}} unwritten[] = {{\n{}    \
         {{ NULL, NULL, 0 }},\n}};\n{FOUND}",
        rows.collect::<String>()
    )
}

const FOUND: &str = r"
/* Puts what the table says into a new object, behind what is kept of an old one. */
static void find(const char *name, char *place, size_t kept, size_t size)
{
    static unsigned char used[sizeof unwritten / sizeof unwritten[0]];
    const struct unwritten *row = unwritten;

    while (row->name && (used[row - unwritten] || !is_same(row->name, name)))
        row++;
    if (!row->name)
        return;
    used[row - unwritten] = 1;
    for (size_t at = kept; at < size && at < row->size; at++)
        place[at] = row->bytes[at];
}
";

/// For objects of the heap.
pub(crate) const BEGUN: &str = r"
static void *begun(const char *name, void *place, size_t kept, size_t size)
{
    if (place)
        find(name, place, kept, size);
    return place;
}
";

/// For objects of functions.
pub(crate) const BEGINS: &str = r"
/* The program calls this where an object begins to live. */
void clew_begins(const char *name, void *place, unsigned long long size);
void clew_begins(const char *name, void *place, unsigned long long size)
{
    for (unsigned long long at = 0; at < size; at++)
        ((char *)place)[at] = 0;
    find(name, place, 0, size);
}
";

#[cfg(test)]
mod tests {
    use clew_ir::witness::{Input, VERSION};

    use super::*;

    fn witness(name: &str) -> Witness {
        let (bits, value) = (Some("0x0041".into()), None);
        let input = Input { kind: InputKind::Unwritten, name: name.into(), bits, value };
        Witness { version: VERSION, inputs: vec![input], goes_on_after: Vec::new() }
    }

    #[test]
    fn a_point_tells_objects_of_functions_from_allocations() {
        assert!(fills_heap(&witness("malloc")));
        assert!(!fills_heap(&witness("main.buffer")));
    }

    #[test]
    fn a_row_has_the_name_the_bytes_and_how_many() {
        let table = table(&witness("main.buffer"));
        assert!(table.contains(r#"{ "main.buffer", "\000A", 2 },"#), "{table}");
    }
}
