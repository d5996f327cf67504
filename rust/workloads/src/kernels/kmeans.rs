//! k-means clustering (Rodinia: `kmeans`).
//!
//! Between two launches the host moves every centre to the mean of its points. Distances are fixed to the
//! bit (fused multiply-adds, feature by feature, the first of equally near centres), so the host knows
//! the centres of all rounds beforehand; the memberships of every round are compared.

use super::{arg, ptx};
use crate::buffers::Host;
use crate::input::{InputFile, table, take};
use crate::inputs::floats;
use crate::published::{Published, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "kmeans" };
/// Threads of a block.
const BLOCK: usize = 256;
/// Clusters.
const CLUSTERS: usize = 5;
/// Features of a point that constant memory has room for.
const MAX_FEATURES: usize = 34;

/// The workload.
struct Kmeans;

inventory::submit! { Entry(&Kmeans) }

/// Points, features of a point, and rounds.
#[derive(Debug, Clone, Copy)]
struct Extent {
    points: usize,
    features: usize,
    rounds: usize,
}

fn extent(size: Size) -> Extent {
    let (points, features, rounds) = match size {
        Size::Smoke => (1_100, 12, 2),
        Size::Small => (3_000, 34, 3),
        // Nearer to the footprint of the OSM paper than the suite's 494,020 points.
        Size::Paper => (1_200_000, 34, 2),
    };
    Extent { points, features, rounds }
}

impl Workload for Kmeans {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "nearest centres: features in columns, centres in constant memory"
    }

    fn suite(&self) -> &'static str {
        "rodinia"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published("kmeans_invert", "kmeans/invert_mapping", &[]),
                published("kmeans_assign", "kmeans/kmeansPoint", &[]),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("kmeans")
    }

    fn size_text(&self, size: Size) -> String {
        let e = extent(size);
        format!("{} points, {} features, {CLUSTERS} clusters, {} rounds", e.points, e.features, e.rounds)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let e = extent(size);
        let points = points(e, &mut SplitMix64::new(seed, 0));
        Ok(Box::new(script(e, points)))
    }

    fn input_files(&self) -> &'static [&'static str] {
        &["points, a line each: a name and up to 34 features"]
    }

    fn instance_of(&self, files: &[InputFile]) -> Result<Box<dyn Instance>, WorkloadError> {
        let [file] = take(self, files)?;
        let table = table(file)?;
        let (points, features) = (table.rows(), table.columns);
        if points < CLUSTERS || features > MAX_FEATURES {
            let expected = format!("{CLUSTERS} points at least, {MAX_FEATURES} features at most");
            return Err(file.unfit(expected, format!("{points} points of {features}")).into());
        }
        Ok(Box::new(script(Extent { points, features, ..extent(Size::Paper) }, table.values)))
    }
}

/// The rounds over `points`.
fn script(e: Extent, points: Vec<f32>) -> Script {
    let rounds = cluster(e, &points);
    let mut script = Script::new(HOST);
    let by_point = script.input("by point", &points);
    let by_feature = script.output::<f32>("by feature", points.len());
    let blocks = e.points.div_ceil(BLOCK);
    script
        .launch("kmeans_invert", [blocks, 1, 1], [BLOCK, 1, 1])
        .pointer(by_point)
        .pointer(by_feature)
        .u32(arg(e.points))
        .u32(arg(e.features));
    // The grid is as square as Rodinia makes it.
    let side = blocks.isqrt() + usize::from(blocks.isqrt().pow(2) < blocks);
    let mut memberships = Vec::new();
    for round in &rounds {
        let membership = script.output::<u32>("membership", e.points);
        script.constant("centers", &round.centers);
        script
            .launch("kmeans_assign", [side, side, 1], [BLOCK, 1, 1])
            .pointer(by_feature)
            .u32(arg(e.features))
            .u32(arg(e.points))
            .u32(arg(CLUSTERS))
            .pointer(membership);
        memberships.push(membership);
    }
    script.judge(move |results| {
        let column = |f: usize| points.iter().skip(f).step_by(e.features).copied();
        results.exact(by_feature, &(0..e.features).flat_map(column).collect::<Vec<_>>())?;
        for (&membership, round) in memberships.iter().zip(&rounds) {
            results.exact(membership, &round.membership)?;
        }
        Ok(())
    });
    script
}

/// Points around seven places, so that neither all nor no point changes its cluster in a round.
fn points(e: Extent, random: &mut SplitMix64) -> Vec<f32> {
    let places: Vec<Vec<f32>> = (0..7).map(|_| floats(random, e.features, -4.0, 4.0)).collect();
    let mut points = Vec::with_capacity(e.points * e.features);
    for _ in 0..e.points {
        let place = &places[random.below(7) as usize];
        points.extend(place.iter().map(|v| v + random.f32_in(-2.0, 2.0)));
    }
    points
}

/// Centres at the begin of a round, and the nearest of each point.
struct Round {
    centers: Vec<f32>,
    membership: Vec<u32>,
}

fn cluster(e: Extent, points: &[f32]) -> Vec<Round> {
    let mut centers = points[..CLUSTERS * e.features].to_vec();
    let mut rounds = Vec::new();
    for _ in 0..e.rounds {
        let membership: Vec<u32> = points.chunks_exact(e.features).map(|p| nearest(p, &centers)).collect();
        let next = means(e.features, points, &membership, &centers);
        rounds.push(Round { centers: std::mem::replace(&mut centers, next), membership });
    }
    rounds
}

fn nearest(point: &[f32], centers: &[f32]) -> u32 {
    let distance = |center: &[f32]| {
        let squares = point.iter().zip(center).map(|(p, c)| p - c);
        squares.fold(0.0_f32, |sum, d| d.mul_add(d, sum))
    };
    let mut best = (0, f32::INFINITY);
    for (c, center) in (0..).zip(centers.chunks_exact(point.len())) {
        let distance = distance(center);
        if distance < best.1 {
            best = (c, distance);
        }
    }
    best.0
}

/// The mean of the points of each cluster; an empty one stays where it is.
fn means(features: usize, points: &[f32], membership: &[u32], old: &[f32]) -> Vec<f32> {
    let mut sums = vec![0.0_f32; old.len()];
    let mut counts = [0_u32; CLUSTERS];
    for (point, &cluster) in points.chunks_exact(features).zip(membership) {
        counts[cluster as usize] += 1;
        for (sum, v) in sums[cluster as usize * features..].iter_mut().zip(point) {
            *sum += v;
        }
    }
    let mean = |(i, sum): (usize, f32)| match counts[i / features] {
        0 => old[i],
        count => sum / count as f32,
    };
    sums.into_iter().enumerate().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equally_near_centres_is_taken() {
        assert_eq!(nearest(&[0.0, 0.0], &[3.0, 4.0, -4.0, 3.0, 1.0, 0.0, 0.0, -1.0]), 2);
        assert_eq!(nearest(&[0.0], &[1.0, -1.0]), 0);
    }

    #[test]
    fn empty_clusters_stay() {
        let means = means(1, &[1.0, 3.0, 8.0], &[0, 0, 4], &[9.0, 9.0, 7.0, 9.0, 9.0]);
        assert_eq!(means, [2.0, 9.0, 7.0, 9.0, 8.0]);
    }
}
