//! The L2 of the bench.

use heddle_port::{LowerKind, MemData, MemIn, MemOut};

use super::line::{line_of, words_of};
use super::{Answer, FIRST_REGISTER_LINE, LINE, MemoryTraffic};
use crate::failure::FailureKind;

impl MemoryTraffic {
    /// After a flush L2 holds every line as the performed accesses left it.
    pub(super) fn below_is_golden(&self) -> Result<(), FailureKind> {
        match self.golden.iter().find(|(number, line)| line_of(&self.below, **number) != **line) {
            None => Ok(()),
            Some((number, line)) => {
                let found = line_of(&self.below, *number);
                let at = line.iter().zip(&found).position(|(a, b)| a != b).unwrap_or(0);
                Err(FailureKind::Protocol(format!(
                    "after the flush L2 holds {:#04x} at {:#010x}; {:#04x} was stored",
                    found[at],
                    number.wrapping_mul(LINE) as usize + at,
                    line[at]
                )))
            }
        }
    }

    pub(super) fn drive_l2(
        &mut self,
        cycle: u64,
        out: &MemOut,
        data: Option<&MemData>,
        input: &mut MemIn,
    ) -> Result<(), FailureKind> {
        input.lower_ready = self.rng.chance(self.pace.l2);
        input.lower_response.valid = false;
        let due = self.answers.iter().position(|a| a.due <= cycle);
        if let Some(index) = due {
            let answer = self.answers.swap_remove(index);
            input.lower_response.valid = true;
            input.lower_response.id = answer.id;
            input.lower_response.line = answer.line.wrapping_mul(LINE);
            input.lower_response_data = answer.data;
        }
        let request = &out.lower_request;
        if !(request.valid && input.lower_ready) {
            return Ok(());
        }
        let number = request.line / LINE;
        if number >= FIRST_REGISTER_LINE {
            let fetched = request.kind == LowerKind::Fill as u8;
            *(if fetched { &mut self.refills } else { &mut self.spills }) += 1;
        }
        let mut line = line_of(&self.below, number);
        match LowerKind::from_code(request.kind) {
            Some(LowerKind::WriteBack | LowerKind::BypassWrite) => {
                if let Some(data) = data {
                    for (i, byte) in line.iter_mut().enumerate() {
                        if request.byte_mask[i / 32] >> (i % 32) & 1 != 0 {
                            *byte = (data.lower_request[i / 4] >> (8 * (i % 4))) as u8;
                        }
                    }
                    self.below.insert(number, line);
                }
                return Ok(());
            }
            Some(LowerKind::Fill | LowerKind::BypassRead) => {}
            Some(LowerKind::Atomic) => {
                let Some((wanted, after, touched)) = self.atomics.pop_front() else {
                    return Err(FailureKind::Protocol("L2 gets an atomic that nobody sent".to_owned()));
                };
                if wanted != number {
                    let what = format!("L2 gets an atomic of line {number:#x} before that of {wanted:#x}");
                    return Err(FailureKind::Protocol(what));
                }
                let mut changed = line;
                for (i, byte) in changed.iter_mut().enumerate() {
                    *byte = if touched[i] != 0 { after[i] } else { *byte };
                }
                self.below.insert(number, changed);
            }
            None => {
                let what = format!("L2 gets a request of kind {}", request.kind);
                return Err(FailureKind::Protocol(what));
            }
        }
        let due = cycle + 1 + self.rng.below(self.pace.most_delay + 1) as u64;
        self.answers.push(Answer {
            due,
            id: request.id,
            line: number,
            data: request.answer(&words_of(&line)),
        });
        Ok(())
    }
}
