//! What a design instance is made with: port widths, parameters, and the places of its events.

use std::collections::BTreeMap;

use crate::DESIGN_WORDS;
use crate::error::DesignError;
use crate::register::{Events, PortWidths};

/// What a design instance is made with; RTL and cycle model get the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// Slots of the port.
    pub widths: PortWidths,
    /// Values of the design's parameters.
    pub parameters: Parameters,
    /// Where each event lies in the event vector.
    pub events: EventLayout,
    /// Parameters that are words of [`crate::PortConfig::own`], by word.
    pub configuration: Vec<String>,
}

impl Instance {
    /// An instance without parameters and named events.
    #[must_use]
    pub fn of_widths(widths: PortWidths) -> Self {
        Self {
            widths,
            parameters: Parameters::default(),
            events: EventLayout::default(),
            configuration: Vec::new(),
        }
    }

    /// The instance with another value of a parameter.
    #[must_use]
    pub fn with(mut self, name: &str, value: i64) -> Self {
        self.parameters.0.insert(name.to_owned(), value);
        self
    }

    /// Which word of [`crate::PortConfig::own`] parameter `name` of `design` is.
    ///
    /// # Errors
    /// [`DesignError::Instance`]: it is none.
    pub fn word(&self, design: &'static str, name: &str) -> Result<usize, DesignError> {
        self.configuration.iter().position(|other| other == name).ok_or_else(|| DesignError::Instance {
            design,
            what: format!("its manifest has no configuration parameter '{name}', which the model reads"),
        })
    }

    /// Values of the configuration parameters in their words; 0 in those that have none.
    #[must_use]
    pub fn design_words(&self) -> [u32; DESIGN_WORDS] {
        std::array::from_fn(|word| {
            let value = self.configuration.get(word).and_then(|name| self.parameters.get(name));
            value.and_then(|value| u32::try_from(value).ok()).unwrap_or(0)
        })
    }
}

/// Values of a design's parameters by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parameters(BTreeMap<String, i64>);

impl Parameters {
    /// The value of parameter `name`, if the design has it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<i64> {
        self.0.get(name).copied()
    }

    /// The value of parameter `name` of `design` as a size.
    ///
    /// # Errors
    /// [`DesignError::Instance`]: there is no such parameter, or its value is no size.
    pub fn size(&self, design: &'static str, name: &str) -> Result<usize, DesignError> {
        let wrong = |what: String| DesignError::Instance { design, what };
        let value = self.get(name).ok_or_else(|| wrong(format!("parameter '{name}' has no value")))?;
        usize::try_from(value)
            .map_err(|_| wrong(format!("parameter '{name}' is {value}: a size is expected")))
    }

    /// Names and values, in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, i64)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value))
    }
}

impl<N: Into<String>> FromIterator<(N, i64)> for Parameters {
    fn from_iter<I: IntoIterator<Item = (N, i64)>>(values: I) -> Self {
        Self(values.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }
}

/// Where one event lies in the event vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EventField {
    /// Lowest bit.
    pub lsb: u16,
    /// Number of bits.
    pub width: u16,
}

impl EventField {
    /// Sets the bits of `value` in the field; `value` must fit it.
    #[inline]
    pub fn set(self, events: &mut Events, value: u64) {
        debug_assert!(
            self.width >= 64 || value >> self.width == 0,
            "{value:#x} in an event field of {} bits",
            self.width
        );
        // Most events do not happen in most cycles.
        if value != 0 {
            set_bits(events, usize::from(self.lsb), value);
        }
    }

    /// Sets the bits of `value` from bit `first` of the field on; it must fit behind that.
    #[inline]
    pub fn set_from(self, events: &mut Events, first: u16, value: u64) {
        Self { lsb: self.lsb + first, width: self.width.saturating_sub(first) }.set(events, value);
    }

    /// Sets the bits of a value that may have more than 64.
    #[inline]
    pub fn set_wide(self, events: &mut Events, value: u128) {
        if value != 0 {
            self.set_from(events, 0, value as u64);
            self.set_from(events, 64, (value >> 64) as u64);
        }
    }

    /// The bits of the field that `bit` of the event vector is one of, from its lowest.
    #[must_use]
    pub fn place(self, bit: usize) -> Option<usize> {
        bit.checked_sub(usize::from(self.lsb)).filter(|&place| place < usize::from(self.width))
    }

    /// The first bit above the field.
    #[must_use]
    pub fn end(self) -> usize {
        usize::from(self.lsb) + usize::from(self.width)
    }
}

/// Sets the bits of `value` from bit `lsb` of `events` on, across words.
#[inline]
pub fn set_bits(events: &mut Events, lsb: usize, value: u64) {
    let (word, shift) = (lsb / 32, lsb % 32);
    events[word] |= (value << shift) as u32;
    let above = value >> (32 - shift);
    if above != 0 {
        events[word + 1] |= above as u32;
        if above >> 32 != 0 {
            events[word + 2] |= (above >> 32) as u32;
        }
    }
}

/// Where the events of a design instance lie, by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EventLayout {
    fields: Vec<(String, EventField)>,
    bits: usize,
}

impl EventLayout {
    /// A layout of the given fields.
    #[must_use]
    pub fn new(fields: Vec<(String, EventField)>) -> Self {
        let bits = fields.iter().map(|(_, field)| field.end()).max().unwrap_or(0);
        Self { fields, bits }
    }

    /// Where event `name` lies, if there is one.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<EventField> {
        self.fields.iter().find(|(event, _)| event == name).map(|(_, field)| *field)
    }

    /// Where event `name` of `design` lies.
    ///
    /// # Errors
    /// [`DesignError::Instance`]: the manifest has no such event.
    pub fn require(&self, design: &'static str, name: &str) -> Result<EventField, DesignError> {
        self.field(name).ok_or_else(|| DesignError::Instance {
            design,
            what: format!("its manifest has no event '{name}', which the model gives"),
        })
    }

    /// Names and places, in the manifest's order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, EventField)> {
        self.fields.iter().map(|(name, field)| (name.as_str(), *field))
    }

    /// The event that bit `bit` of the event vector belongs to, and the bit's place in it.
    #[must_use]
    pub fn of_bit(&self, bit: usize) -> Option<(&str, usize)> {
        self.iter().find_map(|(name, field)| Some((name, field.place(bit)?)))
    }

    /// Bits in use.
    #[must_use]
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// 32-bit words in use.
    #[must_use]
    pub fn words(&self) -> usize {
        self.bits.div_ceil(32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_set_across_words() {
        for lsb in [0, 1, 17, 31, 32, 63] {
            let value = 0x8000_1234_0000_0001_u64;
            let mut events = Events::default();
            set_bits(&mut events, lsb, value);
            for bit in 0..192 {
                let expected = bit >= lsb && bit < lsb + 64 && value >> (bit - lsb) & 1 != 0;
                assert_eq!(events[bit / 32] >> (bit % 32) & 1 != 0, expected, "bit {bit} from {lsb}");
            }
        }
        // The last bits of the vector have no word behind them.
        let mut events = Events::default();
        set_bits(&mut events, crate::EVENT_BITS - 3, 0b101);
        assert_eq!(events[events.len() - 1], 0b101 << 29);
    }

    #[test]
    fn a_field_takes_wide_values_and_parts_of_them() {
        let field = EventField { lsb: 40, width: 100 };
        let value = 0x8_1234_5678_9abc_def0_0fed_cba9_u128;
        let (mut whole, mut parts) = (Events::default(), Events::default());
        field.set_wide(&mut whole, value);
        for first in (0..100_u16).step_by(20) {
            field.set_from(&mut parts, first, (value >> first) as u64 & 0xf_ffff);
        }
        assert_eq!(parts, whole);
        for bit in 0..crate::EVENT_BITS {
            let expected = field.place(bit).is_some_and(|place| value >> place & 1 != 0);
            assert_eq!(whole[bit / 32] >> (bit % 32) & 1 != 0, expected, "bit {bit}");
        }
    }

    #[test]
    fn configuration_parameters_have_words() {
        let mut made =
            Instance::of_widths(PortWidths { issue: 2, result: 2 }).with("depth", 7).with("slow", 1);
        made.configuration = vec!["slow".to_owned(), "depth".to_owned()];
        assert_eq!(made.word("some", "depth"), Ok(1));
        assert_eq!(made.design_words()[..3], [1, 7, 0]);
        let missing = made.word("some", "width").expect_err("there is none");
        assert!(missing.to_string().contains("no configuration parameter 'width'"), "{missing}");
    }

    #[test]
    fn a_layout_knows_the_event_of_a_bit() {
        let field = |lsb, width| EventField { lsb, width };
        let layout = EventLayout::new(vec![("read".into(), field(0, 40)), ("level".into(), field(40, 4))]);
        assert_eq!((layout.bits(), layout.words()), (44, 2));
        assert_eq!(layout.of_bit(39), Some(("read", 39)));
        assert_eq!(layout.of_bit(40), Some(("level", 0)));
        assert_eq!(layout.of_bit(44), None);
        let missing = layout.require("some", "write").expect_err("there is none");
        assert!(missing.to_string().contains("no event 'write'"), "{missing}");
        let parameters: Parameters = [("banks", 8), ("offset", -1)].into_iter().collect();
        assert_eq!(parameters.size("some", "banks"), Ok(8));
        assert!(parameters.size("some", "offset").is_err() && parameters.size("some", "rows").is_err());
    }
}
