//! The monitor of the port's contract, behind an SM that breaks the contract: because what it drives is
//! changed on the way, or because the design tells it something that is not so.

use heddle_port::{
    CommandOp, DesignError, Done, NUM_LANES, NUM_REGS, Operands, PortConfig, RegIn, RegOut, RegisterFile,
};
use heddle_portbench::ContractMonitor;

use heddle_rtl::Manifest;

use super::machine::{Failure, Ready, WIDTHS, root};

/// Changes what the SM drives, given what it saw; true once it has.
type Inward = fn(&mut RegIn, &RegOut) -> bool;
/// Changes what the SM sees, given what it drove; true once it has.
type Outward = fn(&mut RegOut, &RegIn) -> bool;

/// Stands between the SM and the monitor and changes one cycle.
struct Between {
    monitor: ContractMonitor<Box<dyn RegisterFile + Send>>,
    inward: Option<Inward>,
    outward: Option<Outward>,
    /// Outputs of the design, unchanged.
    out: RegOut,
    changed: bool,
}

impl RegisterFile for Between {
    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError> {
        self.out = self.monitor.reset(config)?;
        Ok(self.out)
    }

    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError> {
        let mut driven = input.clone();
        if let (false, Some(inward)) = (self.changed, self.inward) {
            self.changed = inward(&mut driven, &self.out);
        }
        self.monitor.step(&driven, &mut self.out)?;
        *out = self.out;
        if let (false, Some(outward)) = (self.changed, self.outward) {
            self.changed = outward(out, input);
        }
        Ok(())
    }
}

/// What ends a run of `design`.
fn ends(design: &str, inward: Option<Inward>, outward: Option<Outward>) -> Result<(), String> {
    let ready = Ready::new(design);
    let model = heddle_designs::create(&ready.manifest.name, &ready.instance()).expect("the model");
    let monitor = ContractMonitor::new(model, ready.manifest.needs_intervals);
    let mut between = Between { monitor, inward, outward, out: RegOut::default(), changed: false };
    let ended = ready.run(&mut between, &mut ());
    let expected = inward.is_some() || outward.is_some();
    assert_eq!(between.changed, expected, "the fault is put in");
    match ended {
        Ok(_) => Ok(()),
        Err(Failure::Design(what)) => {
            let offender = between.monitor.offender();
            assert!(offender.is_some_and(|offender| offender.tag.is_some()), "{offender:?}: {what}");
            Err(what)
        }
        Err(Failure::Sm(error)) => Err(error.to_string()),
    }
}

fn found(design: &str, inward: Inward, part: &str) {
    let what = ends(design, Some(inward), None).expect_err(part);
    assert!(what.contains("the driver") && what.contains(part), "'{part}' is not in: {what}");
}

/// The SM itself does not take what the port does not allow.
fn refused(design: &str, outward: Outward, part: &str) {
    let what = ends(design, None, Some(outward)).expect_err(part);
    assert!(what.contains("port contract broken") && what.contains(part), "'{part}' is not in: {what}");
}

/// An issue slot that is offered and accepted.
fn issued(input: &RegIn, out: &RegOut) -> Option<usize> {
    (0..WIDTHS.issue).find(|&slot| input.issue[slot].valid && out.issue_ready[slot])
}

/// A result slot that is offered and accepted.
fn written(input: &RegIn, out: &RegOut) -> Option<usize> {
    (0..WIDTHS.result).find(|&slot| input.result[slot].valid && out.result_ready[slot])
}

#[test]
fn the_sm_keeps_the_contract() {
    let mut designs = Manifest::load_all(root()).expect("the manifests");
    // A design that is the L1 as well needs an SM whose memory port leads to it; one with another preset, other ports.
    let slots =
        |design: &Manifest| heddle_config::load(&design.preset).expect("its preset").sm.issue_width as usize;
    designs.retain(|design| !design.memory_port.any() && slots(design) == WIDTHS.issue);
    assert!(designs.len() >= 5, "{}", designs.len());
    for design in designs.iter().map(Manifest::called) {
        assert_eq!(ends(&design, None, None), Ok(()), "{design}");
    }
}

#[test]
fn a_register_outside_the_working_set_is_found() {
    let inward: Inward = |input, out| {
        let Some(slot) = issued(input, out).filter(|&s| input.issue[s].destination_valid != 0) else {
            return false;
        };
        input.issue[slot].destination[0] = (NUM_REGS - 1) as u8;
        true
    };
    found("ltrf", inward, "which is not in the working set");
}

#[test]
fn a_register_that_the_kernel_does_not_have_is_found() {
    let inward: Inward = |input, out| {
        let Some(slot) = issued(input, out).filter(|&s| input.issue[s].source_valid & 1 != 0) else {
            return false;
        };
        input.issue[slot].source[0] = (NUM_REGS - 1) as u8;
        true
    };
    found("baseline", inward, "reads R255 of");
}

#[test]
fn results_in_wrong_lanes_and_wrong_ends_are_found() {
    let lanes: Inward = |input, out| {
        let full = u32::MAX >> (32 - NUM_LANES);
        match written(input, out).filter(|&s| input.result[s].mask != full) {
            Some(slot) => input.result[slot].mask = full,
            None => return false,
        }
        true
    };
    found("baseline", lanes, "that are not open");
    let last: Inward = |input, out| match written(input, out) {
        Some(slot) => {
            input.result[slot].last ^= true;
            true
        }
        None => false,
    };
    found("baseline", last, "which is wrong");
    let tag: Inward = |input, out| match written(input, out) {
        Some(slot) => {
            input.result[slot].tag ^= 1 << 9;
            true
        }
        None => false,
    };
    found("baseline", tag, "no such instruction has its operands");
}

#[test]
fn an_sm_refuses_a_second_answer_to_an_activation() {
    // A warp that issues has its answer.
    let outward: Outward = |out, input| {
        let Some(issue) = input.issue.iter().find(|issue| issue.valid && !out.done.valid) else {
            return false;
        };
        out.done = Done { valid: true, op: CommandOp::Activate as u8, warp: issue.warp, ..Done::default() };
        true
    };
    refused("baseline", outward, "done of command 3");
}

#[test]
fn an_sm_refuses_operands_a_second_time() {
    let outward: Outward = |out, input| {
        let issue = input.issue.iter().find(|issue| issue.valid && issue.destination_valid != 0);
        let Some(issue) = issue.filter(|_| !out.operands[0].valid) else { return false };
        out.operands[0] = Operands { valid: true, tag: issue.tag };
        true
    };
    refused("baseline", outward, "which are not being collected");
}
