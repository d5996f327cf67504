//! All launches of a kernel in co-simulation on many SMs, of which some are RTL.

use heddle_mem::{Lower, Share};
use heddle_port::{Instance, RegisterFile};
use heddle_rtl::RtlRegisterFile;
use heddle_sm::Gpu;

use super::Session;
use super::outcome::{close_waves, final_blocks, reset_failure};
use crate::check::controls::ControlCheck;
use crate::control::{Control, Pacer};
use crate::counters::Counters;
use crate::design::refused;
use crate::error::RunError;
use crate::library::RtlLibrary;
use crate::lockstep::{Design, Machines, Rtl, Shadow, Shadowing, Side, cosim_many};
use crate::mismatch::Place;
use crate::rtl_sms::RtlSms;
use crate::totals::Totals;
use crate::window::WaveWriter;

/// An SM that is RTL.
struct RtlSm<'m> {
    number: usize,
    rtl: RtlRegisterFile,
    shadow: Shadow,
    controls: ControlCheck<'m>,
}

impl Session {
    pub(super) fn cosim_many(
        &mut self,
        library: &mut RtlLibrary,
        control: &mut dyn Control,
        totals: &mut Totals,
        waves: &mut Option<WaveWriter>,
    ) -> Result<(), RunError> {
        let instance = self.design.instance.clone();
        let mut sms = self.rtl_sms(library, &instance)?;
        let outcome = self.lockstep_many(&mut sms, control, totals, waves);
        let remembered = library.remember(sms.iter_mut().map(|sm| &mut sm.rtl));
        outcome.and(remembered)
    }

    fn rtl_sms<'m>(&self, library: &RtlLibrary, instance: &'m Instance) -> Result<Vec<RtlSm<'m>>, RunError> {
        let one = |sm: u32| {
            let rtl = library.instance(self.spec.seed, sm)?;
            let (shadow, controls) = (self.shadow()?, ControlCheck::new(instance));
            Ok(RtlSm { number: sm as usize, rtl, shadow, controls })
        };
        self.spec.rtl_sms().into_iter().map(one).collect()
    }

    /// All launches of a co-simulation.
    fn lockstep_many(
        &mut self,
        rtl_sms: &mut [RtlSm<'_>],
        control: &mut dyn Control,
        totals: &mut Totals,
        waves: &mut Option<WaveWriter>,
    ) -> Result<(), RunError> {
        let share = Share::new(&self.design.preset, self.spec.sms);
        let count = share.sms() as usize;
        let mut hosts = self.hosts()?;
        let mut models: Vec<Box<dyn RegisterFile + Send>> = Vec::new();
        for _ in rtl_sms.len()..count {
            models.push(Box::new(self.shadow()?));
        }
        let mut pacer = Pacer::new();
        let mut outcome = Ok(());
        let mut lower: Option<Lower> = None;
        while outcome.is_ok() {
            let here = Place { launch: totals.launches, cycle: totals.cycles, ..Place::default() };
            let launch = match hosts.next_launch(&here) {
                Ok(Some(launch)) => launch,
                Ok(None) => break,
                Err(error) => {
                    outcome = Err(error);
                    break;
                }
            };
            let entry = self.kernel()?.entry(&launch.entry)?;
            let choice = self.ctas();
            let ctas = choice.count(launch.launch.num_ctas());
            let checker = self.checker(&entry, &launch.launch, &mut hosts, totals, &*control)?;
            let mut checker = checker.for_sms(count, self.fences_drop_lines());
            self.note_writers(&mut checker, &entry, &hosts);
            let sm = self.sm(&entry, &launch.launch, hosts.under_test.take_memory(), choice)?;
            let mut gpu = Gpu::new(sm, share, choice, lower.take());
            if let Some(waves) = waves.as_mut() {
                waves.launch_begins(totals.launches);
            }
            let registers = entry.executable.program.num_regs;
            let fresh = totals.counters.fresh();
            let mut sides = self.sides(rtl_sms, &mut models, (registers, &fresh), &mut gpu, waves, &here)?;
            let mut context = self.context(&launch.entry, ctas, totals, &mut *control, &mut pacer);
            let run = cosim_many(&mut context, &mut gpu, &mut sides, &mut checker);
            sides.iter().for_each(|side| totals.lines_left(side.lifetimes()));
            models.extend(sides.into_iter().filter_map(Side::into_model));
            totals.compared(checker.compared());
            if matches!(self.spec.rtl_sms, RtlSms::Some(_)) {
                let named = rtl_sms.iter().map(|sm| sm.number);
                named.for_each(|sm| totals.compared_on(sm, checker.compared_on(sm)));
            }
            totals.launched(&entry.executable, ctas, &gpu);
            let (memory, after) = gpu.into_parts();
            lower = Some(after);
            outcome = self.judge(run, checker, memory, &mut hosts, totals, &here);
        }
        rtl_sms.iter().for_each(|sm| totals.outputs_compared(&sm.controls));
        self.end_lockstep_many(outcome, rtl_sms, totals, waves)?;
        self.judge_end(&mut hosts, totals)
    }

    /// What stands behind the ports of the SMs of `gpu` in the launch that begins, after its reset. A thread has so many
    /// `registers`, and each side has `counters` of its own.
    fn sides<'a, 'm>(
        &self,
        rtl_sms: &'a mut [RtlSm<'m>],
        models: &mut Vec<Box<dyn RegisterFile + Send>>,
        (registers, counters): (u32, &Counters),
        gpu: &mut Gpu,
        waves: &'a mut Option<WaveWriter>,
        begin: &Place,
    ) -> Result<Vec<Side<'a, 'm>>, RunError> {
        let config = &self.design.config;
        let shown = waves.as_ref().map(WaveWriter::sm);
        let mut waves = waves.as_mut();
        let mut rtl_sms = rtl_sms.iter_mut().peekable();
        let mut models = models.drain(..);
        let mut sides = Vec::new();
        for number in 0..gpu.sms().len() {
            if let Some(RtlSm { rtl, shadow, controls, .. }) = rtl_sms.next_if(|sm| sm.number == number) {
                let waves = waves.take_if(|_| shown == Some(number));
                let waves = match waves {
                    Some(waves) => {
                        waves.close(rtl)?;
                        Some(waves)
                    }
                    None => None,
                };
                let reset = rtl.reset(config).map_err(|e| reset_failure(&e, begin.clone()).on_sm(number));
                let (out, lines) = (reset?, self.line_lifetimes(&gpu.sms()[number]));
                let shadow_out = shadow.reset(config).map_err(refused)?;
                self.check_line_events(shadow)?;
                let machines = Machines {
                    rtl: Rtl { design: rtl, out, waves },
                    shadow: Shadowing { model: shadow, out: shadow_out, controls, lines },
                };
                sides.push(Side::Rtl(Box::new(machines), Box::new(counters.clone())));
            } else if let Some(mut model) = models.next() {
                gpu.sm_mut(number).hold_no_data();
                let out = model.reset(config).map_err(refused)?;
                self.check_line_events(model.as_mut())?;
                let design = Design::new(model, out, registers, counters.clone());
                sides.push(Side::Model(Box::new(design)));
            }
        }
        Ok(sides)
    }

    /// After the last launch: the waveform is closed, after a mismatch some cycles later, and the final blocks of all
    /// RTL run.
    fn end_lockstep_many(
        &self,
        outcome: Result<(), RunError>,
        rtl_sms: &mut [RtlSm<'_>],
        totals: &Totals,
        waves: &mut Option<WaveWriter>,
    ) -> Result<(), RunError> {
        let mut closed = Ok(());
        if let Some(waves) = waves
            && let Some(sm) = rtl_sms.iter_mut().find(|sm| sm.number == waves.sm())
        {
            closed = close_waves(&outcome, &mut sm.rtl, waves);
        }
        outcome.and(closed)?;
        rtl_sms
            .iter_mut()
            .try_for_each(|sm| final_blocks(&mut sm.rtl, totals).map_err(|error| error.on_sm(sm.number)))
    }
}
