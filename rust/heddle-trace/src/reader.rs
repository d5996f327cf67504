//! The stream of a kernel's trace, one CTA after the other, a few lines in memory at a time.

use crate::error::{Spot, TraceError};
use crate::header::{Header, triple};
use crate::instruction::{Instruction, Parser};
use crate::line::Line;
use crate::lines::Lines;
use crate::numbers::decimal;
use crate::source::Source;

/// The line that ends a block, and so a trace.
pub const LAST_LINE: &str = "#END_TB";

/// The trace of one kernel.
#[derive(Debug)]
pub struct Reader {
    /// Its header.
    pub header: Header,
    lines: Lines,
    parser: Parser,
    next_cta: u64,
}

/// Lines on the thread block cluster that may stand before the first warp of a block, each once: the cluster
/// in the grid, the block in the cluster, and its rank. They are passed over: one SM has no clusters.
const CLUSTER_KEYS: [&str; 3] = ["cluster id", "cluster cta", "cluster rank"];

/// What a line between instructions is.
enum Head {
    Warp(u32),
    /// Place in [`CLUSTER_KEYS`].
    Cluster(usize),
    End,
    Other,
}

impl Reader {
    /// Opens a trace and reads its header.
    ///
    /// # Errors
    /// As [`Lines::open`] and [`Header::read`].
    pub fn open(source: &Source) -> Result<Self, TraceError> {
        let mut lines = Lines::open(source)?;
        let header = Header::read(&mut lines)?;
        Ok(Self { header, lines, parser: Parser::default(), next_cta: 0 })
    }

    /// Where reading stands.
    #[must_use]
    pub fn spot(&self) -> Spot {
        self.lines.spot()
    }

    /// Reads the next CTA and calls `each` with every instruction and its warp, warp by warp. Returns the
    /// number of the CTA in the grid; `None` after the last one.
    ///
    /// The CTAs must all be there, x fastest, each with all its warps, and each warp with as many
    /// instructions as declared, at least one.
    ///
    /// # Errors
    /// What does not fit the format or these rules, and what `each` says.
    pub fn next_cta(
        &mut self,
        mut each: impl FnMut(u32, Line<'_>, &Instruction<'_>) -> Result<(), TraceError>,
    ) -> Result<Option<u64>, TraceError> {
        let Some(block) = self.begin()? else { return Ok(None) };
        let warps = self.header.warps();
        let (mut warp, mut clusters) = (0, [false; CLUSTER_KEYS.len()]);
        loop {
            let at = self.lines.spot();
            let Some(line) = self.lines.next_line()? else {
                return Err(ended(at, &format!("`{LAST_LINE}`")));
            };
            match head(line.whole(LAST_LINE)?, warp)? {
                Head::Warp(number) if number >= warps => {
                    return Err(line.expected(1, format!("at most {warps} warps of the block"), line.text));
                }
                Head::Warp(_) => {}
                Head::Cluster(key) if clusters[key] => {
                    let expected = format!("`{}` once at most", CLUSTER_KEYS[key]);
                    return Err(line.expected(1, expected, line.text));
                }
                Head::Cluster(key) => {
                    clusters[key] = true;
                    continue;
                }
                Head::End if warp == warps => break,
                Head::End => {
                    let what = "warps of the block".to_owned();
                    let (declared, found) = (u64::from(warps), u64::from(warp));
                    return Err(TraceError::Count { at: line.spot(1), what, declared, found });
                }
                Head::Other => {
                    return Err(line.expected(1, format!("`warp = {warp}` or `#END_TB`"), line.text));
                }
            }
            self.warp(block, warp, &mut each)?;
            warp += 1;
        }
        self.next_cta += 1;
        Ok(Some(self.next_cta - 1))
    }

    /// Reads the head of a CTA and returns its coordinates.
    fn begin(&mut self) -> Result<Option<[u32; 3]>, TraceError> {
        let (ctas, number) = (self.header.ctas(), self.next_cta);
        let at = self.lines.spot();
        // The description of the instruction fields may follow the header.
        let mut described = number > 0;
        let line = loop {
            match self.lines.next_line()? {
                None if number == ctas => return Ok(None),
                None => {
                    let what = "blocks of the grid".to_owned();
                    return Err(TraceError::Count { at, what, declared: ctas, found: number });
                }
                Some(line) if !described && line.text.starts_with("#traces format") => described = true,
                Some(line) => break line,
            }
        };
        if number == ctas {
            return Err(line.expected(1, format!("the end of the file after {ctas} blocks"), line.text));
        }
        if line.whole(LAST_LINE)?.text != "#BEGIN_TB" {
            return Err(line.expected(1, "`#BEGIN_TB`", line.text));
        }
        let [gx, gy, _] = self.header.grid.map(u64::from);
        // Each is below the dimension of the grid, which fits 32 bits.
        let block = [number % gx, number / gx % gy, number / (gx * gy)].map(|n| n as u32);
        let expected =
            format!("`thread block = {},{},{}` (all are there, x fastest)", block[0], block[1], block[2]);
        let Some(line) = self.lines.next_line()? else { return Err(ended(self.lines.spot(), &expected)) };
        let found =
            line.whole(LAST_LINE)?.value("thread block").and_then(|(_, text)| triple(text, |_, _| true));
        if found != Some(block) {
            return Err(line.expected(1, expected, line.text));
        }
        Ok(Some(block))
    }

    fn warp(
        &mut self,
        block: [u32; 3],
        warp: u32,
        each: &mut impl FnMut(u32, Line<'_>, &Instruction<'_>) -> Result<(), TraceError>,
    ) -> Result<(), TraceError> {
        let header = &self.header;
        let lanes = header.lanes(warp);
        let at = self.lines.spot();
        let Some(line) = self.lines.next_line()? else { return Err(ended(at, "`insts = N`, N below 2^64")) };
        let count = line
            .whole(LAST_LINE)?
            .value("insts")
            .and_then(|(_, text)| decimal(text))
            .ok_or_else(|| line.expected(1, "`insts = N`, N below 2^64", line.text))?;
        if count == 0 {
            return Err(TraceError::EmptyWarp { at: line.spot(1), warp });
        }
        for found in 0..count {
            let number = self.lines.number();
            let Some(line) = self.lines.next_line()? else {
                let expected = format!("{count} instructions of warp {warp}, {found} are there");
                return Err(ended(Spot { line: number, ..self.lines.spot() }, &expected));
            };
            if matches!(line.text.as_bytes(), [b'#' | b'w' | b'i' | b't', ..]) {
                let what = format!("instructions of warp {warp}");
                return Err(TraceError::Count { at: line.spot(1), what, declared: count, found });
            }
            let line = line.whole(LAST_LINE)?;
            let instruction = self.parser.parse(line, header, block, warp)?;
            if instruction.mask & !lanes != 0 {
                return Err(TraceError::Lanes { at: line.spot(1), mask: instruction.mask, warp, lanes });
            }
            each(warp, line, &instruction)?;
        }
        Ok(())
    }
}

/// The head of warp `warp`, the end of a block, or something else.
fn head(line: Line<'_>, warp: u32) -> Result<Head, TraceError> {
    if line.text == LAST_LINE {
        return Ok(Head::End);
    }
    if warp == 0
        && let Some(key) = cluster_key(line)?
    {
        return Ok(Head::Cluster(key));
    }
    match line.value("warp").map(|(column, text)| (column, text, decimal(text))) {
        None => Ok(Head::Other),
        Some((_, _, Some(number))) if number == u64::from(warp) => Ok(Head::Warp(warp)),
        Some((column, text, _)) => Err(line.expected(column, format!("warp {warp}"), text)),
    }
}

/// Which of [`CLUSTER_KEYS`] a line has; its value must be well formed.
fn cluster_key(line: Line<'_>) -> Result<Option<usize>, TraceError> {
    for (key, name) in CLUSTER_KEYS.iter().enumerate() {
        let Some((column, text)) = line.value(name) else { continue };
        let (expected, fits) = match *name {
            "cluster rank" => ("a number", decimal(text).is_some()),
            _ => ("three numbers x,y,z", triple(text, |_, _| true).is_some()),
        };
        return if fits { Ok(Some(key)) } else { Err(line.expected(column, expected, text)) };
    }
    Ok(None)
}

fn ended(at: Spot, expected: &str) -> TraceError {
    TraceError::Expected { at, expected: expected.to_owned(), found: "the end of the file".to_owned() }
}
