//! The memory that the process takes.

use std::fs;

/// The most bytes resident since some moment, with those that the allocator keeps.
#[derive(Debug)]
pub struct Peak {
    /// The kernel counts from that moment on.
    counts: bool,
}

impl Peak {
    /// From now on.
    #[must_use]
    pub fn begin() -> Self {
        Self { counts: fs::write("/proc/self/clear_refs", "5").is_ok() }
    }

    /// The most bytes since; none where the system does not say.
    #[must_use]
    pub fn bytes(&self) -> Option<u64> {
        let status = self.counts.then(|| fs::read_to_string("/proc/self/status").ok())??;
        kilobytes(&status).map(|kilobytes| 1024 * kilobytes)
    }
}

fn kilobytes(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read_from_its_line() {
        assert_eq!(kilobytes("Name:\tx\nVmHWM:\t    1520 kB\nVmRSS:\t 12 kB\n"), Some(1520));
        assert_eq!(kilobytes("VmHWM:\t 1520 MB\n"), None);
        assert_eq!(kilobytes("VmRSS:\t 1520 kB\n"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_peak_counts_what_was_taken_after_it_began() {
        let peak = Peak::begin();
        let Some(before) = peak.bytes() else { return };
        let taken = std::hint::black_box(vec![1u8; 64 << 20]);
        assert!(peak.bytes().is_some_and(|bytes| bytes >= before + (32 << 20)), "{}", taken.len());
    }
}
