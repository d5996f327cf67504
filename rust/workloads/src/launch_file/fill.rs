//! What a buffer holds at the begin.

use super::element::{ElementType, Number, Scalar};
use crate::random::SplitMix64;

/// A pattern; element `i` follows from `i`, the number of elements and the seed.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Fill {
    /// Nothing: a kernel that reads it before it wrote is in error.
    None,
    /// The same number everywhere.
    Constant(Scalar),
    /// `start + step * i`, with `i` modulo `modulo` when there is one.
    Iota { start: Scalar, step: Scalar, modulo: Option<u64> },
    /// From `low` at the first to `high` at the last element, in equal steps.
    Linspace { low: Scalar, high: Scalar },
    /// Independent draws in `low <= x < high`.
    Random { seed: Option<u64>, range: Option<(Scalar, Scalar)> },
    /// 0 .. elements - 1, each once, in random order.
    Permutation { seed: Option<u64> },
    /// These numbers.
    Values(Vec<Scalar>),
}

impl Fill {
    /// The bytes of a buffer; `run` is the seed where none was given and `stream` the buffer's number.
    pub(super) fn bytes(
        &self,
        element: ElementType,
        elements: u64,
        run: u64,
        stream: u64,
    ) -> Option<Vec<u8>> {
        // Parsing bounds `elements`.
        let mut bytes = Vec::with_capacity(usize::try_from(elements).ok()? * element.bytes() as usize);
        let random = |seed: &Option<u64>| SplitMix64::new(seed.unwrap_or(run), stream);
        match self {
            Self::None => return None,
            Self::Values(values) => values.iter().for_each(|v| element.put(v.number, &mut bytes)),
            Self::Constant(value) => (0..elements).for_each(|_| element.put(value.number, &mut bytes)),
            Self::Iota { start, step, modulo } => {
                for i in 0..elements {
                    let i = modulo.map_or(i, |m| i % m.max(1));
                    element.put(line(start.number, step.number, i), &mut bytes);
                }
            }
            Self::Linspace { low, high } => {
                let (low, high) = (low.number.float(), high.number.float());
                let steps = to_float(elements.saturating_sub(1).max(1));
                for i in 0..elements {
                    let at = to_float(i) / steps;
                    element.put(Number::Float(low * (1.0 - at) + high * at), &mut bytes);
                }
            }
            Self::Random { seed, range } => {
                let mut random = random(seed);
                for _ in 0..elements {
                    element.put(draw(random.next_u64(), element, *range), &mut bytes);
                }
            }
            Self::Permutation { seed } => {
                let mut random = random(seed);
                let mut order: Vec<u64> = (0..elements).collect();
                for last in (1..order.len()).rev() {
                    let other = (u128::from(random.next_u64()) * (last as u128 + 1)) >> 64;
                    order.swap(last, usize::try_from(other).unwrap_or(0));
                }
                order.iter().for_each(|&i| element.put(Number::Integer(i.into()), &mut bytes));
            }
        }
        Some(bytes)
    }
}

#[allow(clippy::cast_precision_loss)]
fn to_float(i: u64) -> f64 {
    i as f64
}

fn line(start: Number, step: Number, i: u64) -> Number {
    match (start, step) {
        (Number::Integer(start), Number::Integer(step)) => {
            Number::Integer(start.wrapping_add(step.wrapping_mul(i.into())))
        }
        _ => Number::Float(start.float() + step.float() * to_float(i)),
    }
}

/// A number in `range`; without one in -1 .. 1 for floats and any integer.
fn draw(bits: u64, element: ElementType, range: Option<(Scalar, Scalar)>) -> Number {
    match range.map(|(low, high)| (low.number, high.number)) {
        None if element.is_float() => Number::Float(unit(bits) * 2.0 - 1.0),
        None => Number::Integer(i128::from(bits)),
        Some((Number::Integer(low), Number::Integer(high))) => {
            let span = high.abs_diff(low);
            // span and bits are below 2^64, so the product fits and the quotient is below span.
            Number::Integer(low.wrapping_add_unsigned((u128::from(bits) * span) >> 64))
        }
        Some((low, high)) => Number::Float(low.float() + unit(bits) * (high.float() - low.float())),
    }
}

/// A float in 0 .. 1 from 53 bits.
fn unit(bits: u64) -> f64 {
    to_float(bits >> 11) / to_float(1 << 53)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(element: ElementType, value: i128) -> Scalar {
        let number = if element.is_float() { Number::Float(value as f64) } else { Number::Integer(value) };
        Scalar { element, number }
    }

    fn floats(fill: &Fill, elements: u64) -> Vec<f64> {
        let bytes = fill.bytes(ElementType::F32, elements, 1, 0).expect("filled");
        bytes.chunks_exact(4).map(|b| ElementType::F32.float(b)).collect()
    }

    #[test]
    fn patterns_are_what_their_names_say() {
        let f = |v| number(ElementType::F32, v);
        assert_eq!(floats(&Fill::Constant(f(7)), 3), [7.0; 3]);
        let ramp = Fill::Iota { start: f(10), step: f(-2), modulo: None };
        assert_eq!(floats(&ramp, 4), [10.0, 8.0, 6.0, 4.0]);
        let checker = Fill::Iota { start: f(0), step: f(1), modulo: Some(2) };
        assert_eq!(floats(&checker, 5), [0.0, 1.0, 0.0, 1.0, 0.0]);
        let line = Fill::Linspace { low: f(0), high: f(3) };
        assert_eq!(floats(&line, 4), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(floats(&line, 1), [0.0]);
        assert_eq!(Fill::None.bytes(ElementType::F32, 4, 1, 0), None);
    }

    #[test]
    fn integers_wrap_and_halves_round() {
        let u8s = ElementType::U8;
        let iota = Fill::Iota { start: number(u8s, 250), step: number(u8s, 3), modulo: None };
        assert_eq!(iota.bytes(u8s, 4, 1, 0), Some(vec![250, 253, 0, 3]));
        let third = Scalar { element: ElementType::F16, number: Number::Float(1.0 / 3.0) };
        assert_eq!(Fill::Constant(third).bytes(ElementType::F16, 1, 1, 0), Some(vec![0x55, 0x35]));
        let third = Scalar { element: ElementType::Bf16, ..third };
        assert_eq!(Fill::Constant(third).bytes(ElementType::Bf16, 1, 1, 0), Some(vec![0xab, 0x3e]));
    }

    #[test]
    fn a_permutation_has_every_index_once() {
        let order = |run| {
            let bytes =
                Fill::Permutation { seed: None }.bytes(ElementType::U32, 100, run, 0).expect("filled");
            let words: Vec<u32> = bytes.as_chunks().0.iter().map(|w| u32::from_le_bytes(*w)).collect();
            words
        };
        let (one, two) = (order(1), order(2));
        assert_ne!(one, two);
        let mut sorted = one.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
        assert_ne!(one, sorted);
    }
}
