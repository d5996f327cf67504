//! The distinct instructions of a trace: by program counter, and where several stand at one, by opcode and registers.
//!
//! Machine code has one instruction at a program counter. A trace that no machine has written may have more, such as one whose
//! warps execute different code, each from address 0.

use rustc_hash::FxHashMap;

use crate::instruction::Instruction;

/// What tells instructions at one program counter apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    pub opcode: String,
    pub destination: Option<u8>,
    pub sources: Vec<u8>,
}

impl Text {
    pub fn new(instruction: &Instruction<'_>) -> Self {
        let sources = instruction.sources.to_vec();
        Self { opcode: instruction.opcode.to_owned(), destination: instruction.destination, sources }
    }

    fn is(&self, instruction: &Instruction<'_>) -> bool {
        self.opcode == instruction.opcode
            && self.destination == instruction.destination
            && self.sources[..] == instruction.sources[..]
    }
}

/// A value for each distinct instruction.
#[derive(Debug, Clone)]
pub struct Places<T>(FxHashMap<u32, Vec<(Text, T)>>);

impl<T> Default for Places<T> {
    fn default() -> Self {
        Self(FxHashMap::default())
    }
}

impl<T: Copy> Places<T> {
    /// The value of an instruction.
    pub fn get(&self, instruction: &Instruction<'_>) -> Option<T> {
        let here = self.0.get(&instruction.pc)?;
        here.iter().find(|(text, _)| text.is(instruction)).map(|(_, value)| *value)
    }

    /// Gives an instruction at `pc` its value.
    pub fn insert(&mut self, pc: u32, text: Text, value: T) {
        self.0.entry(pc).or_default().push((text, value));
    }

    /// Whether an instruction stands at `pc`.
    pub fn has(&self, pc: u32) -> bool {
        self.0.contains_key(&pc)
    }
}
