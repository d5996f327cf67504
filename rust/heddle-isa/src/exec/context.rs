//! What the lanes of a warp know besides registers.

use std::sync::Arc;

use heddle_port::{LaneData, LaneMask, NUM_LANES};

use super::Moment;
use crate::memory::GRID_WORKSPACE;
use crate::operand::Special;
use crate::program::{KernelLaunch, Program};
use crate::texture::TextureTable;

/// Special registers, parameters and constants of one warp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WarpContext {
    /// Thread coordinates in the CTA, by dimension and lane.
    pub tid: [LaneData; 3],
    /// Threads of a CTA, by dimension.
    pub ntid: [u32; 3],
    /// CTA coordinates in the grid.
    pub ctaid: [u32; 3],
    /// CTAs of the grid, by dimension.
    pub nctaid: [u32; 3],
    /// Number of the warp in its CTA.
    pub warp_id: u32,
    /// Dynamic shared memory in bytes.
    pub dynamic_shared_bytes: u32,
    /// Static and dynamic shared memory in bytes.
    pub total_shared_bytes: u32,
    /// Address of the workspace of a cooperative launch, else 0.
    pub grid_workspace: u32,
    /// What changes while the warp runs.
    pub moment: Moment,
    /// Parameter block.
    pub params: Arc<[u8]>,
    /// Constant bank.
    pub constants: Arc<[u8]>,
    /// Textures and surfaces.
    pub textures: Arc<TextureTable>,
}

impl WarpContext {
    /// The context of warp `warp_in_cta` of CTA number `cta` (x fastest).
    ///
    /// The parameter block and the module's constant bank are copied; a caller that makes many contexts of one
    /// launch, or whose host writes constants ([`Program::constant_bank`]), uses [`WarpContext::with_banks`].
    #[must_use]
    pub fn new(program: &Program, launch: &KernelLaunch, cta: u64, warp_in_cta: u32) -> Self {
        let params = Arc::from(launch.params.as_slice());
        let constants = Arc::from(program.constants.bytes.as_slice());
        Self::with_banks(program, launch, cta, warp_in_cta, params, constants)
    }

    /// As [`WarpContext::new`], with the parameter block and constant bank given.
    #[must_use]
    pub fn with_banks(
        program: &Program,
        launch: &KernelLaunch,
        cta: u64,
        warp_in_cta: u32,
        params: Arc<[u8]>,
        constants: Arc<[u8]>,
    ) -> Self {
        let ntid = launch.block;
        let (nx, ny) = (ntid[0].max(1), ntid[1].max(1));
        let thread = |lane: usize| warp_in_cta * 32 + lane as u32;
        let tid = [
            std::array::from_fn(|lane| thread(lane) % nx),
            std::array::from_fn(|lane| thread(lane) / nx % ny),
            std::array::from_fn(|lane| thread(lane) / nx / ny),
        ];
        let statically = program.shared_bytes;
        let dynamic = launch.dynamic_shared_bytes;
        Self {
            tid,
            ntid,
            ctaid: launch.cta_coordinates(cta),
            nctaid: launch.grid,
            warp_id: warp_in_cta,
            dynamic_shared_bytes: dynamic,
            grid_workspace: if launch.cooperative { GRID_WORKSPACE } else { 0 },
            moment: Moment::default(),
            total_shared_bytes: if dynamic == 0 {
                statically
            } else {
                statically.next_multiple_of(16).saturating_add(dynamic)
            },
            params,
            constants,
            textures: Arc::clone(&launch.textures),
        }
    }

    /// Lanes that hold a thread of the CTA; the last warp may have fewer than 32.
    #[must_use]
    pub fn lanes(&self) -> LaneMask {
        let threads: u32 = self.ntid.iter().product();
        let here = threads.saturating_sub(self.warp_id * 32);
        if here >= 32 { LaneMask::ALL } else { LaneMask((1 << here) - 1) }
    }

    /// Warps of the CTA, the partial last one included.
    #[must_use]
    pub fn num_warps(&self) -> u32 {
        let threads = self.ntid.iter().map(|&n| u64::from(n)).fold(1, u64::saturating_mul);
        u32::try_from(threads.div_ceil(NUM_LANES as u64)).unwrap_or(u32::MAX)
    }

    /// The value of a special register, lane by lane.
    #[must_use]
    pub fn special(&self, special: Special) -> LaneData {
        let dimension = |d: u8| usize::from(d.min(2));
        let by_lane = |f: fn(u32) -> u32| std::array::from_fn(|lane| f(lane as u32));
        match special {
            Special::Tid(d) => self.tid[dimension(d)],
            Special::Ntid(d) => [self.ntid[dimension(d)]; NUM_LANES],
            Special::Ctaid(d) => [self.ctaid[dimension(d)]; NUM_LANES],
            Special::Nctaid(d) => [self.nctaid[dimension(d)]; NUM_LANES],
            Special::LaneId => by_lane(|lane| lane),
            Special::WarpId => [self.warp_id; NUM_LANES],
            Special::NwarpId => [self.num_warps(); NUM_LANES],
            Special::LanemaskEq => by_lane(|lane| 1 << lane),
            Special::LanemaskLt => by_lane(|lane| (1 << lane) - 1),
            Special::LanemaskLe => by_lane(|lane| u32::MAX >> (31 - lane)),
            Special::LanemaskGt => by_lane(|lane| !(u32::MAX >> (31 - lane))),
            Special::LanemaskGe => by_lane(|lane| u32::MAX << lane),
            Special::DynamicSharedBytes => [self.dynamic_shared_bytes; NUM_LANES],
            Special::TotalSharedBytes => [self.total_shared_bytes; NUM_LANES],
            Special::GridWorkspace => [self.grid_workspace; NUM_LANES],
        }
    }
}
