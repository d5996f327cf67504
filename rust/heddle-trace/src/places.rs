//! The distinct instructions of a trace: by program counter, and where several stand at one, by opcode and registers.
//!
//! Machine code has one instruction at a program counter. A trace that no machine has written may have more, such as one whose
//! warps execute different code, each from address 0.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

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

    #[inline]
    fn is(&self, instruction: &Instruction<'_>) -> bool {
        self.opcode == instruction.opcode
            && self.destination == instruction.destination
            && self.sources[..] == instruction.sources[..]
    }
}

/// A value for each distinct instruction.
#[derive(Debug, Clone)]
pub struct Places<T> {
    /// The first instruction at each program counter.
    first: FxHashMap<u32, (Text, T)>,
    /// Further ones by the hash of program counter and text.
    others: FxHashMap<u64, Vec<(u32, Text, T)>>,
}

impl<T> Default for Places<T> {
    fn default() -> Self {
        Self { first: FxHashMap::default(), others: FxHashMap::default() }
    }
}

impl<T: Copy> Places<T> {
    /// The value of an instruction.
    #[inline]
    pub fn get(&self, instruction: &Instruction<'_>) -> Option<T> {
        let pc = instruction.pc;
        let (text, value) = self.first.get(&pc)?;
        if text.is(instruction) {
            return Some(*value);
        }
        let key = key(pc, instruction.opcode, instruction.destination, &instruction.sources);
        let here = self.others.get(&key)?;
        here.iter().find(|(at, text, _)| *at == pc && text.is(instruction)).map(|(.., value)| *value)
    }

    /// Gives an instruction at `pc` its value.
    pub fn insert(&mut self, pc: u32, text: Text, value: T) {
        if self.has(pc) {
            let key = key(pc, &text.opcode, text.destination, &text.sources);
            self.others.entry(key).or_default().push((pc, text, value));
        } else {
            self.first.insert(pc, (text, value));
        }
    }

    /// Whether an instruction stands at `pc`.
    pub fn has(&self, pc: u32) -> bool {
        self.first.contains_key(&pc)
    }
}

/// Values of instructions by the number that their parser gave them, one and the same for all of them.
#[derive(Debug, Clone)]
pub struct Numbered<T>(Vec<Option<T>>);

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Copy> Numbered<T> {
    /// The value of an instruction of which `find` says it, asked once for each number.
    ///
    /// # Errors
    /// That of `find`.
    #[inline]
    pub fn get<E>(
        &mut self,
        instruction: &Instruction<'_>,
        find: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let Some(number) = instruction.number.map(|number| number as usize) else { return find() };
        if let Some(&Some(value)) = self.0.get(number) {
            return Ok(value);
        }
        let value = find()?;
        self.0.resize(self.0.len().max(number + 1), None);
        self.0[number] = Some(value);
        Ok(value)
    }
}

fn key(pc: u32, opcode: &str, destination: Option<u8>, sources: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    (pc, opcode, destination, sources).hash(&mut hasher);
    hasher.finish()
}
