//! What went through the port of a design, cycle by cycle, in one file: the inputs, the outputs, and which bits of the
//! outputs mean something.
//!
//! A file is one xz stream. It holds a line of JSON, the [`Header`], and then a record for each clock edge, the edges in
//! reset included. A record tells the words that changed since the record before, of one vector of 32-bit words, which
//! is zero at first: the inputs, the bulk inputs, the outputs, the bulk outputs, the care bits of the outputs and those
//! of the bulk outputs, [`Words`] long each. It is their number and for each its index and its value. After the last
//! record [`END`] stands in place of the number, and behind it how many records there were, in 64 bits. All numbers are
//! little-endian and have 32 bits where nothing else is said.
//!
//! The outputs of a record are those after its clock edge, at which the design saw the inputs of the same record. An
//! output bit means something where its care bit is 1; where it is 0 the output is written as 0.

mod error;
mod header;
mod reader;
mod writer;

pub use error::StimulusError;
pub use header::{Group, Header, Port, Words};
pub use reader::Reader;
pub use writer::Writer;

/// Version of the file format; it goes up with every change of what the crate's documentation says.
pub const FORMAT: u32 = 1;

/// Stands in place of a number of changes, behind the last record.
pub const END: u32 = u32::MAX;

#[cfg(test)]
mod tests;
