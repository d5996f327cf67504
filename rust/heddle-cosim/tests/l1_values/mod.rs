//! What loads find in the L1s of many SMs: lines as they were taken, not what another SM has stored since, unless a fence or the way
//! past the L1 says otherwise.

mod designs;
mod litmus;
mod program;
mod random;
