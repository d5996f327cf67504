//! Clustering of a stream of points: which candidates pay as centres (Rodinia: `streamcluster`).
//!
//! For each candidate the device says what every point would gain; the host adds the gains, opens the
//! candidate if it pays, closes centres that no longer do, and moves the points. All sums have a fixed
//! order, so the host's decisions are known beforehand; gains and moves of every launch are compared.

mod search;

use super::{arg, ptx};
use crate::buffers::Host;
use crate::published::{AT_LAUNCH, Published, Quantity, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};
use search::Search;

const HOST: Host = Host { workload: "streamcluster" };
/// Threads of a block.
const BLOCK: usize = 512;
/// Blocks in x, at most.
const MAX_BLOCKS: usize = 65_535;

/// The workload.
struct StreamCluster;

inventory::submit! { Entry(&StreamCluster) }

/// Points, their dimensions, and candidates that are tried.
#[derive(Debug, Clone, Copy)]
struct Extent {
    points: usize,
    dimensions: usize,
    candidates: usize,
}

fn extent(size: Size) -> Extent {
    let (points, dimensions, candidates) = match size {
        Size::Smoke => (900, 24, 5),
        Size::Small => (5_000, 48, 8),
        // Fewer dimensions than the suite's 256: near the footprint that the OSM paper gives.
        Size::Paper => (65_536, 64, 6),
    };
    Extent { points, dimensions, candidates }
}

impl Workload for StreamCluster {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "gain of a new centre for every point: streaming, one serial thread a block"
    }

    fn suite(&self) -> &'static str {
        "rodinia"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[published(
                "streamcluster",
                "streamcluster/kernel_compute_cost",
                &[(Quantity::Shared, AT_LAUNCH)],
            )]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("streamcluster")
    }

    fn size_text(&self, size: Size) -> String {
        let e = extent(size);
        format!("{} points of {} dimensions, {} candidates", e.points, e.dimensions, e.candidates)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let e = extent(size);
        let mut random = SplitMix64::new(seed, 0);
        let mut search = Search::new(e.points, e.dimensions, &mut random);
        let mut script = Script::new(HOST);
        let coordinates = script.input("coordinates", &search.by_dimension());
        let points = script.input("points", &search.points());
        let slots = script.input("slots", &search.slots());
        let blocks = e.points.div_ceil(BLOCK);
        let mut expected = Vec::new();
        for trial in 0..e.candidates {
            let candidate = random.below(arg(e.points)) as usize;
            if trial > 0 {
                script.rewrite(points, &search.points()).rewrite(slots, &search.slots());
            }
            let centers = search.centers();
            let stride = centers + 1;
            let savings = script.input("savings", &vec![0.0_f32; e.points * stride]);
            let moves = script.input("moves", &vec![0_u8; e.points]);
            script
                .launch(
                    "streamcluster",
                    [blocks.min(MAX_BLOCKS), blocks.div_ceil(MAX_BLOCKS), 1],
                    [BLOCK, 1, 1],
                )
                .shared(arg(4 * e.dimensions))
                .u32(arg(e.points))
                .u32(arg(e.dimensions))
                .u32(arg(candidate))
                .pointer(points)
                .u32(arg(centers))
                .u32(arg(stride))
                .pointer(coordinates)
                .pointer(savings)
                .pointer(slots)
                .pointer(moves);
            let gain = search.gain(candidate);
            search.decide(candidate, &gain);
            expected.push((savings, moves, gain));
        }
        script.judge(move |results| {
            for (savings, moves, gain) in &expected {
                results.exact(*savings, &gain.savings)?;
                results.exact(*moves, &gain.moves)?;
            }
            Ok(())
        });
        Ok(Box::new(script))
    }
}
