//! How long each ready of the design has been low.

use heddle_port::{MAX_PORT_WIDTH, PortWidths, RegOut};

/// For each ready, the last cycle in which it was high.
#[derive(Debug, Default)]
pub(crate) struct Ready {
    issue: [u64; MAX_PORT_WIDTH],
    result: [u64; MAX_PORT_WIDTH],
    command: u64,
}

impl Ready {
    pub(crate) fn observe(&mut self, cycle: u64, out: &RegOut) {
        let slots = out.issue_ready.iter().zip(&mut self.issue);
        for (ready, last) in slots.chain(out.result_ready.iter().zip(&mut self.result)) {
            if *ready {
                *last = cycle;
            }
        }
        if out.command_ready {
            self.command = cycle;
        }
    }

    /// What has waited longest, and since when.
    pub(crate) fn longest(&self, widths: PortWidths) -> Option<(String, u64)> {
        let issue = self.issue[..widths.issue].iter().enumerate();
        let result = self.result[..widths.result].iter().enumerate();
        issue
            .map(|(slot, &since)| (since, 0, slot))
            .chain(result.map(|(slot, &since)| (since, 1, slot)))
            .chain([(self.command, 2, 0)])
            .min()
            .map(|(since, kind, slot)| {
                let what = match kind {
                    0 => format!("issue slot {slot}"),
                    1 => format!("result slot {slot}"),
                    _ => "the command port".to_owned(),
                };
                (what, since)
            })
    }
}
