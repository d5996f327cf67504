//! Conformance of the execution semantics: random and corner operands of every operation against
//! independent oracles.

mod approx;
mod compare;
mod convert;
mod float;
mod harness;
mod integer;
mod warp;
