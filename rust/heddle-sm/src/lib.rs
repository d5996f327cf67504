//! heddle-sm
