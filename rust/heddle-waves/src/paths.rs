//! Paths of signals.

/// What follows the top module in a path below the top scope, where the path is not one of a port.
pub(crate) fn inside(path: &str) -> Option<&str> {
    path.split_once('.').filter(|(scope, _)| scope.ends_with("_top")).map(|(_, rest)| rest)
}

/// The path without the top scope that the tracer adds (`TOP`).
pub(crate) fn below_top(path: &str) -> &str {
    path.strip_prefix("TOP.").unwrap_or(path)
}

/// What GTKWave shows: the path inside the design. GTKWave cuts names at dots, so slashes stand for them.
pub(crate) fn short_name(path: &str) -> String {
    inside(below_top(path)).unwrap_or(below_top(path)).replace("__SYM__", "").replace('.', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_without_dots() {
        assert_eq!(short_name("TOP.ltrf_top.slots[1].state"), "slots[1]/state");
        assert_eq!(short_name("TOP.result_i[0].__SYM__register"), "result_i[0]/register");
        assert_eq!(short_name("TOP.clk_i"), "clk_i");
    }
}
