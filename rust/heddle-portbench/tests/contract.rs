//! The contract monitor: a driver that keeps the contract passes, each breach is named.

#[allow(dead_code, reason = "shared with other tests")]
mod flat_model;

use flat_model::{Fault, Flat, config};
use heddle_port::{
    Command, CommandOp, DesignError, Issue, PortWidths, RegIn, RegOut, RegisterFile, ResultWrite,
};
use heddle_portbench::ContractMonitor;

const WARP: u8 = 3;

struct Driver {
    monitor: ContractMonitor<Flat>,
    out: RegOut,
}

impl Driver {
    /// Warp 3 with eight registers, R0 to R3 of them in its working set, active.
    fn new() -> Self {
        let widths = PortWidths { issue: 2, result: 2 };
        let mut monitor = ContractMonitor::new(Flat::new(widths, Fault::None), true);
        let out = monitor.reset(&config()).expect("a reset");
        let mut driver = Self { monitor, out };
        for command in [
            Command { value: 8, ..command(CommandOp::KernelStart) },
            Command { value: 100, ..command(CommandOp::WarpBase) },
            command(CommandOp::Activate),
            prefetch(0b1111),
        ] {
            driver.command(command).expect("a good beginning");
        }
        driver
    }

    fn step(&mut self, input: &RegIn) -> Result<(), DesignError> {
        self.monitor.step(input, &mut self.out)
    }

    fn command(&mut self, command: Command) -> Result<(), DesignError> {
        self.step(&RegIn { command, ..RegIn::default() })?;
        self.step(&RegIn::default())
    }

    fn issue(&mut self, issue: Issue) -> Result<(), DesignError> {
        let mut input = RegIn::default();
        input.issue[0] = issue;
        self.step(&input)
    }

    fn collect(&mut self) -> Result<(), DesignError> {
        self.step(&RegIn { operands_ready: [true; 4], ..RegIn::default() })
    }

    fn result(&mut self, result: ResultWrite) -> Result<(), DesignError> {
        let mut input = RegIn::default();
        input.result[0] = result;
        self.step(&input)
    }
}

fn command(op: CommandOp) -> Command {
    Command { valid: true, op: op as u8, warp: WARP, ..Command::default() }
}

fn prefetch(set: u32) -> Command {
    let mut command = command(CommandOp::Prefetch);
    command.vector[0] = set;
    command
}

/// Reads one register and writes one.
fn issue(tag: u16, source: u8, destination: u8) -> Issue {
    Issue {
        valid: true,
        tag,
        warp: WARP,
        mask: 0xff,
        source_valid: 1,
        source: [source, 0, 0, 0, 0, 0],
        destination_valid: 1,
        destination: [destination, 0, 0, 0],
        ..Issue::default()
    }
}

fn result(tag: u16, register: u8) -> ResultWrite {
    ResultWrite { valid: true, tag, warp: WARP, register, mask: 0xff, last: true }
}

#[test]
fn a_driver_that_keeps_the_contract_passes() {
    let mut driver = Driver::new();
    driver.issue(issue(1, 0, 1)).unwrap();
    driver.collect().unwrap();
    // The result comes after the warp has left, in two parts.
    driver.command(command(CommandOp::Deactivate)).unwrap();
    driver.result(ResultWrite { mask: 0x0f, last: false, ..result(1, 1) }).unwrap();
    driver.result(ResultWrite { mask: 0xf0, ..result(1, 1) }).unwrap();
    driver.command(command(CommandOp::Activate)).unwrap();
    driver.issue(issue(1, 1, 0)).unwrap();
    driver.collect().unwrap();
    driver.result(result(1, 0)).unwrap();
    driver.command(command(CommandOp::Exit)).unwrap();
    driver.command(Command { value: 104, ..command(CommandOp::WarpBase) }).unwrap();
}

#[test]
fn each_breach_is_named() {
    type Breach = fn(&mut Driver) -> Result<(), DesignError>;
    let breaches: &[(Breach, &str)] = &[
        (|d| d.issue(Issue { warp: 4, ..issue(1, 0, 1) }), "not active"),
        (|d| d.issue(Issue { source_valid: 0, destination_valid: 0, ..issue(1, 0, 1) }), "neither"),
        (|d| d.issue(issue(1, 5, 1)), "R5, which is not in the working set"),
        (|d| d.issue(issue(1, 0, 6)), "R6, which is not in the working set"),
        (
            |d| {
                d.command(prefetch(1 << 20))?;
                d.issue(Issue { destination_valid: 0, ..issue(1, 20, 0) })
            },
            "R20 of 8 registers",
        ),
        (
            |d| {
                d.issue(issue(1, 0, 1))?;
                d.collect()?;
                d.issue(issue(2, 1, 2))
            },
            "T2 of W3 reads R1 before its result",
        ),
        (
            |d| {
                d.issue(issue(1, 0, 1))?;
                d.collect()?;
                d.issue(issue(2, 0, 1))
            },
            "an older one still writes",
        ),
        (
            |d| {
                d.issue(issue(1, 0, 1))?;
                d.collect()?;
                d.issue(issue(1, 2, 3))
            },
            "a second time",
        ),
        (
            |d| {
                // The reader of R1 is not collected when the result of a younger writer comes.
                let both = [issue(1, 1, 2), issue(2, 0, 1), Issue::default(), Issue::default()];
                d.step(&RegIn { issue: both, ..RegIn::default() })?;
                d.step(&RegIn { operands_ready: [false, true, true, true], ..RegIn::default() })?;
                d.result(result(2, 1))
            },
            "overtakes a read",
        ),
        (|d| d.result(result(9, 1)), "no such instruction"),
        (
            |d| {
                d.issue(issue(1, 0, 1))?;
                d.result(result(1, 1))
            },
            "no such instruction has its operands",
        ),
        (
            |d| {
                d.issue(issue(1, 0, 1))?;
                d.collect()?;
                d.result(result(1, 2))
            },
            "not open",
        ),
        (
            |d| {
                d.issue(issue(1, 0, 1))?;
                d.collect()?;
                d.result(ResultWrite { mask: 0x100, ..result(1, 1) })
            },
            "not open",
        ),
        (
            |d| {
                d.issue(issue(1, 0, 1))?;
                d.collect()?;
                d.result(ResultWrite { last: false, ..result(1, 1) })
            },
            "last = false",
        ),
        (
            |d| d.command(Command { warp: 4, value: 107, ..command(CommandOp::WarpBase) }),
            "belong to another warp",
        ),
        (|d| d.command(Command { warp: 4, ..command(CommandOp::Activate) }), "may become active"),
        (|d| d.command(command(CommandOp::Activate)), "may become active"),
        (|d| d.command(prefetch(0x1_ffff)), "too large"),
        (|d| d.command(command(CommandOp::KernelStart)), "KernelStart of W3: warps are there"),
        (|d| d.command(command(CommandOp::MapEntry)), "MapEntry of W3: warps are there"),
        (|d| d.command(Command { op: 7, ..command(CommandOp::Exit) }), "command 7"),
        (
            |d| {
                d.issue(issue(1, 0, 1))?;
                d.command(command(CommandOp::Deactivate))
            },
            "operands are outstanding",
        ),
        (
            |d| {
                d.issue(issue(1, 0, 1))?;
                d.collect()?;
                d.command(command(CommandOp::Exit))
            },
            "results are outstanding",
        ),
        (
            |d| {
                d.command(command(CommandOp::Deactivate))?;
                d.command(prefetch(1))
            },
            "the warp is not active",
        ),
    ];
    for (at, (breach, expected)) in breaches.iter().enumerate() {
        let mut driver = Driver::new();
        let error = breach(&mut driver).expect_err(expected);
        assert!(matches!(error, DesignError::Contract { .. }));
        assert!(error.to_string().contains(expected), "{at}: {error}");
    }
}
