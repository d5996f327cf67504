//! heddle-cosim
