//! heddle-mem
