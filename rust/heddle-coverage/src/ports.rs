//! The port bench with a design as a run is prepared for it.

use heddle_cosim::PreparedDesign;
use heddle_designs::CreateError;
use heddle_port::RegisterFile;
use heddle_portbench::BenchConfig;
use heddle_rtl::RtlRegisterFile;

/// The seeds that all runs over a whole design take.
pub const SEEDS: [u64; 3] = [1, 2, 3];

/// What the bench drives into `rtl`, an instance of `design`, and the cycle model that goes beside it.
///
/// # Errors
/// [`CreateError`]: the model cannot be made.
pub fn bench(
    design: &PreparedDesign,
    rtl: &RtlRegisterFile,
) -> Result<(BenchConfig, Box<dyn RegisterFile + Send>), CreateError> {
    let config = BenchConfig::new(&design.manifest, rtl.made_with(), design.config);
    Ok((config, heddle_designs::create(&design.manifest.name, &design.instance)?))
}
