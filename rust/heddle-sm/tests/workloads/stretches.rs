//! Functional stretches between cycles change no instruction and no value.

use heddle_config::load;
use heddle_sm::CtaChoice;
use heddle_workloads::{Size, all};

use crate::simulate::{Job, Total, simulate};

/// Kernels whose warps try again when another one came first: how often depends on their order.
const RETRYING: [&str; 3] = ["hashjoin", "histo", "histo-racetrack"];

fn run(workload: &str, design: &str, stretch: u64) -> Total {
    let preset = load("maxwell").expect("the preset ships");
    let (size, ctas) = (Size::Smoke, CtaChoice::All);
    let job = Job { workload, size, design, max_registers: 255, ctas, stretch };
    simulate(&job, &preset).unwrap_or_else(|e| panic!("{workload} on {design}, stretch {stretch}: {e}"))
}

#[test]
fn every_workload_does_the_same_work() {
    let mut functional = 0;
    let mut differs = Vec::new();
    for (number, workload) in all().iter().enumerate() {
        let (name, design) = (workload.name(), ["baseline", "ltrf"][number % 2]);
        let (full, stretched) = (run(name, design, 0), run(name, design, 700));
        functional += stretched.functional;
        let executed = stretched.warp_instructions + stretched.functional;
        let same = executed == full.warp_instructions || RETRYING.contains(&name);
        let memory = full.memory == stretched.memory;
        let work = [(stretched.ctas, stretched.requests), (full.ctas, full.requests)];
        if !same || !memory || work[0] != work[1] {
            let expected = full.warp_instructions;
            differs.push(format!(
                "{name} on {design}: {executed} of {expected}, {work:?}, same memory: {memory}"
            ));
        }
    }
    assert!(differs.is_empty(), "{}", differs.join("\n"));
    assert!(functional > 100_000, "{functional}");
}
