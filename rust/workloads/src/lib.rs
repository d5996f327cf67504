//! heddle-workloads
