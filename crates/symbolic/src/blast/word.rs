// SPDX-License-Identifier: MIT OR Apache-2.0
//! Words of bits, lowest first, and the circuits that compute with them. No limit on the width.

use super::gates::{Gates, Lit};

/// A bit-vector: its bits, lowest first.
pub type Word = Vec<Lit>;

/// The low `width` bits of a constant.
pub fn constant(width: usize, value: u128) -> Word {
    (0..width).map(|bit| Lit::constant(bit < 128 && value >> bit & 1 == 1)).collect()
}

/// The complement.
pub fn not(a: &[Lit]) -> Word {
    a.iter().map(|&bit| !bit).collect()
}

/// Zeros added above (or bits cut off), up to `width`.
pub fn zext(a: &[Lit], width: usize) -> Word {
    extend(a, width, Lit::FALSE)
}

/// Copies of the sign bit added above (or bits cut off), up to `width`.
pub fn sext(a: &[Lit], width: usize) -> Word {
    extend(a, width, a[a.len() - 1])
}

fn extend(a: &[Lit], width: usize, fill: Lit) -> Word {
    let mut word = a[..a.len().min(width)].to_vec();
    word.resize(width, fill);
    word
}

/// `low` below `high`.
pub fn concat(high: &[Lit], low: &[Lit]) -> Word {
    [low, high].concat()
}

impl Gates {
    /// Bit by bit.
    pub fn zip(&mut self, a: &[Lit], b: &[Lit], join: fn(&mut Gates, Lit, Lit) -> Lit) -> Word {
        debug_assert_eq!(a.len(), b.len());
        a.iter().zip(b).map(|(&x, &y)| join(self, x, y)).collect()
    }

    /// `a` if `condition`, else `b`.
    pub fn mux_word(&mut self, condition: Lit, a: &[Lit], b: &[Lit]) -> Word {
        debug_assert_eq!(a.len(), b.len());
        a.iter().zip(b).map(|(&x, &y)| self.mux(condition, x, y)).collect()
    }

    /// The word if `condition`, else zero.
    pub fn gate_word(&mut self, condition: Lit, a: &[Lit]) -> Word {
        a.iter().map(|&x| self.and(condition, x)).collect()
    }

    /// The sum with a carry in, and the carry out.
    pub fn add_carry(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> (Word, Lit) {
        debug_assert_eq!(a.len(), b.len());
        let mut carry = carry;
        let mut sum = Vec::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            let half = self.xor(x, y);
            sum.push(self.xor(half, carry));
            carry = self.majority(x, y, carry);
        }
        (sum, carry)
    }

    /// The sum modulo 2^width.
    pub fn add(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.add_carry(a, b, Lit::FALSE).0
    }

    /// The difference modulo 2^width, and whether `a >= b` as unsigned numbers.
    pub fn sub_borrow(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Lit) {
        self.add_carry(a, &not(b), Lit::TRUE)
    }

    /// The difference modulo 2^width.
    pub fn sub(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.sub_borrow(a, b).0
    }

    /// `-a` modulo 2^width.
    pub fn neg(&mut self, a: &[Lit]) -> Word {
        self.sub(&constant(a.len(), 0), a)
    }

    /// `a + 1` if `condition`, else `a`, with the carry out.
    pub fn increment_if(&mut self, a: &[Lit], condition: Lit) -> (Word, Lit) {
        self.add_carry(a, &constant(a.len(), 0), condition)
    }

    /// `-a` if `condition`, else `a`.
    pub fn neg_if(&mut self, a: &[Lit], condition: Lit) -> Word {
        let flipped: Word = a.iter().map(|&bit| self.xor(bit, condition)).collect();
        self.increment_if(&flipped, condition).0
    }

    /// Whether the words are equal.
    pub fn eq(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let bits = self.zip(a, b, Gates::iff);
        self.all(&bits)
    }

    /// Whether `a < b` as unsigned numbers.
    pub fn ult(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        debug_assert_eq!(a.len(), b.len());
        // From the lowest bit up: where the bits differ, `b`'s decides.
        a.iter().zip(b).fold(Lit::FALSE, |less, (&x, &y)| self.majority(!x, y, less))
    }

    /// Whether `a < b` as signed numbers.
    pub fn slt(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let flip = |word: &[Lit]| {
            let mut word = word.to_vec();
            if let Some(sign) = word.last_mut() {
                *sign = !*sign;
            }
            word
        };
        self.ult(&flip(a), &flip(b))
    }

    /// The product modulo 2^width.
    pub fn mul(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let width = a.len();
        let constants = |word: &[Lit]| word.iter().filter(|bit| bit.as_constant().is_some()).count();
        // Rows with a constant selector cost less.
        let (a, b) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
        if let Some(factor) = all_constant(b) {
            return self.mul_constant(a, &factor);
        }
        let mut sum = constant(width, 0);
        for (place, &selector) in b.iter().enumerate() {
            let row = self.gate_word(selector, &a[..width - place]);
            let upper = self.add(&sum[place..], &row);
            sum.splice(place.., upper);
        }
        sum
    }

    /// The product with a constant: as many additions and subtractions as its signed digits (no two neighbours
    /// among them are nonzero) need.
    fn mul_constant(&mut self, a: &[Lit], factor: &[bool]) -> Word {
        let width = a.len();
        let mut sum = constant(width, 0);
        let mut carry = false;
        for place in 0..width {
            let digit = u8::from(factor[place]) + u8::from(carry);
            if digit != 1 {
                carry = digit == 2;
                continue;
            }
            // One less than the next power of two is cheaper than a run of ones.
            carry = place + 1 < width && factor[place + 1];
            let (upper, row) = (sum[place..].to_vec(), &a[..width - place]);
            let upper = if carry { self.sub(&upper, row) } else { self.add(&upper, row) };
            sum.splice(place.., upper);
        }
        sum
    }

    /// Quotient and remainder of unsigned numbers, by long division; all ones and the dividend if the divisor is
    /// zero.
    pub fn udivrem(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let width = a.len();
        let mut rest: Word = Vec::new();
        let mut quotient = constant(width, 0);
        for place in (0..width).rev() {
            rest.insert(0, a[place]);
            // The rest has as many bits as were taken, so a divisor with more than those does not fit.
            let length = rest.len();
            let high = self.any(&b[length..]);
            let (difference, fits) = self.sub_borrow(&rest, &b[..length]);
            let fits = self.and(fits, !high);
            quotient[place] = fits;
            rest = self.mux_word(fits, &difference, &rest);
        }
        (quotient, rest)
    }

    /// Quotient and remainder of signed numbers, truncated; the conventions of `BinaryOp::Sdiv` and `Srem`.
    pub fn sdivrem(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
        let (magnitude_a, magnitude_b) = (self.neg_if(a, sign_a), self.neg_if(b, sign_b));
        let (quotient, remainder) = self.udivrem(&magnitude_a, &magnitude_b);
        let negative = self.xor(sign_a, sign_b);
        (self.neg_if(&quotient, negative), self.neg_if(&remainder, sign_a))
    }

    /// Left shift; zero if the count is not less than the width.
    pub fn shl(&mut self, a: &[Lit], count: &[Lit]) -> Word {
        let reversed: Word = a.iter().rev().copied().collect();
        let mut shifted = self.shift_right(&reversed, count, Lit::FALSE);
        shifted.reverse();
        shifted
    }

    /// Right shift with `fill` coming in; all `fill` if the count is not less than the width.
    pub fn shift_right(&mut self, a: &[Lit], count: &[Lit], fill: Lit) -> Word {
        let width = a.len();
        let mut word = a.to_vec();
        let mut beyond = Vec::new();
        for (place, &bit) in count.iter().enumerate() {
            let distance = if place < 32 { 1usize << place } else { usize::MAX };
            if distance >= width {
                beyond.push(bit);
                continue;
            }
            word = (0..width)
                .map(|at| {
                    let from = word.get(at + distance).copied().unwrap_or(fill);
                    self.mux(bit, from, word[at])
                })
                .collect();
        }
        let beyond = self.any(&beyond);
        word.iter().map(|&bit| self.mux(beyond, fill, bit)).collect()
    }

    /// Logical right shift of a number whose lowest bit is sticky: it stays set if any one is shifted out.
    pub fn shift_right_sticky(&mut self, a: &[Lit], count: &[Lit]) -> Word {
        let width = a.len();
        let mut word = a.to_vec();
        let mut stages: Vec<(usize, Lit)> = Vec::new();
        let mut beyond = Vec::new();
        for (place, &bit) in count.iter().enumerate() {
            if place < 32 && 1usize << place < width {
                stages.push((1 << place, bit))
            } else {
                beyond.push(bit)
            }
        }
        stages.push((width, self.any(&beyond)));
        for (distance, bit) in stages {
            let lost = self.any(&word[..distance]);
            let mut shifted = zext(&word[distance..], width);
            shifted[0] = self.or(shifted[0], lost);
            word = self.mux_word(bit, &shifted, &word);
        }
        word
    }

    /// The number of leading zeros, in as many bits as the width needs.
    pub fn leading_zeros(&mut self, a: &[Lit]) -> Word {
        // Halves of a power of two: the count of a pair is that of the high half, or, if that is all zeros, the
        // half's length plus that of the low one.
        let size = a.len().next_power_of_two();
        // Ones below the number keep the count of zeros right for lengths that are no power of two.
        let mut padded = vec![Lit::TRUE; size - a.len()];
        padded.extend_from_slice(a);
        let (zero, mut count) = self.leading_zeros_of_half(&padded);
        count.push(zero);
        // All zeros with padding cannot happen, without it the count is the size.
        for bit in 0..count.len() - 1 {
            count[bit] = self.and(count[bit], !zero);
        }
        count
    }

    /// Whether a word of a power of two bits is zero, and otherwise its number of leading zeros.
    fn leading_zeros_of_half(&mut self, a: &[Lit]) -> (Lit, Word) {
        if let [bit] = a {
            return (!*bit, Vec::new());
        }
        let (low, high) = a.split_at(a.len() / 2);
        let (zero_low, count_low) = self.leading_zeros_of_half(low);
        let (zero_high, count_high) = self.leading_zeros_of_half(high);
        let mut count = self.mux_word(zero_high, &count_low, &count_high);
        count.push(zero_high);
        (self.and(zero_low, zero_high), count)
    }
}

fn all_constant(word: &[Lit]) -> Option<Vec<bool>> {
    word.iter().map(|bit| bit.as_constant()).collect()
}
