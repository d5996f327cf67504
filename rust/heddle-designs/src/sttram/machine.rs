//! STT-RAM whose writes stop all reads.

use super::NAME;
use crate::common::event_fields;
use crate::front::{Answer, Front, Limit, Machine, Mechanism, Present};
use crate::hybrid::reader::{Obstacles, Reader};
use crate::hybrid::stt_file::SttFile;
use crate::hybrid::{NUM_BANKS, bank_of};
use heddle_port::{CommandOp, DesignError, Events, Instance, Issue, PortConfig, RegOut, ResultWrite};

/// The register file of STT-RAM without its data.
pub type Sttram = Machine<StallingWrites>;

event_fields! {
    /// Places of the events.
    struct Fields { sttram_read, sttram_write, write_stall, read_conflict, read_wait, staged_results }
}

/// The file, in which a result that waits or is written stops all reads.
#[derive(Debug, Clone)]
pub struct StallingWrites {
    fields: Fields,
    result_width: usize,
    file: SttFile,
    /// Banks that were occupied in the cycle that ends.
    busy: u32,
}

impl Mechanism for StallingWrites {
    const NAME: &'static str = NAME;
    type Collectors = Reader;

    fn new(instance: &Instance) -> Result<Self, DesignError> {
        let fields = Fields::new(NAME, &instance.events)?;
        Ok(Self { fields, result_width: instance.widths.result, file: SttFile::default(), busy: 0 })
    }

    fn limits(&self, config: &PortConfig) -> Vec<Limit> {
        SttFile::limits(config)
    }

    fn reset(&mut self, config: &PortConfig) {
        self.file = SttFile::new(config, self.result_width);
        self.busy = 0;
    }

    fn collectors(&mut self) -> &mut Reader {
        &mut self.file.reader
    }

    #[inline]
    fn takes_result(&self, port: usize) -> bool {
        port < self.file.queue.free()
    }

    #[inline]
    fn access(&mut self, _front: &Front, events: &mut Events) -> Result<(), String> {
        let (file, fields) = (&mut self.file, self.fields);
        let writing = (0..NUM_BANKS).any(|bank| file.is_writing(bank));
        let stalled = !file.queue.is_empty() || writing;
        let stop = stalled || !file.is_ready(file.reader_bank());
        let reads = if stop { file.reader.stopped() } else { file.reader.choose(&Obstacles::default()) };
        let oldest = file.queue.first().map(|staged| bank_of(staged.warp));
        let written = oldest.filter(|&bank| !writing && file.is_ready(bank));
        fields.staged_results.set(events, file.queue.len() as u64);
        fields.sttram_read.set(events, file.arrays(&reads));
        fields.sttram_write.set(events, written.map_or(0, |bank| 1 << bank));
        fields.write_stall.set(events, stalled.into());
        fields.read_conflict.set(events, reads.conflict.into());
        fields.read_wait.set(events, (reads.wanted != 0 && stalled).into());
        if written.is_some() {
            file.queue.pop();
        }
        self.busy = file.tick(&reads, std::array::from_fn(|bank| written == Some(bank)));
        Ok(())
    }

    #[inline]
    fn take_issue(&mut self, front: &Front, issue: &Issue) -> Result<usize, String> {
        self.file.take_issue(front, issue)
    }

    #[inline]
    fn take_result(&mut self, front: &Front, _port: usize, result: &ResultWrite) -> Result<(), String> {
        self.file.take_result(front, result)
    }

    #[inline]
    fn command(&mut self, _front: &Front, present: Present<'_>) -> Result<Answer, String> {
        let Present { op, command, .. } = present;
        if op == CommandOp::KernelStart {
            SttFile::check_registers(command.value)?;
        }
        Ok(Answer::Done)
    }

    #[inline]
    fn steady(&self) -> u32 {
        self.file.steady()
    }

    #[inline]
    fn pass(&mut self, cycles: u32) {
        self.file.pass(cycles);
    }

    #[inline]
    fn end(&mut self, _front: &Front, out: &mut RegOut) -> Result<(), String> {
        out.status.bank_busy[0] = self.busy;
        Ok(())
    }
}
