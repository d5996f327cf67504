//! Tests of the passes on hand-made and on random programs.

mod builder;
mod dead;
mod executable;
mod faults;
mod hierarchy;
mod hostile;
mod listing1;
mod random;
mod random_intervals;
mod renumber;
mod shapes;
mod simt;
mod strands;
