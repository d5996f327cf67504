//! heddle-rtl
