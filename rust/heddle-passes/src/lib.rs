//! heddle-passes
