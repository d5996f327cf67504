//! How many CTAs fit, and which of the grid this SM runs.

use heddle_config::Preset;
use heddle_isa::{KernelLaunch, Program};
use heddle_mem::Residents;

use crate::error::LaunchError;

/// Banks of the main register file.
pub(crate) const REGISTER_BANKS: u32 = 16;

/// The CTAs of a grid that run on the SMs that are simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CtaChoice {
    /// All.
    All,
    /// CTA `first` and every `n`-th after it: the share of one of `n` SMs.
    EveryNth {
        /// Distance, at least 1.
        n: u64,
        /// First CTA.
        first: u64,
    },
    /// The share of `sms` of `of` SMs, if all got them in turn.
    FirstOf {
        /// SMs that run them.
        sms: u64,
        /// All SMs, at least 1.
        of: u64,
    },
}

impl CtaChoice {
    /// First CTA and distance of those that the first SM runs.
    #[must_use]
    pub fn of_first_sm(self) -> (u64, u64) {
        match self {
            Self::All => (0, 1),
            Self::EveryNth { n, first } => (first, n.max(1)),
            Self::FirstOf { of, .. } => (0, of.max(1)),
        }
    }

    /// Whether a CTA is chosen.
    #[must_use]
    pub fn has(self, cta: u64) -> bool {
        let (first, step) = self.of_first_sm();
        match self {
            Self::FirstOf { sms, .. } => cta % step < sms,
            _ => cta >= first && (cta - first).is_multiple_of(step),
        }
    }

    /// How many CTAs of a grid of `ctas` are chosen.
    #[must_use]
    pub fn count(self, ctas: u64) -> u64 {
        let (first, step) = self.of_first_sm();
        match self {
            Self::FirstOf { sms, .. } => ctas / step * sms.min(step) + (ctas % step).min(sms),
            _ => ctas.saturating_sub(first).div_ceil(step),
        }
    }

    /// The first chosen CTA from `cta` on in a grid of `ctas`.
    #[must_use]
    pub fn next_from(self, cta: u64, ctas: u64) -> Option<u64> {
        (cta..ctas).find(|cta| self.has(*cta))
    }

    /// The chosen CTAs of a grid of `ctas`.
    pub fn ctas(self, ctas: u64) -> impl Iterator<Item = u64> {
        (0..ctas).filter(move |cta| self.has(*cta))
    }
}

/// What limits the CTAs of an SM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OccupancyLimit {
    /// CTA slots.
    Ctas,
    /// Warp slots.
    Warps,
    /// Register file.
    Registers,
    /// Shared memory.
    SharedMemory,
}

impl OccupancyLimit {
    /// As results say it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ctas => "ctas",
            Self::Warps => "warps",
            Self::Registers => "registers",
            Self::SharedMemory => "shared memory",
        }
    }
}

/// How many CTAs of a launch are resident at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occupancy {
    /// CTAs resident at once.
    pub ctas: u32,
    /// The first limit that allows no more.
    pub limit: OccupancyLimit,
    /// Warps of a CTA.
    pub warps_per_cta: u32,
    /// Registers of a thread, rounded up to the granularity: warp registers of a warp.
    pub registers_per_warp: u32,
    /// Shared memory of a CTA in bytes, static and dynamic.
    pub shared_bytes: u32,
    /// Shared memory in bytes of the CTAs that all limits but shared memory admit.
    pub shared_wanted: u32,
    /// Warp registers of the register file.
    pub warp_registers: u32,
    /// Warps whose registers fit.
    pub warps_of_registers: u32,
}

impl Occupancy {
    /// The occupancy of a launch on an SM of `preset`.
    ///
    /// The register file holds `sm.registers` registers of threads, but never more warp registers than
    /// its banks have rows.
    ///
    /// # Errors
    /// A CTA that does not fit even alone, with the numbers.
    pub fn new(preset: &Preset, program: &Program, launch: &KernelLaunch) -> Result<Self, LaunchError> {
        let threads = launch.threads_per_cta();
        if threads == 0 || launch.num_ctas() == 0 {
            return Err(LaunchError::Empty { grid: launch.grid, block: launch.block });
        }
        let warps_per_cta = launch.warps_per_cta();
        if warps_per_cta > preset.sm.warps {
            return Err(LaunchError::Warps { threads, needed: warps_per_cta, available: preset.sm.warps });
        }
        let granularity = preset.sm.register_granularity.max(1);
        let registers_per_warp = program.num_regs.max(1).next_multiple_of(granularity);
        let rows = preset.register_file.rows_per_bank.saturating_mul(REGISTER_BANKS);
        let warp_registers = (preset.sm.registers / 32).min(rows).min(1 << 16);
        let most = preset.register_file.max_registers;
        if program.num_regs > most {
            return Err(LaunchError::RegistersOfThread { registers: program.num_regs, most });
        }
        let needed = warps_per_cta * registers_per_warp;
        if needed > warp_registers {
            return Err(LaunchError::Registers {
                warps: warps_per_cta,
                per_warp: registers_per_warp,
                needed,
                available: warp_registers,
            });
        }
        let shared_bytes = shared_bytes(program, launch);
        if shared_bytes > preset.shared_memory.bytes {
            return Err(LaunchError::Shared { needed: shared_bytes, available: preset.shared_memory.bytes });
        }
        let by_shared = preset.shared_memory.bytes.checked_div(shared_bytes).unwrap_or(u32::MAX);
        // Each part of the file holds whole warps.
        let file = &preset.register_file;
        let parts = file.warp_banks.max(file.sub_cores).max(1);
        let warps_of_registers = parts * (warp_registers / parts / registers_per_warp);
        if warps_of_registers < warps_per_cta {
            return Err(LaunchError::Registers {
                warps: warps_per_cta,
                per_warp: registers_per_warp,
                needed,
                available: warps_of_registers * registers_per_warp,
            });
        }
        let limits = [
            (preset.sm.ctas, OccupancyLimit::Ctas),
            (preset.sm.warps / warps_per_cta, OccupancyLimit::Warps),
            (warps_of_registers / warps_per_cta, OccupancyLimit::Registers),
            (by_shared, OccupancyLimit::SharedMemory),
        ];
        let others = limits[..3].iter().map(|(ctas, _)| *ctas).min().unwrap_or(0);
        let (ctas, limit) =
            limits.into_iter().min_by_key(|(ctas, _)| *ctas).unwrap_or((0, OccupancyLimit::Ctas));
        Ok(Self {
            ctas,
            limit,
            warps_per_cta,
            registers_per_warp,
            shared_bytes,
            shared_wanted: others.saturating_mul(shared_bytes),
            warp_registers,
            warps_of_registers,
        })
    }

    /// Warps that are resident at once.
    #[must_use]
    pub fn warps(&self) -> u32 {
        self.ctas * self.warps_per_cta
    }

    /// What the resident warps and CTAs take of the on-chip memory.
    #[must_use]
    pub fn residents(&self) -> Residents {
        Residents {
            registers: self.warps() * self.registers_per_warp,
            shared_bytes: self.ctas.saturating_mul(self.shared_bytes),
            shared_wanted: self.shared_wanted,
        }
    }

    /// Share of the register file that resident warps have, 0 to 1.
    #[must_use]
    pub fn register_utilization(&self) -> f64 {
        f64::from(self.warps() * self.registers_per_warp) / f64::from(self.warp_registers)
    }
}

/// Static shared memory, then dynamic shared memory aligned to 16 bytes.
fn shared_bytes(program: &Program, launch: &KernelLaunch) -> u32 {
    match launch.dynamic_shared_bytes {
        0 => program.shared_bytes,
        dynamic => program.shared_bytes.next_multiple_of(16).saturating_add(dynamic),
    }
}
