// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether what a library function reads has been written.
//!
//! Bytes that nobody may have written make it open. Of bytes that somebody may have written (a text of unknown length in a
//! buffer) nothing is known but where they are constant in number; the assumption `library-reads-written` speaks of the
//! rest.

use crate::domain::Tri;
use crate::domain::int::Int;
use crate::domain::value::Address;
use crate::engine::facts::Facts;
use crate::state::State;

/// Texts are looked at so far.
const FAR: u64 = 1 << 16;

/// Whether so many bytes from the address on are written, or those up to the first NUL.
pub(super) fn is_written(facts: &Facts<'_>, state: &State, address: &Address, bytes: Option<&Int>) -> Tri {
    for (id, offset) in &address.targets {
        let Some(object) = state.object(*id).filter(|_| !facts.is_summary(*id)) else { continue };
        let Some(from) = offset.as_constant().and_then(|from| u64::try_from(from).ok()) else { continue };
        let end = u64::try_from(object.size.lo()).unwrap_or(0).min(from.saturating_add(FAR));
        let (to, exact) = match bytes {
            Some(bytes) => {
                let surely = u64::try_from(bytes.lo()).unwrap_or(0);
                (from.saturating_add(surely).min(end), bytes.as_constant().is_some())
            }
            // The byte that may be the first NUL is read in any case.
            None => (object.contents.first_nul(from, end).0.saturating_add(1).min(end), false),
        };
        let is_open = match exact {
            true => object.contents.may_be_unwritten(from, to),
            false => object.contents.is_never_written(from, to),
        };
        if is_open {
            return Tri::Maybe;
        }
    }
    Tri::True
}
