//! The program of Heddle.

fn main() -> std::process::ExitCode {
    heddle::program()
}
