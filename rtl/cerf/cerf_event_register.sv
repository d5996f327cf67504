// Registers what happened in a cycle; the bits are named in design.toml.
module cerf_event_register
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // by tag bank
  input  bank_activity_t       bank_i [NumTagBanks],
  // ports
  input  collector_set_t       allocated_i,
  input  collector_set_t       dispatched_i,
  input  collector_set_t       in_use_i,
  input  logic [3:0]           result_accept_i,
  input  logic [3:0]           operand_stall_i,
  input  logic [3:0]           issue_stall_i,
  input  logic [3:0]           result_stall_i,
  input  logic [7:0]           command_i,
  input  logic                 row_fault_i,
  input  logic [3:0]           write_level_i,
  input  logic [7:0]           registers_per_thread_i,
  // loads and stores
  input  logic                 joins_i,
  input  logic                 memory_stall_i,
  input  logic [5:0]           mshrs_i,
  input  logic [3:0]           lower_level_i,
  output logic [EventBits-1:0] events_o
);

  logic [EventBits-1:0] events_q, events_d;
  tag_bank_set_t lookup, read_register, write_register, read_line, write_line, written_back;
  tag_bank_set_t vacant_register, line_register, dead, ended, vacant_line, line_line, dirtied,
      dropped;
  tag_bank_set_t evicted_register, evicted_fill, evicted_past, evicted_flush, register_miss;
  tag_bank_set_t load_hit, load_miss, past, store_hit, store_miss, unplaced;
  tag_bank_set_t refill_started, refilled, merged, parked, spilled_register, spilled_fill,
      sets_register;
  tag_bank_set_t wait_bank, wait_write;
  logic [NumTagBanks*CollectorBits-1:0] collectors;
  logic [NumTagBanks*SourceBits-1:0]    sources;
  logic [NumTagBanks*RowBits-1:0]       rows;
  logic [RowBits:0]                     registers_of [NumTagBanks];
  logic [RowBits:0]                     lines_of [NumTagBanks];
  logic [RowBits+2:0]                   registers, lines;

  for (genvar b = 0; b < NumTagBanks; b++) begin : gen_bank
    bank_activity_t bank;
    logic           done, was_line;

    assign bank     = bank_i[b];
    assign done     = bank.commit && !bank.evict;
    assign was_line = bank.was == StCache || bank.was == StDirty;

    assign registers_of[b]   = bank.registers;
    assign lines_of[b]       = bank.lines;
    assign wait_bank[b]      = bank.wait_bank;
    assign wait_write[b]     = bank.wait_write;
    assign lookup[b]         = bank.op != OpNone;
    assign read_register[b]  = done && bank.op == OpReadReg && !bank.away;
    assign write_register[b] = done && bank.op == OpWriteReg && !bank.away;
    assign parked[b]         = done && bank.op == OpReadReg && bank.away;
    assign merged[b]         = done && bank.op == OpWriteReg && bank.away;
    assign refill_started[b] = done && bank.refills;
    assign refilled[b]       = done && bank.op == OpRefill;
    assign sets_register[b]  = write_register[b] || refilled[b];
    assign read_line[b]      = done && bank.op == OpLoad && bank.hit;
    assign write_line[b]     = done && ((bank.op == OpStore && bank.hit) ||
                                        (bank.op == OpFill && bank.placed));
    assign written_back[b]   = bank.commit && bank.evict;
    assign register_miss[b]  = read_register[b] && !bank.hit;

    assign vacant_register[b] = sets_register[b] && bank.was == StInactive;
    assign line_register[b]   = sets_register[b] && was_line;
    assign dead[b]            = read_register[b] && bank.hit && bank.dead;
    assign ended[b]           = done && bank.op == OpKill && bank.hit;
    assign vacant_line[b]     = done && bank.op == OpFill && bank.placed && bank.was == StInactive;
    assign line_line[b]       = done && bank.op == OpFill && bank.placed && was_line;
    assign dirtied[b]         = done && bank.op == OpStore && bank.was == StCache;
    assign dropped[b]         = done && bank.op == OpBypass && bank.was == StCache;

    assign spilled_fill[b]     = written_back[b] && bank.was == StReg && bank.op == OpFill;
    assign spilled_register[b] = written_back[b] && bank.was == StReg && bank.op != OpFill;
    assign evicted_register[b] = written_back[b] && bank.was == StDirty &&
                                 (bank.op == OpWriteReg || bank.op == OpRefill);
    assign evicted_fill[b]     = written_back[b] && bank.was == StDirty && bank.op == OpFill;
    assign evicted_past[b]     = written_back[b] && bank.op == OpBypass;
    assign evicted_flush[b]    = written_back[b] && bank.op == OpFlush;

    assign load_hit[b]   = read_line[b];
    assign load_miss[b]  = done && bank.op == OpLoad && !bank.hit;
    assign past[b]       = done && bank.op == OpBypass;
    assign store_hit[b]  = done && bank.op == OpStore && bank.hit;
    assign store_miss[b] = done && bank.op == OpStore && !bank.hit;
    assign unplaced[b]   = done && bank.op == OpFill && !bank.placed;

    assign collectors[b*CollectorBits+:CollectorBits] = read_register[b] ? bank.collector : '0;
    assign sources[b*SourceBits+:SourceBits]          = read_register[b] ? bank.source : '0;
    assign rows[b*RowBits+:RowBits] = (bank.commit && bank.placed) ? bank.row : '0;
  end

  always_comb begin : sums
    registers = '0;
    lines     = '0;
    for (int unsigned b = 0; b < NumTagBanks; b++) begin
      registers = registers + (RowBits + 3)'(registers_of[b]);
      lines     = lines + (RowBits + 3)'(lines_of[b]);
    end
  end

  assign events_d = {
    rows[31:0],                                       // 224
    1'b0, parked,                                     // 219
    lines,                                            // 208
    merged != '0, refilled != '0,                     // 206
    refill_started != '0,                             // 205
    spilled_fill != '0, spilled_register != '0,       // 203
    registers,                                        // 192
    evicted_flush != '0, row_fault_i, mshrs_i,        // 184
    registers_per_thread_i,                           // 176
    8'($countones(in_use_i)),                         // 168
    lower_level_i,                                    // 164
    write_level_i,                                    // 160
    sources,                                          // 148
    collectors,                                       // 132
    dropped,                                          // 128
    memory_stall_i,                                   // 127
    unplaced != '0,                                   // 126
    store_miss != '0, store_hit != '0, past != '0,    // 123
    load_miss != '0 && joins_i,                       // 122
    load_miss != '0 && !joins_i,                      // 121
    load_hit != '0,                                   // 120
    command_i,                                        // 112
    result_stall_i,                                   // 108
    issue_stall_i,                                    // 104
    operand_stall_i,                                  // 100
    result_accept_i,                                  // 96
    register_miss,                                    // 92
    dirtied,                                          // 88
    line_line,                                        // 84
    vacant_line,                                      // 80
    ended,                                            // 76
    dead,                                             // 72
    line_register,                                    // 68
    vacant_register,                                  // 64
    dispatched_i,                                     // 48
    allocated_i,                                      // 32
    wait_write,                                     // 28
    wait_bank,                                      // 24
    evicted_past, evicted_fill, evicted_register,     // 12
    lookup,                                           // 8
    write_line | sets_register,                       // 4
    read_line | read_register | written_back          // 0
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin : happened
    if (!rst_ni) begin
      events_q <= '0;
    end else begin
      events_q <= events_d;
    end
  end

  assign events_o = events_q;

endmodule
