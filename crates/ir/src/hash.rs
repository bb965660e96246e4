// SPDX-License-Identifier: MIT OR Apache-2.0
//! A hash that is the same on every machine, in every run and in every version: FNV-1a of 128 bits. Not for
//! adversaries; for names that people write down.

/// Hashes bytes, numbers and texts.
#[derive(Clone, Debug)]
pub struct StableHasher(u128);

const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

impl Default for StableHasher {
    fn default() -> Self {
        StableHasher(OFFSET)
    }
}

impl StableHasher {
    /// A fresh one.
    pub fn new() -> Self {
        Self::default()
    }

    /// Plain bytes, without their number: texts go through [`StableHasher::text`].
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(PRIME);
        }
    }

    /// One byte, such as the tag of a variant.
    #[inline]
    pub fn tag(&mut self, tag: u8) {
        self.bytes(&[tag]);
    }

    /// A number. Small ones, which are most, cost three steps.
    #[inline]
    pub fn number(&mut self, number: u128) {
        let bytes = number.to_le_bytes();
        let length = 16 - (number.leading_zeros() / 8) as usize;
        self.tag(length as u8);
        self.bytes(&bytes[..length]);
    }

    /// A text, with its length so that neighbours do not run together.
    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u128);
        self.bytes(text.as_bytes());
    }

    /// The hash so far.
    pub fn finish(&self) -> u128 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_value_of_the_published_algorithm() {
        let mut hasher = StableHasher::new();
        hasher.bytes(b"a");
        assert_eq!(hasher.finish(), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }

    #[test]
    fn neighbours_do_not_run_together() {
        let hash = |a: &str, b: &str| {
            let mut hasher = StableHasher::new();
            hasher.text(a);
            hasher.text(b);
            hasher.finish()
        };
        assert_ne!(hash("ab", "c"), hash("a", "bc"));
    }
}
