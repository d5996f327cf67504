//! RTL outputs against model outputs.

use heddle_port::{EVENT_BITS, EventLayout, MemOut, PortStruct, PortWidths, RegOut};

use crate::failure::FailureKind;

/// Fields that one comparison covers.
pub(crate) fn fields(widths: PortWidths) -> u64 {
    // Ready, valid and tag of each issue slot; ready of each result slot; command ready; the four
    // fields of done; status; the event bits.
    (3 * widths.issue + widths.result + 1 + 4 + 1 + EVENT_BITS) as u64
}

/// The first output in which the two differ. What stands in a payload without valid does not count.
pub(crate) fn first_difference(rtl: &RegOut, model: &RegOut, events: &EventLayout) -> Option<FailureKind> {
    if rtl == model {
        return None;
    }
    let differs = |field: String, rtl: String, model: String| Some(FailureKind::Output { field, rtl, model });
    let flag = |name: String, a: bool, b: bool| {
        if a == b { None } else { differs(name, u8::from(a).to_string(), u8::from(b).to_string()) }
    };
    for slot in 0..rtl.issue_ready.len() {
        if let Some(d) = flag(format!("issue_ready[{slot}]"), rtl.issue_ready[slot], model.issue_ready[slot])
            .or_else(|| {
                let (a, b) = (&rtl.operands[slot], &model.operands[slot]);
                payload(&format!("operands[{slot}]"), a, b, a.valid, b.valid)
            })
            .or_else(|| {
                flag(format!("result_ready[{slot}]"), rtl.result_ready[slot], model.result_ready[slot])
            })
        {
            return Some(d);
        }
    }
    flag("command_ready".to_owned(), rtl.command_ready, model.command_ready)
        .or_else(|| payload("done", &rtl.done, &model.done, rtl.done.valid, model.done.valid))
        .or_else(|| {
            let (a, b) = (rtl.status.bank_busy, model.status.bank_busy);
            (a != b).then(|| FailureKind::Output {
                field: "status.bank_busy".to_owned(),
                rtl: format!("{a:08x?}"),
                model: format!("{b:08x?}"),
            })
        })
        .or_else(|| event_difference(rtl, model, events))
}

/// Fields of the memory port that one comparison covers.
pub(crate) fn memory_fields() -> u64 {
    use heddle_port::{MemLowerRequest, MemPerformed, MemResponse};
    (2 + MemResponse::FIELDS.len() + MemPerformed::FIELDS.len() + MemLowerRequest::FIELDS.len()) as u64
}

/// The first output of the memory port in which the two differ.
pub(crate) fn memory_difference(rtl: &MemOut, model: &MemOut) -> Option<FailureKind> {
    if rtl == model {
        return None;
    }
    let flag = |field: &str, a: bool, b: bool| {
        (a != b).then(|| FailureKind::Output {
            field: format!("memory.{field}"),
            rtl: u8::from(a).to_string(),
            model: u8::from(b).to_string(),
        })
    };
    flag("request_ready", rtl.request_ready, model.request_ready)
        .or_else(|| {
            let (a, b) = (&rtl.response, &model.response);
            payload("memory.response", a, b, a.valid, b.valid)
        })
        .or_else(|| {
            let (a, b) = (&rtl.performed, &model.performed);
            payload("memory.performed", a, b, a.valid, b.valid)
        })
        .or_else(|| {
            let (a, b) = (&rtl.lower_request, &model.lower_request);
            payload("memory.lower_request", a, b, a.valid, b.valid)
        })
        .or_else(|| flag("idle", rtl.idle, model.idle))
}

fn payload<T: PortStruct + std::fmt::Debug>(
    name: &str,
    rtl: &T,
    model: &T,
    rtl_valid: bool,
    model_valid: bool,
) -> Option<FailureKind> {
    if !rtl_valid && !model_valid {
        return None;
    }
    let (field, _) = rtl.first_difference(model)?;
    Some(FailureKind::Output {
        field: format!("{name}.{field}"),
        rtl: format!("{rtl:?}"),
        model: format!("{model:?}"),
    })
}

fn event_difference(rtl: &RegOut, model: &RegOut, events: &EventLayout) -> Option<FailureKind> {
    if rtl.events == model.events {
        return None;
    }
    let bit = |vector: &heddle_port::Events, bit: usize| vector[bit / 32] >> (bit % 32) & 1;
    let first = (0..EVENT_BITS).find(|&b| bit(&rtl.events, b) != bit(&model.events, b))?;
    let Some((name, at)) = events.of_bit(first) else {
        return Some(FailureKind::Output {
            field: format!("events[{first}]"),
            rtl: bit(&rtl.events, first).to_string(),
            model: bit(&model.events, first).to_string(),
        });
    };
    // The whole field, highest bit first.
    let text = |vector: &heddle_port::Events| -> String {
        let field = events.field(name).unwrap_or_default();
        (usize::from(field.lsb)..field.end())
            .rev()
            .map(|i| if bit(vector, i) != 0 { '1' } else { '0' })
            .collect()
    };
    Some(FailureKind::Output {
        field: format!("event {name}[{at}]"),
        rtl: text(&rtl.events),
        model: text(&model.events),
    })
}
