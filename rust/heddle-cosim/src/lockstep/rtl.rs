//! The RTL's side of a launch: the RTL, and the SM that it drives.

use heddle_isa::RecordedCta;
use heddle_port::{
    LaneData, MemIn, MemOut, NUM_SOURCES, OperandData, RegIn, RegOut, RegisterData, RegisterFile, Tag,
};
use heddle_rtl::RtlRegisterFile;
use heddle_sm::{Observer, OperandSource, Sm, SmError};
use heddle_trace::Replay;

use super::LaunchContext;
use super::edge::{Edge, Stands};
use super::failure::{is_output, warps_of};
use crate::check::InWords;
use crate::check::spills::LowerOffer;
use crate::error::RunError;
use crate::memory_port::{collect, drive};
use crate::trace::supply;
use crate::window::{Issued, WaveWriter};

/// The operand data that came out of the RTL.
pub(super) struct FromRtl<'a>(pub &'a OperandData);

impl OperandSource for FromRtl<'_> {
    #[inline]
    fn operand(&self, slot: usize) -> &[LaneData; NUM_SOURCES] {
        &self.0[slot]
    }
}

/// The RTL, which drives the SM.
pub struct Rtl<'a> {
    /// The design.
    pub design: &'a mut RtlRegisterFile,
    /// Its outputs of the current cycle.
    pub out: RegOut,
    /// The waveform window, where asked for.
    pub waves: Option<&'a mut WaveWriter>,
}

/// Why the RTL's side does not go on.
#[derive(Debug)]
pub(super) enum Halt {
    /// The checking side has found something.
    Found(RunError),
    /// The checking side takes no more cycles.
    Refused,
    /// The SM does not go on in this cycle of the launch.
    Sm(u64, Box<SmError>),
    /// The RTL does not take the clock edge of this cycle, in which the SM drives these warps.
    Rtl {
        /// Cycle of the launch.
        cycle: u64,
        /// What it says.
        message: String,
        /// The warps.
        warps: Vec<u8>,
    },
    /// Something that no check finds: no more cycles, Ctrl-C, a file.
    Other(RunError),
}

impl From<RunError> for Halt {
    fn from(error: RunError) -> Self {
        Self::Other(error)
    }
}

/// Who is shown what the RTL's side does: the events of the SM, and each clock edge.
pub(super) trait Watch {
    /// What the events of the SM are shown to.
    type Events: Observer;

    /// The same.
    fn events(&mut self) -> &mut Self::Events;

    /// Whether edges are to tell what is offered to L2.
    fn expects_spills(&self) -> bool;

    /// An instruction in flight, for people; none where checking runs behind.
    fn instruction(&self, tag: Tag) -> Option<InWords>;

    /// The record of the CTA that starts next, of a trace.
    fn recorded(&mut self, record: RecordedCta);

    /// A clock edge, after which the cycle is over.
    ///
    /// # Errors
    /// The RTL's side is not to go on.
    fn edge(&mut self, edge: &Edge<'_>) -> Result<(), Halt>;
}

/// Runs a launch until it has ended on the SM; of a trace, `replay` has the records of the CTAs.
///
/// # Errors
/// It does not go on.
pub(super) fn run_rtl<W: Watch>(
    context: &mut LaunchContext<'_>,
    sm: &mut Sm,
    rtl: &mut Rtl<'_>,
    watch: &mut W,
    mut replay: Option<&mut Replay>,
) -> Result<(), Halt> {
    let mut input = RegIn::default();
    while !sm.is_done() {
        let cycle = sm.cycle().0;
        rtl.show(context, cycle)?;
        if let Some(record) = supply(sm, replay.as_deref_mut())? {
            watch.recorded(record);
        }
        context.counters.add(&rtl.out.events);
        let data = FromRtl(rtl.design.operand_data());
        let ticked = sm.tick(&rtl.out, &data, &mut input, watch.events());
        ticked.map_err(|error| Halt::Sm(cycle, Box::new(error)))?;
        rtl.edge(sm, &input, cycle, watch)?;
        context.pace(sm)?;
    }
    Ok(())
}

/// What the RTL's memory port offers to L2 in this cycle, once the SM and L2 have driven their side.
#[inline]
fn lower_offer(sm: &Sm, rtl: &mut RtlRegisterFile) -> Option<LowerOffer> {
    let taken = sm.to_design_memory()?.lower_ready;
    let side = rtl.memory_side()?;
    Some(LowerOffer {
        request: side.memory_out().lower_request,
        taken,
        data: side.memory_data()?.lower_request,
    })
}

impl Rtl<'_> {
    /// The outputs of its memory port in the current cycle, where it has one.
    pub(super) fn memory_out(&mut self) -> Option<MemOut> {
        self.design.memory_side().map(|side| *side.memory_out())
    }

    /// Opens or closes the waveform in a cycle of the launch.
    #[inline]
    pub(super) fn show(&mut self, context: &LaunchContext<'_>, cycle: u64) -> Result<(), RunError> {
        match self.waves.as_deref_mut() {
            Some(waves) => waves.at_cycle(context.base_cycle + cycle, self.design),
            None => Ok(()),
        }
    }

    /// The clock edge of a cycle of the launch, with what the SM drives in it.
    #[inline]
    pub(super) fn edge<W: Watch>(
        &mut self,
        sm: &mut Sm,
        input: &RegIn,
        cycle: u64,
        watch: &mut W,
    ) -> Result<(), Halt> {
        self.note_issue(input, watch);
        drive(sm, self.design);
        let lower = if watch.expects_spills() { lower_offer(sm, self.design) } else { None };
        let stands = Stands::of(input, sm);
        self.step(cycle, input, (sm.to_design_memory(), lower.as_ref()), &stands, watch)?;
        collect(sm, self.design);
        Ok(())
    }

    /// A clock edge of the flush after the launch; `cycle` goes on from the launch's.
    pub(super) fn flush_edge<W: Watch>(
        &mut self,
        context: &LaunchContext<'_>,
        sm: &mut Sm,
        cycle: u64,
        watch: &mut W,
    ) -> Result<(), Halt> {
        self.show(context, cycle)?;
        drive(sm, self.design);
        let memory = (sm.to_design_memory(), None);
        self.step(cycle, &RegIn::default(), memory, &Stands::default(), watch)?;
        collect(sm, self.design);
        Ok(())
    }

    /// A clock edge with nothing offered.
    pub(super) fn idle_edge<W: Watch>(&mut self, cycle: u64, watch: &mut W) -> Result<(), Halt> {
        self.step(cycle, &RegIn::default(), (None, None), &Stands::default(), watch)
    }

    /// Tells the waveform which instructions the design accepts in this cycle.
    #[inline]
    fn note_issue(&mut self, input: &RegIn, watch: &impl Watch) {
        let Some(waves) = self.waves.as_deref_mut() else { return };
        waves.note_issue(&*self.design, self.design.widths().issue, |slot| {
            let accepted = input.issue[slot].valid && self.out.issue_ready[slot];
            let instruction = || watch.instruction(Tag(input.issue[slot].tag));
            accepted.then(instruction).flatten().map(|words| Issued { warp: input.issue[slot].warp, words })
        });
    }

    #[inline]
    fn step<W: Watch>(
        &mut self,
        cycle: u64,
        input: &RegIn,
        (memory, lower): (Option<&MemIn>, Option<&LowerOffer>),
        stands: &Stands,
        watch: &mut W,
    ) -> Result<(), Halt> {
        if let Err(error) = self.design.step(input, &mut self.out) {
            if let Some(waves) = self.waves.as_deref().filter(|w| w.is_open() && is_output(&error)) {
                return Err(Halt::Other(waves.failed(&error)));
            }
            return Err(Halt::Rtl { cycle, message: error.to_string(), warps: warps_of(input) });
        }
        let memory_out = self.memory_out();
        let (rtl, rtl_memory) = (&self.out, memory_out.as_ref());
        watch.edge(&Edge { cycle, input, memory, lower, stands, rtl, rtl_memory })
    }
}
