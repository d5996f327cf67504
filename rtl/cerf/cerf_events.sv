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
  input  shell_pkg::front_events_t front_i,
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
  tag_bank_set_t vacant_register, line_register, dead, vacant_line, line_line, dirtied,
      dropped;
  tag_bank_set_t evicted_register, evicted_fill, evicted_past, evicted_flush, register_miss;
  tag_bank_set_t load_miss, past, store_hit, store_miss, unplaced;
  tag_bank_set_t refill_started, refilled, merged, parked, spilled_register, spilled_fill,
      sets_register;
  tag_bank_set_t wait_bank, wait_write;
  exit_rows_t [NumTagBanks-1:0]         ended;
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
    assign ended[b]           = bank_i[b].ended;
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
    events = '{
      row_read:             read_line | read_register | written_back,
      row_write:            write_line | sets_register,
      tag_lookup:           lookup,
      evict_for_register:   evicted_register,
      evict_for_line:       evicted_fill,
      evict_for_bypass:     evicted_past,
      bank_conflict:        wait_bank,
      read_behind_write:    wait_write,
      collector_alloc:      front_i.allocated,
      collector_dispatch:   front_i.dispatched,
      inactive_to_reg:      vacant_register,
      cache_to_reg:         line_register,
      reg_dead:             dead,
      reg_ended:            ended,
      inactive_to_cache:    vacant_line,
      cache_to_cache:       line_line,
      cache_to_dirty:       dirtied,
      register_miss:        register_miss,
      result_accept:        front_i.port.result_accept,
      operand_stall:        front_i.port.operand_stall,
      issue_stall:          front_i.port.issue_stall,
      result_stall:         front_i.port.result_stall,
      command:              front_i.port.command,
      load_hit:             read_line != '0,
      load_miss:            load_miss != '0 && !joins_i,
      load_merged:          load_miss != '0 && joins_i,
      bypassed:             past != '0,
      store_hit:            store_hit != '0,
      store_through:        store_miss != '0,
      fill_refused:         unplaced != '0,
      memory_stall:         memory_stall_i,
      cache_dropped:        dropped,
      write_level:          front_i.level,
      lower_level:          lower_level_i,
      collectors_in_use:    8'($countones(front_i.in_use)),
      registers_per_thread: front_i.registers_per_thread,
      mshrs_in_use:         mshrs_i,
      row_fault:            front_i.beyond,
      flushed_line:         evicted_flush != '0,
      register_entries:     registers,
      spill_for_register:   spilled_register != '0,
      spill_for_line:       spilled_fill != '0,
      refill_started:       refill_started != '0,
      register_refilled:    refilled != '0,
      write_merged:         merged != '0,
      line_entries:         lines,
      register_away:        parked,
      default:              '0
    };
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
