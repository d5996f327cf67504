//! verilated-runtime
