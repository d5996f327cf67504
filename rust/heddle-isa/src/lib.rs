//! heddle-isa
