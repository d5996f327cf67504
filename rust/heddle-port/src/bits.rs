//! Packing of port fields into the 32-bit words of a verilated packed struct.
//!
//! Bit 0 of word 0 is the least significant bit of the struct. As in SystemVerilog, the first field
//! of a packed struct is the most significant one and element 0 of a packed array the least.

/// A value that fits one element of a port field.
pub trait Element: Copy {
    /// The value's bits, right-aligned.
    fn to_bits(self) -> u32;
    /// The value with the given bits.
    fn from_bits(bits: u32) -> Self;
}

impl Element for bool {
    #[inline]
    fn to_bits(self) -> u32 {
        u32::from(self)
    }
    #[inline]
    fn from_bits(bits: u32) -> Self {
        bits & 1 != 0
    }
}

macro_rules! integer_element {
    ($($t:ty),*) => {$(
        impl Element for $t {
            #[inline]
            fn to_bits(self) -> u32 { u32::from(self) }
            #[inline]
            #[allow(clippy::cast_possible_truncation)]
            fn from_bits(bits: u32) -> Self { bits as $t }
        }
    )*};
}
integer_element!(u8, u16, u32);

/// A whole field: one element or an array of elements.
pub trait Field: Sized {
    /// Number of elements.
    const ELEMENTS: u32;
    /// Writes the field at bit `at`, `width` bits an element.
    fn put(&self, words: &mut [u32], at: usize, width: usize);
    /// Reads the field at bit `at`, `width` bits an element.
    fn get(words: &[u32], at: usize, width: usize) -> Self;
}

impl<E: Element> Field for E {
    const ELEMENTS: u32 = 1;
    #[inline]
    fn put(&self, words: &mut [u32], at: usize, width: usize) {
        put_bits(words, at, width, self.to_bits());
    }
    #[inline]
    fn get(words: &[u32], at: usize, width: usize) -> Self {
        E::from_bits(get_bits(words, at, width))
    }
}

impl<E: Element + Default, const N: usize> Field for [E; N] {
    const ELEMENTS: u32 = N as u32;
    #[inline]
    fn put(&self, words: &mut [u32], at: usize, width: usize) {
        for (i, e) in self.iter().enumerate() {
            put_bits(words, at + i * width, width, e.to_bits());
        }
    }
    #[inline]
    fn get(words: &[u32], at: usize, width: usize) -> Self {
        let mut out = [E::default(); N];
        for (i, e) in out.iter_mut().enumerate() {
            *e = E::from_bits(get_bits(words, at + i * width, width));
        }
        out
    }
}

/// Writes the low `width` bits (1 to 32) of `value` at bit `at`.
#[inline]
pub fn put_bits(words: &mut [u32], at: usize, width: usize, value: u32) {
    let (word, shift) = (at / 32, at % 32);
    let mask = if width == 32 { u32::MAX } else { (1 << width) - 1 };
    let value = value & mask;
    words[word] = (words[word] & !(mask << shift)) | (value << shift);
    if shift + width > 32 {
        let low = 32 - shift;
        words[word + 1] = (words[word + 1] & !(mask >> low)) | (value >> low);
    }
}

/// Reads `width` bits (1 to 32) at bit `at`.
#[inline]
#[must_use]
pub fn get_bits(words: &[u32], at: usize, width: usize) -> u32 {
    let (word, shift) = (at / 32, at % 32);
    let mask = if width == 32 { u32::MAX } else { (1 << width) - 1 };
    let mut value = words[word] >> shift;
    if shift + width > 32 {
        value |= words[word + 1] << (32 - shift);
    }
    value & mask
}

/// Name, number of elements and bits an element of one field, as the SystemVerilog package and the
/// Rust struct both state it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldLayout {
    /// Field name, the same in both languages.
    pub name: &'static str,
    /// Elements of the packed array, 1 for a plain field.
    pub elements: u32,
    /// Bits of one element.
    pub width: u32,
}

/// A port struct: its layout, and its way into and out of packed words.
pub trait PortStruct: Sized {
    /// Name of the packed struct in `heddle_port_pkg`.
    const SV_NAME: &'static str;
    /// The fields, first (most significant) first.
    const FIELDS: &'static [FieldLayout];
    /// Total bits.
    const BITS: usize;
    /// Packs the struct at bit `at`.
    fn put(&self, words: &mut [u32], at: usize);
    /// Unpacks the struct from bit `at`.
    fn get(words: &[u32], at: usize) -> Self;
    /// Name of the first field in which `self` and `other` differ, with the element's index.
    fn first_difference(&self, other: &Self) -> Option<(&'static str, usize)>;

    /// Element `element` of field `name`, as a number: 0 or 1 of one bit, hexadecimal above 16 bits. `None` where
    /// there is no such element.
    fn text_of(&self, name: &str, element: usize) -> Option<String> {
        let mut words = vec![0; Self::BITS.div_ceil(32)];
        self.put(&mut words, 0);
        let mut top = Self::BITS;
        for field in Self::FIELDS {
            let (elements, width) = (field.elements as usize, field.width as usize);
            top -= elements * width;
            if field.name == name {
                let value = (element < elements).then(|| get_bits(&words, top + element * width, width))?;
                return Some(if width > 16 { format!("{value:#x}") } else { value.to_string() });
            }
        }
        None
    }
}

const fn total_bits(fields: &[FieldLayout]) -> usize {
    let (mut i, mut sum) = (0, 0);
    while i < fields.len() {
        sum += (fields[i].elements * fields[i].width) as usize;
        i += 1;
    }
    sum
}

/// Total bits of a layout.
#[must_use]
pub const fn layout_bits(fields: &[FieldLayout]) -> usize {
    total_bits(fields)
}

/// Declares a port struct with the bit width of each field's elements.
macro_rules! port_struct {
    ($(#[$meta:meta])* pub struct $name:ident : $sv:literal {
        $($(#[$fmeta:meta])* $field:ident : $ty:ty => $width:expr),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub struct $name { $($(#[$fmeta])* pub $field: $ty),* }

        impl $crate::bits::PortStruct for $name {
            const SV_NAME: &'static str = $sv;
            const FIELDS: &'static [$crate::bits::FieldLayout] = &[$(
                $crate::bits::FieldLayout {
                    name: stringify!($field),
                    elements: <$ty as $crate::bits::Field>::ELEMENTS,
                    width: $width as u32,
                }
            ),*];
            const BITS: usize = $crate::bits::layout_bits(Self::FIELDS);

            #[inline]
            fn put(&self, words: &mut [u32], at: usize) {
                let mut top = at + Self::BITS;
                $(
                    top -= <$ty as $crate::bits::Field>::ELEMENTS as usize * $width as usize;
                    $crate::bits::Field::put(&self.$field, words, top, $width as usize);
                )*
                debug_assert_eq!(top, at);
            }

            #[inline]
            fn get(words: &[u32], at: usize) -> Self {
                let mut top = at + Self::BITS;
                let value = Self {$(
                    $field: {
                        top -= <$ty as $crate::bits::Field>::ELEMENTS as usize * $width as usize;
                        $crate::bits::Field::get(words, top, $width as usize)
                    }
                ),*};
                debug_assert_eq!(top, at);
                value
            }

            fn first_difference(&self, other: &Self) -> Option<(&'static str, usize)> {
                $(
                    if self.$field != other.$field {
                        let width = $width as usize;
                        let elements = <$ty as $crate::bits::Field>::ELEMENTS as usize;
                        let words = (elements * width).div_ceil(32);
                        let (mut a, mut b) = (vec![0; words], vec![0; words]);
                        $crate::bits::Field::put(&self.$field, &mut a, 0, width);
                        $crate::bits::Field::put(&other.$field, &mut b, 0, width);
                        let element = (0..elements).find(|e| {
                            $crate::bits::get_bits(&a, e * width, width)
                                != $crate::bits::get_bits(&b, e * width, width)
                        });
                        return Some((stringify!($field), element.unwrap_or(0)));
                    }
                )*
                None
            }
        }
    };
}
pub(crate) use port_struct;
