//! The memory behind the cache: takes requests in order, answers fetches in any order.

use std::collections::HashMap;

use heddle_port::memory::{MemLowerRequest, MemLowerResponse};

use super::LineData;
use super::golden::{BLOCK, GLOBAL_BASE, LOCAL_BASE};
use crate::rng::Rng;

const SPACE: u32 = 0xE000_0000;
const LINE: u32 = 128;

/// Lines that were written, by address; all others are zero.
#[derive(Default)]
pub struct OffChip {
    lines: HashMap<u32, LineData>,
    /// Cycle from which an answer may go, and the answer.
    answers: Vec<(u64, MemLowerResponse, LineData)>,
    /// Requests that are answered.
    pub fetches: u64,
    /// Requests that write.
    pub write_backs: u64,
}

impl OffChip {
    /// Takes a request; a fetch is answered `delay` cycles later at the earliest.
    ///
    /// # Errors
    /// A request of an unknown kind, or to where nothing is.
    pub fn take(
        &mut self,
        request: &MemLowerRequest,
        data: &LineData,
        cycle: u64,
        delay: u64,
    ) -> Result<(), String> {
        let shared = (SPACE..SPACE + (1 << 22)).contains(&request.line);
        let known = [GLOBAL_BASE, LOCAL_BASE].iter().any(|&b| (b..b + BLOCK as u32).contains(&request.line));
        if !request.line.is_multiple_of(LINE) || !(shared || known) {
            return Err(format!("a request to {:#010x}, where nothing is", request.line));
        }
        let line = self.lines.entry(request.line).or_insert([0; 32]);
        match request.kind {
            0 | 2 | 4 => {
                self.fetches += 1;
                let answer = MemLowerResponse { valid: true, id: request.id, line: request.line };
                self.answers.push((cycle + delay, answer, request.answer(line)));
            }
            1 | 3 => {
                self.write_backs += 1;
                for (word, value) in line.iter_mut().enumerate() {
                    let mask = request.word_mask(word);
                    *value = *value & !mask | data[word] & mask;
                }
            }
            other => return Err(format!("a lower request of kind {other}")),
        }
        Ok(())
    }

    /// An answer that is due, any of them.
    pub fn answer(&mut self, cycle: u64, rng: &mut Rng) -> Option<(MemLowerResponse, LineData)> {
        let due: Vec<usize> = (0..self.answers.len()).filter(|&i| self.answers[i].0 <= cycle).collect();
        if due.is_empty() {
            return None;
        }
        let (_, answer, line) = self.answers.swap_remove(due[rng.below(due.len())]);
        Some((answer, line))
    }

    /// A CTA slot's block is zeroed for its next CTA.
    pub fn clear(&mut self, cta_slot: u8) {
        let first = SPACE + u32::from(cta_slot) * BLOCK as u32;
        self.lines.retain(|&line, _| !(first..first + BLOCK as u32).contains(&line));
    }

    /// A kernel has ended: shared and local memory are zero for the next one.
    pub fn next_kernel(&mut self) {
        self.lines.retain(|&line, _| (GLOBAL_BASE..GLOBAL_BASE + BLOCK as u32).contains(&line));
    }

    /// Whether all fetches have been answered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }
}
