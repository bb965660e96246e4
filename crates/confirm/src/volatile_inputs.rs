// SPDX-License-Identifier: MIT OR Apache-2.0
//! What volatile variables hold that come from outside (`clew_ir::volatile_inputs`), as the witness says. The program as clew reads
//! it asks at every read of one; no other build can be told.

use clew_ir::witness::{Input, InputKind, Witness};

/// Whether some read gives something else than what memory holds that nobody writes to.
pub(crate) fn is_needed(witness: &Witness) -> bool {
    inputs(witness).any(|input| input.pattern() != Some(0))
}

/// What is read from outside, in order: of variables and of hardware registers.
fn inputs(witness: &Witness) -> impl Iterator<Item = &Input> {
    let kinds = [InputKind::Volatile, InputKind::Register];
    witness.inputs.iter().filter(move |input| kinds.contains(&input.kind))
}

/// What the program asks.
pub(crate) fn table(witness: &Witness) -> String {
    let rows = inputs(witness).map(|input| {
        let bits = input.pattern().unwrap_or(0);
        let value = input.value.as_deref().unwrap_or("?");
        format!(
            "        {{ {:#x}, {:#x} }}, /* {}: {value} */\n",
            bits as u64,
            (bits >> 64) as u64,
            input.name
        )
    });
    SENSES.replace("ROWS", &rows.collect::<String>())
}

const SENSES: &str = r"
/* The program calls this where it reads a volatile variable that nothing in it writes, or a hardware register. The values in order, their low
 * and their high half; then 0. */
void clew_senses(void *place, unsigned long long size);
void clew_senses(void *place, unsigned long long size)
{
    static const unsigned long long values[][2] = {
ROWS        { 0, 0 },
    };
    static size_t next;
    const size_t last = sizeof values / sizeof values[0] - 1;
    const unsigned long long *value = values[next < last ? next++ : last];

    for (unsigned long long at = 0; at < size && at < 16; at++)
        ((unsigned char *)place)[at] = (unsigned char)(value[at / 8] >> at % 8 * 8);
}
";

#[cfg(test)]
mod tests {
    use clew_ir::witness::VERSION;

    use super::*;

    fn witness(kind: InputKind, bits: &str) -> Witness {
        let input = Input { kind, name: "sensor".into(), bits: Some(bits.into()), value: Some("v".into()) };
        Witness { version: VERSION, inputs: vec![input], goes_on_after: Vec::new() }
    }

    #[test]
    fn zeros_and_other_inputs_need_no_table() {
        assert!(!is_needed(&witness(InputKind::Volatile, "0x0")));
        assert!(!is_needed(&witness(InputKind::Call, "0x5")));
        assert!(is_needed(&witness(InputKind::Volatile, "0x5")));
        assert!(is_needed(&witness(InputKind::Register, "0x5")));
    }

    #[test]
    fn a_row_has_the_low_and_the_high_half() {
        let table = table(&witness(InputKind::Volatile, "0x20000000000000001"));
        assert!(table.contains("{ 0x1, 0x2 }, /* sensor: v */"), "{table}");
    }
}
