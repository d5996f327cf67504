//! How slow a register file may become (LTRF, section 7.2: the maximum tolerable register file access latency).

/// What is tolerated of a curve of speed over latency.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// The greatest latency up to which no measured one loses more, and from there on along the line to the next
    /// measured one; none where the first one loses more.
    pub latency: Option<f64>,
    /// No measured latency loses more, so the greatest one that is tolerated is not known.
    pub beyond: bool,
    /// No longer latency is faster than a shorter one.
    pub monotone: bool,
}

impl Tolerance {
    /// What is tolerated of `points`, latency and instructions a cycle, the shortest latency first, where at least
    /// `least` instructions a cycle are to be kept.
    #[must_use]
    pub fn of(points: &[(f64, f64)], least: f64) -> Self {
        let kept = points.iter().take_while(|(_, ipc)| *ipc >= least).count();
        let latency = kept.checked_sub(1).map(|last| {
            let (from, fast) = points[last];
            match points.get(kept) {
                Some((to, slow)) => from + (to - from) * (fast - least) / (fast - slow),
                None => from,
            }
        });
        let monotone = points.windows(2).all(|pair| pair[1].1 <= pair[0].1);
        Self { latency, beyond: kept == points.len(), monotone }
    }
}

#[cfg(test)]
mod tests {
    use super::Tolerance;

    #[test]
    fn the_line_between_two_latencies_is_followed() {
        let points = [(1.0, 1.0), (2.0, 0.98), (4.0, 0.90), (8.0, 0.97)];
        let found = Tolerance::of(&points, 0.95);
        assert!(found.latency.is_some_and(|latency| (latency - 2.75).abs() < 1e-9), "{found:?}");
        assert!(!found.beyond && !found.monotone);
    }

    #[test]
    fn ends_are_said() {
        let points = [(1.0, 1.0), (2.0, 0.97)];
        let all = Tolerance::of(&points, 0.95);
        assert_eq!(all, Tolerance { latency: Some(2.0), beyond: true, monotone: true });
        let nothing = Tolerance::of(&points, 1.01);
        assert_eq!(nothing, Tolerance { latency: None, beyond: false, monotone: true });
        assert_eq!(Tolerance::of(&points[..1], 1.0).latency, Some(1.0));
    }
}
