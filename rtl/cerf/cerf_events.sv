// What happens in a cycle, from what the tag banks do and what the shell reports.
module cerf_events
  import heddle_port_pkg::*;
  import cerf_pkg::*;
#(
  parameter type events_t = logic  // of the design
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // by tag bank
  input  bank_activity_t       bank_i [NumTagBanks],
  // ports
  input  shell_pkg::port_events_t port_i,
  input  collector_set_t       allocated_i,
  input  collector_set_t       dispatched_i,
  input  collector_set_t       in_use_i,
  input  logic                 row_fault_i,
  input  logic [3:0]           write_level_i,
  input  logic [7:0]           registers_per_thread_i,
  // loads and stores
  input  logic                 joins_i,
  input  logic                 memory_stall_i,
  input  logic [5:0]           mshrs_i,
  input  logic [3:0]           lower_level_i,
  output logic [$bits(events_t)-1:0] events_o
);

  localparam int unsigned CollectorBits = $clog2(NumCollectors);
  localparam int unsigned SourceBits    = shell_pkg::SourceBits;

  events_t       events;
  tag_bank_set_t lookup, read_register, write_register, read_line, write_line, written_back;
  tag_bank_set_t vacant_register, line_register, dead, ended, vacant_line, line_line, dirtied,
      dropped;
  tag_bank_set_t evicted_register, evicted_fill, evicted_past, evicted_flush, register_miss;
  tag_bank_set_t load_hit, load_miss, past, store_hit, store_miss, unplaced;
  tag_bank_set_t refill_started, refilled, merged, parked, spilled_register, spilled_fill,
      sets_register;
  tag_bank_set_t wait_bank, wait_write;
  logic [RowBits:0]                     registers_of [NumTagBanks];
  logic [RowBits:0]                     lines_of [NumTagBanks];
  logic [RowBits+2:0]                   registers, lines;

  for (genvar b = 0; b < NumTagBanks; b++) begin : gen_bank
    op_e    op;
    state_e was;
    logic   done, was_line;

    assign op       = bank_i[b].op;
    assign was      = bank_i[b].was;
    assign done     = bank_i[b].commit && !bank_i[b].evict;
    assign was_line = was == StCache || was == StDirty;

    assign registers_of[b]   = bank_i[b].registers;
    assign lines_of[b]       = bank_i[b].lines;
    assign wait_bank[b]      = bank_i[b].wait_bank;
    assign wait_write[b]     = bank_i[b].wait_write;
    assign lookup[b]         = op != OpNone;
    assign read_register[b]  = done && op == OpReadReg && !bank_i[b].away;
    assign write_register[b] = done && op == OpWriteReg && !bank_i[b].away;
    assign parked[b]         = done && op == OpReadReg && bank_i[b].away;
    assign merged[b]         = done && op == OpWriteReg && bank_i[b].away;
    assign refill_started[b] = done && bank_i[b].refills;
    assign refilled[b]       = done && op == OpRefill;
    assign sets_register[b]  = write_register[b] || refilled[b];
    assign read_line[b]      = done && op == OpLoad && bank_i[b].hit;
    assign write_line[b]     = done && ((op == OpStore && bank_i[b].hit) ||
                                        (op == OpFill && bank_i[b].placed));
    assign written_back[b]   = bank_i[b].commit && bank_i[b].evict;
    assign register_miss[b]  = read_register[b] && !bank_i[b].hit;

    assign vacant_register[b] = sets_register[b] && was == StInactive;
    assign line_register[b]   = sets_register[b] && was_line;
    assign dead[b]            = read_register[b] && bank_i[b].hit && bank_i[b].dead;
    assign ended[b]           = done && op == OpKill && bank_i[b].hit;
    assign vacant_line[b]     = done && op == OpFill && bank_i[b].placed && was == StInactive;
    assign line_line[b]       = done && op == OpFill && bank_i[b].placed && was_line;
    assign dirtied[b]         = done && op == OpStore && was == StCache;
    assign dropped[b]         = done && op == OpBypass && was == StCache;

    assign spilled_fill[b]     = written_back[b] && was == StReg && op == OpFill;
    assign spilled_register[b] = written_back[b] && was == StReg && op != OpFill;
    assign evicted_register[b] = written_back[b] && was == StDirty &&
                                 (op == OpWriteReg || op == OpRefill);
    assign evicted_fill[b]     = written_back[b] && was == StDirty && op == OpFill;
    assign evicted_past[b]     = written_back[b] && op == OpBypass;
    assign evicted_flush[b]    = written_back[b] && op == OpFlush;

    assign load_hit[b]   = read_line[b];
    assign load_miss[b]  = done && op == OpLoad && !bank_i[b].hit;
    assign past[b]       = done && op == OpBypass;
    assign store_hit[b]  = done && op == OpStore && bank_i[b].hit;
    assign store_miss[b] = done && op == OpStore && !bank_i[b].hit;
    assign unplaced[b]   = done && op == OpFill && !bank_i[b].placed;
  end

  always_comb begin : sums
    registers = '0;
    lines     = '0;
    for (int unsigned b = 0; b < NumTagBanks; b++) begin
      registers = registers + (RowBits + 3)'(registers_of[b]);
      lines     = lines + (RowBits + 3)'(lines_of[b]);
    end
  end

  always_comb begin : happened
    events                      = '0;
    events.row_read             = read_line | read_register | written_back;
    events.row_write            = write_line | sets_register;
    events.tag_lookup           = lookup;
    events.evict_for_register   = evicted_register;
    events.evict_for_line       = evicted_fill;
    events.evict_for_bypass     = evicted_past;
    events.bank_conflict        = wait_bank;
    events.read_behind_write    = wait_write;
    events.collector_alloc      = allocated_i;
    events.collector_dispatch   = dispatched_i;
    events.inactive_to_reg      = vacant_register;
    events.cache_to_reg         = line_register;
    events.reg_dead             = dead;
    events.reg_ended            = ended;
    events.inactive_to_cache    = vacant_line;
    events.cache_to_cache       = line_line;
    events.cache_to_dirty       = dirtied;
    events.register_miss        = register_miss;
    {events.command, events.result_stall, events.issue_stall, events.operand_stall,
     events.result_accept} = port_i;
    events.load_hit             = load_hit != '0;
    events.load_miss            = load_miss != '0 && !joins_i;
    events.load_merged          = load_miss != '0 && joins_i;
    events.bypassed             = past != '0;
    events.store_hit            = store_hit != '0;
    events.store_through        = store_miss != '0;
    events.fill_refused         = unplaced != '0;
    events.memory_stall         = memory_stall_i;
    events.cache_dropped        = dropped;
    events.write_level          = write_level_i;
    events.lower_level          = lower_level_i;
    events.collectors_in_use    = 8'($countones(in_use_i));
    events.registers_per_thread = registers_per_thread_i;
    events.mshrs_in_use         = mshrs_i;
    events.row_fault            = row_fault_i;
    events.flushed_line         = evicted_flush != '0;
    events.register_entries     = registers;
    events.spill_for_register   = spilled_register != '0;
    events.spill_for_line       = spilled_fill != '0;
    events.refill_started       = refill_started != '0;
    events.register_refilled    = refilled != '0;
    events.write_merged         = merged != '0;
    events.line_entries         = lines;
    events.register_away        = parked;
    for (int unsigned b = 0; b < NumTagBanks; b++) begin
      if (read_register[b]) begin
        events.granted_collector[b*CollectorBits+:CollectorBits] = bank_i[b].collector;
        events.granted_source[b*SourceBits+:SourceBits]          = bank_i[b].source;
      end
      if (bank_i[b].commit && bank_i[b].placed) begin
        events.entry[b*RowBits+:RowBits] = bank_i[b].row;
      end
    end
  end

  event_register #(
    .Width($bits(events_t))
  ) u_register (
    .*,
    .events_i(events)
  );

endmodule
