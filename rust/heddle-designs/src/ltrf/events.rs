//! What the parts did in a cycle, as events.

use super::commands::CommandCycle;
use super::engine::{Decoded, Grants};
use super::fills::Fills;
use super::main_file::MainCycle;
use crate::common::event_fields;
use heddle_port::{CommandOp, Events};

event_fields! {
    /// Places of the events.
    pub(super) struct Fields {
        main_bank_read,
        main_bank_write,
        cache_bank_read,
        cache_bank_write,
        wcb_lookup,
        crossbar_beat_in,
        crossbar_beat_out,
        bank_alloc,
        dead_alloc,
        dead_drop,
        clean_drop,
        wcb_result_lookup,
        result_to_cache,
        result_to_main,
        offset_alloc,
        offset_release,
        prefetch,
        activate,
        deactivate,
        exit,
        write_back,
        transfer_wait,
        cache_read_conflict,
        slot_service,
        wcb_update,
        result_wait,
        command_wait,
    }
}

impl Fields {
    /// A command that is carried out or waits, and what is reported.
    pub(super) fn put_command(&self, commands: &CommandCycle, events: &mut Events) {
        if let Some((op, _)) = &commands.carried_out {
            match op {
                CommandOp::Activate => {
                    self.offset_alloc.set(events, 1);
                    self.activate.set(events, 1);
                }
                CommandOp::Prefetch => self.prefetch.set(events, 1),
                CommandOp::Deactivate => self.deactivate.set(events, 1),
                CommandOp::Exit => self.exit.set(events, 1),
                CommandOp::KernelStart | CommandOp::WarpBase | CommandOp::MapEntry => {}
            }
        }
        if commands.reported.is_some() {
            let left = [CommandOp::Deactivate as u8, CommandOp::Exit as u8];
            self.offset_release.set(events, left.contains(&commands.done.op).into());
        }
        self.command_wait.set(events, commands.waits.into());
    }

    /// Registers that move between the cache and the main register file.
    pub(super) fn put_transfers(
        &self,
        fills: &Fills,
        grants: &Grants,
        decoded: &Decoded,
        main: &MainCycle,
        events: &mut Events,
    ) {
        self.main_bank_read.set(events, main.reads.into());
        self.main_bank_write.set(events, main.writes.into());
        self.crossbar_beat_in.set(events, main.beats_in.into());
        self.crossbar_beat_out.set(events, main.beats_out.into());
        self.bank_alloc.set(events, decoded.cache_banks.into());
        self.dead_alloc.set(events, decoded.dead_columns.into());
        self.write_back.set(events, grants.write_backs.into());
        self.wcb_update.set(events, fills.lanes.into());
    }
}
