//! Known bugs, planted into a copy of a design.
