//! The paths of docs/designs/cerf.md, cycle by cycle and by hand.

mod bench;
mod counters;
mod paths;
mod spills;
