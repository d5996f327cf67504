//! `completions` and `man`.

use clap::Args;

/// `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell; for bash: `heddle completions bash > ~/.local/share/bash-completion/completions/heddle`
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// A command; the program itself when left out
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}
