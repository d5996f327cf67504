//! heddle-kernel
