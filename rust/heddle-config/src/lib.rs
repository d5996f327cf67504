//! heddle-config
