//! What the bits of the event vector mean, and where they lie.

use heddle_port::{EVENT_BITS, EventField, EventLayout, Parameters};
use serde::Deserialize;

use crate::formula::{Formula, Value};
use crate::parameters::Wrong;

/// A range of event bits.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Name, unique in the design.
    pub name: String,
    /// Lowest bit, where it is not the first behind the event before.
    pub lsb: Option<u16>,
    /// Number of bits, often one a bank: a formula of parameters.
    pub width: Formula,
    /// Whether set bits are summed into the statistics; others are only compared (grants, states).
    pub counted: bool,
    /// Bits of a number, where the event is a row of numbers whose sum in the last cycle of each launch is summed as
    /// `NAME_at_end`.
    pub at_end: Option<u16>,
    /// The field is a number, and the number is what is summed.
    #[serde(default)]
    pub level: bool,
    /// What a set bit says.
    pub doc: String,
}

/// Where the events lie with the given parameters.
///
/// # Errors
/// A width that is no number of bits, places that overlap, or more bits than the port has.
pub(crate) fn layout(events: &[Event], parameters: &Parameters) -> Result<EventLayout, Wrong> {
    let mut fields = Vec::with_capacity(events.len());
    let mut next = 0;
    for event in events {
        let Event { name, width, .. } = event;
        let width = width
            .evaluate(&|name| parameters.get(name).map(Value::Number))
            .map_err(|what| format!("width of event '{name}': {what}"))?;
        let bits = usize::try_from(width).ok().filter(|&bits| (1..=EVENT_BITS).contains(&bits));
        let Some(bits) = bits else {
            return Err(format!("event '{name}' has {width} bits: 1 to {EVENT_BITS} are expected"));
        };
        let lsb = event.lsb.map_or(next, usize::from);
        if lsb < next {
            return Err(format!(
                "event '{name}' begins at bit {lsb}, and the event before ends below bit {next}"
            ));
        }
        next = lsb + bits;
        if next > EVENT_BITS {
            return Err(format!(
                "event '{name}' has bits {lsb}..{next}: all below {EVENT_BITS} are expected"
            ));
        }
        if event.at_end.is_some_and(|number| !(1..=16).contains(&number) || bits % usize::from(number) != 0) {
            return Err(format!(
                "event '{name}' has at_end = {}: bits of a number, 1 to 16, that divide its width {bits} are expected",
                event.at_end.unwrap_or(0)
            ));
        }
        // Both are below EVENT_BITS.
        fields.push((name.clone(), EventField { lsb: lsb as u16, width: bits as u16 }));
    }
    Ok(EventLayout::new(fields))
}

/// Names that are there twice, and widths of unknown names.
pub(crate) fn check(events: &[Event], known: &dyn Fn(&str) -> bool) -> Result<(), Wrong> {
    for (i, event) in events.iter().enumerate() {
        if events[..i].iter().any(|other| other.name == event.name) {
            return Err(format!("event '{}' is there twice", event.name));
        }
        if let Some(name) = event.width.names().into_iter().find(|name| !known(name)) {
            return Err(format!("width of event '{}': '{name}' is no parameter", event.name));
        }
    }
    Ok(())
}
