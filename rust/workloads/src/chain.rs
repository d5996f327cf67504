//! Chains of dependent instructions of one warp that measure the latencies of the execution pipelines.
//!
//! They are no workloads. The PTX is written for each length, as the instructions stand one after the other.

use std::fmt::Write;

use heddle_isa::{DeviceMemory, KernelLaunch};

use crate::buffers::{Buffer, Host};
use crate::params::ParamBlock;
use crate::{CheckFailure, Checked, Instance, Launch, WorkloadError};

const HOST: Host = Host { workload: "chain" };

/// What the instructions of a chain do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// Single-precision multiply-add.
    Fp32,
    /// Integer addition.
    Int,
    /// Integer multiply-add.
    IntMultiply,
    /// Double-precision multiply-add.
    Fp64,
    /// Reciprocal.
    Sfu,
    /// Shuffle.
    Exchange,
}

impl Link {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Fp32, Self::Int, Self::IntMultiply, Self::Fp64, Self::Sfu, Self::Exchange];

    /// The instruction on the value of the chain, to which all but the last two add 1. Its registers are as many as its
    /// operands, for a register that is read twice is read from one bank twice.
    fn ptx(self) -> &'static str {
        match self {
            Self::Fp32 => "fma.rn.f32 %f1, %f1, %f2, %f3;",
            Self::Int => "add.u32 %r1, %r1, %r2;",
            Self::IntMultiply => "mad.lo.u32 %r1, %r1, %r2, %r3;",
            Self::Fp64 => "fma.rn.f64 %fd1, %fd1, %fd2, %fd3;",
            Self::Sfu => "rcp.approx.f32 %f1, %f1;",
            Self::Exchange => "shfl.sync.bfly.b32 %r1, %r1, 0, 31, 0xFFFFFFFF;",
        }
    }
}

/// A chain with a length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chain {
    /// Its instructions.
    pub link: Link,
    /// How many.
    pub length: u32,
}

impl Chain {
    /// The kernel: a chain that begins with 1 and whose end is stored.
    #[must_use]
    pub fn ptx(self) -> String {
        let mut text = String::from(
            ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry chain(.param .u64 end)\n{\n\
             .reg .b64 %rd<2>;\n.reg .b32 %r<4>;\n.reg .f32 %f<4>;\n.reg .f64 %fd<4>;\n\
             ld.param.u64 %rd1, [end];\n",
        );
        let (begin, end) = match self.link {
            Link::Fp32 | Link::Sfu => (
                "mov.f32 %f1, 0f3F800000;\nmov.f32 %f2, 0f3F800000;\nmov.f32 %f3, 0f3F800000;",
                "cvt.rzi.u32.f32 %r1, %f1;",
            ),
            Link::Fp64 => (
                "mov.f64 %fd1, 0d3FF0000000000000;\nmov.f64 %fd2, 0d3FF0000000000000;\nmov.f64 %fd3, 0d3FF0000000000000;",
                "cvt.rzi.u32.f64 %r1, %fd1;",
            ),
            Link::Int | Link::IntMultiply | Link::Exchange => {
                ("mov.u32 %r1, 1;\nmov.u32 %r2, 1;\nmov.u32 %r3, 1;", "")
            }
        };
        let link = self.link.ptx();
        let _ = writeln!(text, "{begin}");
        for _ in 0..self.length {
            let _ = writeln!(text, "{link}");
        }
        let _ = writeln!(text, "{end}\nst.global.u32 [%rd1], %r1;\nret;\n}}");
        text
    }

    /// What it ends with.
    fn last(self) -> u32 {
        match self.link {
            Link::Sfu | Link::Exchange => 1,
            _ => 1 + self.length,
        }
    }

    /// A run of it.
    #[must_use]
    pub fn instance(self) -> Box<dyn Instance> {
        Box::new(Run { chain: self, end: None, launched: false })
    }
}

struct Run {
    chain: Chain,
    end: Option<Buffer>,
    launched: bool,
}

impl Instance for Run {
    fn set_up(&mut self, memory: &mut DeviceMemory) -> Result<(), WorkloadError> {
        self.end = Some(HOST.allocate::<u32>(memory, "end", 1)?);
        Ok(())
    }

    fn next_launch(&mut self, _: &mut DeviceMemory) -> Result<Option<Launch>, WorkloadError> {
        let end = self.end.ok_or_else(|| HOST.not_set_up())?.address;
        if std::mem::replace(&mut self.launched, true) {
            return Ok(None);
        }
        let launch = KernelLaunch {
            grid: [1, 1, 1],
            block: [32, 1, 1],
            params: ParamBlock::new().pointer(end).finish(),
            ..KernelLaunch::default()
        };
        Ok(Some(Launch { entry: "chain".into(), launch }))
    }

    fn check(&self, memory: &DeviceMemory) -> Result<Checked, CheckFailure> {
        let end = self.end.ok_or_else(|| HOST.unchecked())?;
        HOST.expect(memory, end, &[self.chain.last()]).map(Checked::exact)
    }
}
