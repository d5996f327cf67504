//! heddle-designs
