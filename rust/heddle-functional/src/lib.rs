//! heddle-functional
