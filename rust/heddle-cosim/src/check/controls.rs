//! Control outputs and event pulses: RTL against cycle model, every cycle.

use heddle_port::{
    EventLayout, FieldLayout, Instance, LowerKind, MemLowerRequest, MemOut, MemPerformed, MemResponse,
    PortStruct, PortWidths, REGISTER_LINES, RegOut,
};

use crate::mismatch::{Check, Mismatch, Place};

/// One difference between two sets of outputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Name of the output, of its field or event, with the index.
    pub signal: String,
    /// The model's value.
    pub expected: String,
    /// The RTL's value.
    pub actual: String,
}

/// Compares the outputs of both machines and counts what it compared.
#[derive(Debug)]
pub struct ControlCheck<'a> {
    widths: PortWidths,
    events: &'a EventLayout,
    /// Outputs compared so far.
    pub compared: u64,
    /// Those of them that are outputs of the memory port.
    pub memory_compared: u64,
    /// Cycles in which the design offers L2 a register that it spills.
    pub spills_offered: u64,
    per_cycle: u64,
}

/// Fields of a port struct other than its valid.
fn payload_fields(fields: &[FieldLayout]) -> u64 {
    fields.len() as u64 - 1
}

/// Whether the design asks L2 to take a register.
fn is_spill(request: &MemLowerRequest) -> bool {
    request.valid && request.kind == LowerKind::WriteBack as u8 && request.line >= REGISTER_LINES
}

impl<'a> ControlCheck<'a> {
    /// A check for a design with the instance's port widths and events.
    #[must_use]
    pub fn new(instance: &'a Instance) -> Self {
        let Instance { widths, events, .. } = instance;
        // Ready and valid of each issue slot, ready of each result slot, ready and done of commands,
        // status fields, and each named event.
        let ports = 2 * widths.issue + widths.result + 2 + heddle_port::Status::FIELDS.len();
        let per_cycle = (ports + events.iter().count()) as u64;
        Self { widths: *widths, events, compared: 0, memory_compared: 0, spills_offered: 0, per_cycle }
    }

    /// Compares one cycle's outputs.
    ///
    /// # Errors
    /// The first difference, by name.
    #[inline]
    pub fn compare(&mut self, model: &RegOut, rtl: &RegOut) -> Result<(), Difference> {
        self.compared += self.per_cycle;
        for slot in &model.operands[..self.widths.issue] {
            self.compared += u64::from(slot.valid) * payload_fields(heddle_port::Operands::FIELDS);
        }
        self.compared += u64::from(model.done.valid) * payload_fields(heddle_port::Done::FIELDS);
        if model == rtl { Ok(()) } else { self.explain(model, rtl) }
    }

    /// Compares one cycle's outputs of the memory ports, where there are any.
    ///
    /// # Errors
    /// The first difference, by name; a memory port that one side alone has.
    #[inline]
    pub fn compare_memory_ports(
        &mut self,
        model: Option<&MemOut>,
        rtl: Option<&MemOut>,
    ) -> Result<(), Difference> {
        match (model, rtl) {
            (Some(model), Some(rtl)) => self.compare_memory(model, rtl),
            (None, None) => Ok(()),
            _ => {
                let [expected, actual] =
                    [model, rtl].map(|port| if port.is_some() { "there" } else { "none" }.to_owned());
                Err(Difference { signal: "memory port".to_owned(), expected, actual })
            }
        }
    }

    /// Compares one cycle's outputs of the memory port.
    ///
    /// # Errors
    /// The first difference, by name.
    #[inline]
    pub fn compare_memory(&mut self, model: &MemOut, rtl: &MemOut) -> Result<(), Difference> {
        // Ready and idle, and the valid of the response, the performed event and the request to L2.
        let compared = 5
            + u64::from(model.response.valid) * payload_fields(MemResponse::FIELDS)
            + u64::from(model.performed.valid) * payload_fields(MemPerformed::FIELDS)
            + u64::from(model.lower_request.valid) * payload_fields(MemLowerRequest::FIELDS);
        self.compared += compared;
        self.memory_compared += compared;
        self.spills_offered += u64::from(is_spill(&rtl.lower_request));
        if model == rtl { Ok(()) } else { explain_memory(model, rtl) }
    }

    #[cold]
    fn explain(&self, model: &RegOut, rtl: &RegOut) -> Result<(), Difference> {
        let differ =
            |signal: String, expected: String, actual: String| Err(Difference { signal, expected, actual });
        for slot in 0..self.widths.issue {
            let (m, r) = (model.issue_ready[slot], rtl.issue_ready[slot]);
            if m != r {
                return differ(format!("issue_ready[{slot}]"), m.to_string(), r.to_string());
            }
            let (m, r) = (model.operands[slot], rtl.operands[slot]);
            same_payload(&format!("operands[{slot}]"), &m, &r, [m.valid, r.valid])?;
        }
        for slot in 0..self.widths.result {
            let (m, r) = (model.result_ready[slot], rtl.result_ready[slot]);
            if m != r {
                return differ(format!("result_ready[{slot}]"), m.to_string(), r.to_string());
            }
        }
        if model.command_ready != rtl.command_ready {
            let (m, r) = (model.command_ready, rtl.command_ready);
            return differ("command_ready".to_owned(), m.to_string(), r.to_string());
        }
        same_payload("done", &model.done, &rtl.done, [model.done.valid, rtl.done.valid])?;
        same_payload("status", &model.status, &rtl.status, [true; 2])?;
        for (word, (m, r)) in model.events.iter().zip(&rtl.events).enumerate() {
            let changed = m ^ r;
            if changed != 0 {
                let bit = word * 32 + changed.trailing_zeros() as usize;
                let signal = match self.events.of_bit(bit) {
                    Some((event, index)) => format!("events.{event}[{index}]"),
                    None => format!("events[{bit}]"),
                };
                let value = |w: &u32| (w >> (bit % 32) & 1).to_string();
                return differ(signal, value(m), value(r));
            }
        }
        Ok(())
    }
}

#[cold]
fn explain_memory(model: &MemOut, rtl: &MemOut) -> Result<(), Difference> {
    for (name, m, r) in
        [("request_ready", model.request_ready, rtl.request_ready), ("idle", model.idle, rtl.idle)]
    {
        if m != r {
            return Err(Difference {
                signal: format!("memory.{name}"),
                expected: m.to_string(),
                actual: r.to_string(),
            });
        }
    }
    same_payload(
        "memory.response",
        &model.response,
        &rtl.response,
        [model.response.valid, rtl.response.valid],
    )?;
    let valid = [model.performed.valid, rtl.performed.valid];
    same_payload("memory.performed", &model.performed, &rtl.performed, valid)?;
    let valid = [model.lower_request.valid, rtl.lower_request.valid];
    same_payload("memory.lower_request", &model.lower_request, &rtl.lower_request, valid)
}

/// Compares a payload field by field; what stands in one without valid does not count.
fn same_payload<T: PortStruct>(name: &str, model: &T, rtl: &T, valid: [bool; 2]) -> Result<(), Difference> {
    if valid[0] != valid[1] {
        let [expected, actual] = valid.map(|valid| u8::from(valid).to_string());
        return Err(Difference { signal: format!("{name}.valid"), expected, actual });
    }
    let Some((field, element)) = model.first_difference(rtl).filter(|_| valid[0]) else { return Ok(()) };
    let is_array = T::FIELDS.iter().any(|f| f.name == field && f.elements > 1);
    let index = if is_array { format!("[{element}]") } else { String::new() };
    let text = |payload: &T| payload.text_of(field, element).unwrap_or_default();
    Err(Difference { signal: format!("{name}.{field}{index}"), expected: text(model), actual: text(rtl) })
}

impl Difference {
    /// As a mismatch at `place`.
    #[must_use]
    pub fn into_mismatch(self, place: Place) -> Mismatch {
        let what = format!("{} of the RTL is not the cycle model's", self.signal);
        let place = Place { signal: Some(self.signal.clone()), ..place };
        Mismatch::new(Check::Control, place, what).side(self.signal, self.expected, self.actual)
    }
}

#[cfg(test)]
mod tests {
    use heddle_port::{MemLowerRequest, Operands, Status};

    use super::*;

    fn told<T: PortStruct>(model: &T, rtl: &T, valid: [bool; 2]) -> Option<[String; 3]> {
        same_payload("port", model, rtl, valid).err().map(|d| [d.signal, d.expected, d.actual])
    }

    #[test]
    fn a_memory_port_of_one_side_alone_is_a_difference() {
        let instance = Instance::of_widths(PortWidths { issue: 2, result: 2 });
        let mut check = ControlCheck::new(&instance);
        let out = MemOut::default();
        assert_eq!(check.compare_memory_ports(None, None), Ok(()));
        assert_eq!(check.compare_memory_ports(Some(&out), Some(&out)), Ok(()));
        assert_eq!(check.memory_compared, 5);
        for (model, rtl, sides) in
            [(Some(&out), None, ["there", "none"]), (None, Some(&out), ["none", "there"])]
        {
            let difference = check.compare_memory_ports(model, rtl).expect_err("one side alone");
            assert_eq!([&*difference.expected, &*difference.actual], sides);
            let text = difference.into_mismatch(Place::default()).to_string();
            assert!(text.contains("memory port of the RTL is not the cycle model's"), "{text}");
        }
    }

    #[test]
    fn a_difference_is_one_field_with_its_two_values() {
        let tag = |valid, tag| Operands { valid, tag };
        assert_eq!(
            told(&tag(true, 3), &tag(true, 4), [true; 2]),
            Some(["port.tag", "3", "4"].map(str::to_owned))
        );
        assert_eq!(told(&tag(false, 3), &tag(false, 4), [false; 2]), None);
        let valid = told(&tag(true, 3), &tag(false, 4), [true, false]);
        assert_eq!(valid, Some(["port.valid", "1", "0"].map(str::to_owned)));
        let line = MemLowerRequest { valid: true, line: 0x12_3456, ..MemLowerRequest::default() };
        let other = MemLowerRequest { line: 0x12_3457, ..line };
        assert_eq!(told(&line, &other, [true; 2]).map(|d| d[0].clone()), Some("port.line".to_owned()));
        assert_eq!(told(&Status::default(), &Status::default(), [true; 2]), None);
    }
}
