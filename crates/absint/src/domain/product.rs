// SPDX-License-Identifier: MIT OR Apache-2.0
//! One element of each relational domain: the reduced product that a state holds.
//!
//! A register changes by [`State::write_register`](crate::state::State::write_register) alone, which comes here: a domain either says
//! what it knows of the new value ([`Known`]) or is told to forget the old one. There is no third way, so that a domain cannot be left
//! out by oversight.

use clew_ir::syntax::LocalId;

use crate::domain::affine::Spaces;
use crate::domain::difference::Relations;
use crate::domain::int::Int;
use crate::domain::linear::Sum;
use crate::domain::octagons::Octagons;
use crate::domain::ranges::Ranges;
use crate::domain::relational::{Concrete, Relational};
use crate::domain::var::Var;
use crate::program::thresholds::Thresholds;

/// Makes the product of some domains: each operation is that of every one of them.
macro_rules! product {
    ($($(#[$attribute:meta])* $field:ident: $domain:ty,)*) => {
        /// One element of each relational domain.
        #[derive(Clone, PartialEq, Debug, Default)]
        pub struct Product {
            $($(#[$attribute])* pub(crate) $field: $domain,)*
        }

        /// What domains know after an assignment to a register; the others forget it, or follow the sum.
        #[derive(Default)]
        pub(crate) struct Known {
            $($(#[$attribute])* pub(crate) $field: Option<$domain>,)*
        }

        impl Product {
            /// Whether a domain asks for the sums that are assigned.
            pub(crate) const FOLLOWS_SUMS: bool = {
                let mut follows = false;
                $($(#[$attribute])* {
                    follows |= <$domain as Relational>::FOLLOWS_SUMS;
                })*
                follows
            };

            /// What holds after one or the other.
            #[must_use]
            pub(crate) fn join(&self, other: &Product, here: &dyn Ranges, there: &dyn Ranges) -> Product {
                Product { $($(#[$attribute])* $field: Relational::join(&self.$field, &other.$field, here, there),)* }
            }

            /// The join, or more, so that loops come to an end.
            #[must_use]
            pub(crate) fn widen(&self, next: &Product, there: &dyn Ranges, thresholds: &Thresholds) -> Product {
                Product {
                    $($(#[$attribute])* $field: Relational::widen(&self.$field, &next.$field, there, thresholds),)*
                }
            }

            /// Whether the other says all that this says, or its ranges do.
            pub(crate) fn is_implied_by(&self, other: &Product, ranges: &dyn Ranges) -> bool {
                $($(#[$attribute])* {
                    if !Relational::is_implied_by(&self.$field, &other.$field, ranges) {
                        return false;
                    }
                })*
                true
            }

            /// A register gets a value that nothing is known of.
            pub(crate) fn forget(&mut self, local: LocalId) {
                $($(#[$attribute])* Relational::forget(&mut self.$field, local);)*
            }

            /// Nothing reads the other registers before they are assigned again.
            pub(crate) fn retain(&mut self, live: &dyn Fn(LocalId) -> bool) {
                $($(#[$attribute])* Relational::retain(&mut self.$field, live);)*
            }

            /// A register is assigned: what is known of it is this, or follows from the sum of registers that it is, if it is one.
            pub(crate) fn assign(&mut self, local: LocalId, known: Known, sum: Option<&Sum>) {
                $($(#[$attribute])* match known.$field {
                    Some(domain) => self.$field = domain,
                    None => Relational::assign(&mut self.$field, local, sum),
                })*
            }

            /// What a sum of registers may be.
            pub(crate) fn value(&self, sum: &Sum) -> Option<Int> {
                let mut value: Option<Int> = None;
                $($(#[$attribute])* {
                    if let Some(own) = Relational::value(&self.$field, sum) {
                        value = Some(value.and_then(|other| other.meet(&own)).unwrap_or(own));
                    }
                })*
                value
            }

            /// Whether a run is one of those that all of them stand for.
            pub(crate) fn contains(&self, run: &dyn Concrete) -> Result<(), String> {
                $($(#[$attribute])* Relational::contains(&self.$field, run)?;)*
                Ok(())
            }

            /// In words.
            pub(crate) fn describe(&self, name: &dyn Fn(Var) -> Option<String>) -> Vec<String> {
                let mut texts = Vec::new();
                $($(#[$attribute])* texts.extend(Relational::describe(&self.$field, name));)*
                texts
            }
        }
    };
}

// The domains, one a line.
product! {
    relations: Relations,
    octagons: Octagons,
    spaces: Spaces,
    #[cfg(test)]
    parity: crate::domain::parity::Parity,
}
