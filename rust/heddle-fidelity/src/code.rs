//! The instructions of one warp as they are written.

/// Lanes of a whole warp.
pub const ALL_LANES: u32 = u32::MAX;

/// Bytes from one instruction to the next.
const PC_STEP: u32 = 16;

/// One executed instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Program counter.
    pub pc: u32,
    /// Lanes.
    pub mask: u32,
    /// Opcode with modifiers.
    pub opcode: &'static str,
    /// First register of the destination.
    pub destination: Option<u8>,
    /// First register of each source.
    pub sources: Vec<u8>,
    /// What it accesses in memory.
    pub access: Option<Access>,
    /// The last immediate operand, 0 where there is none.
    pub immediate: u64,
}

/// A memory access.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// Bytes of a lane.
    pub bytes: u32,
    /// Address of each executing lane, the lowest lane first.
    pub addresses: Vec<u64>,
}

impl Access {
    /// `bytes` a lane, all lanes, the first at `base` and each further one `stride` bytes on.
    pub fn strided(bytes: u32, base: u64, stride: u64) -> Self {
        Self::lanes(bytes, |lane| base + lane * stride)
    }

    /// `bytes` a lane, all lanes, at the addresses that `address` gives by lane.
    pub fn lanes(bytes: u32, address: impl Fn(u64) -> u64) -> Self {
        Self { bytes, addresses: (0..u64::from(ALL_LANES.count_ones())).map(address).collect() }
    }

    /// `bytes` of one lane.
    pub fn one(bytes: u32, address: u64) -> Self {
        Self { bytes, addresses: vec![address] }
    }
}

/// The code of a warp, in the order of its execution.
#[derive(Debug, Default)]
pub struct Code {
    lines: Vec<Line>,
    pc: u32,
}

impl Code {
    /// The next instruction is at `pc`, as after a branch.
    pub fn at(&mut self, pc: u32) {
        self.pc = pc;
    }

    /// An instruction of all lanes; what is returned can be given lanes, an access, an immediate.
    pub fn op(&mut self, opcode: &'static str, destination: Option<u8>, sources: &[u8]) -> &mut Line {
        let (pc, sources) = (self.pc, sources.to_vec());
        self.pc += PC_STEP;
        let line = Line { pc, mask: ALL_LANES, opcode, destination, sources, access: None, immediate: 0 };
        self.lines.push(line);
        let last = self.lines.len() - 1;
        &mut self.lines[last]
    }

    /// An instruction with neither registers nor memory.
    pub fn plain(&mut self, opcode: &'static str) -> &mut Line {
        self.op(opcode, None, &[])
    }

    /// `FFMA d, a, b, c`.
    pub fn ffma(&mut self, d: u8, [a, b, c]: [u8; 3]) -> &mut Line {
        self.op("FFMA", Some(d), &[a, b, c])
    }

    /// A memory access of all lanes.
    pub fn access(
        &mut self,
        opcode: &'static str,
        d: Option<u8>,
        sources: &[u8],
        access: Access,
    ) -> &mut Line {
        self.op(opcode, d, sources).accessing(access)
    }

    /// The instructions.
    pub fn into_lines(self) -> Vec<Line> {
        self.lines
    }
}

impl Line {
    /// The same in the lanes of `mask`.
    pub fn in_lanes(&mut self, mask: u32) -> &mut Self {
        self.mask = mask;
        self
    }

    /// The same with a last immediate operand.
    pub fn with_immediate(&mut self, immediate: u64) -> &mut Self {
        self.immediate = immediate;
        self
    }

    /// The same with a memory access; one of a single address is made by the first lane alone.
    pub fn accessing(&mut self, access: Access) -> &mut Self {
        if access.addresses.len() == 1 {
            self.mask = 1;
        }
        self.access = Some(access);
        self
    }
}
