//! `heddle completions` and `heddle man`: made from the definition of the command line.

use clap::CommandFactory as _;

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::{Failure, Outcome, print};

/// Prints the script that completes commands, options and their values in a shell.
pub fn completions(args: &CompletionsArgs) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "heddle", &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// Prints the manual page of the program or of one command, as roff.
pub fn man(args: &ManArgs) -> Outcome {
    let mut program = Cli::command();
    program.build();
    let page = match &args.command {
        None => program,
        Some(name) => {
            let found = program.find_subcommand(name).cloned();
            found.ok_or_else(|| {
                let known: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
                Failure::usage(format!("no command '{name}'{}", heddle_suggest::hint_or_list(name, known)))
            })?
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text).map_err(Failure::failed)?;
    print(&String::from_utf8_lossy(&text))
}
