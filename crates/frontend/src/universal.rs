// SPDX-License-Identifier: MIT OR Apache-2.0
//! Universal character names: `\u00e9` in an identifier is the same name as `é`, which rucc takes for another.

use rucc_base::Interner;
use rucc_lex::{PpToken, PpTokenKind};

/// Gives identifiers with universal character names the name that they have in UTF-8.
pub(crate) fn spell_out(tokens: &mut [PpToken], names: &mut Interner) {
    for token in tokens.iter_mut().filter(|token| token.kind == PpTokenKind::Ident) {
        let Some(name) = token.value.map(|name| names.resolve(name)).filter(|name| name.contains('\\'))
        else {
            continue;
        };
        if let Some(plain) = plain(name) {
            token.value = Some(names.intern(&plain));
        }
    }
}

fn plain(name: &str) -> Option<String> {
    let mut plain = String::new();
    let mut rest = name;
    while let Some((before, behind)) = rest.split_once('\\') {
        let digits = match behind.as_bytes().first()? {
            b'u' => 4,
            b'U' => 8,
            _ => return None,
        };
        let number = u32::from_str_radix(behind.get(1..=digits)?, 16).ok()?;
        plain.push_str(before);
        plain.push(char::from_u32(number)?);
        rest = behind.get(digits + 1..)?;
    }
    Some(plain + rest)
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn names_are_spelled_out() {
        assert_eq!(plain("\\u00e9t\\U000000e9x").as_deref(), Some("étéx"));
        assert_eq!(plain("a\\u00").as_deref(), None);
    }
}
