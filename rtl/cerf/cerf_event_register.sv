// Registers what happened in a cycle; the bits are named in design.toml.
module cerf_event_register
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // by tag bank
  input  op_e                  op_i [NumTagBanks],
  input  logic                 hit_i [NumTagBanks],
  input  logic                 placed_i [NumTagBanks],
  input  logic                 evict_i [NumTagBanks],
  input  logic                 commit_i [NumTagBanks],
  input  logic                 away_i [NumTagBanks],
  input  logic                 refills_i [NumTagBanks],
  input  logic                 dead_i [NumTagBanks],
  input  state_e               before_i [NumTagBanks],
  input  row_t                 row_i [NumTagBanks],
  input  collector_t           collector_i [NumTagBanks],
  input  source_t              source_i [NumTagBanks],
  input  tag_bank_set_t        wait_bank_i,
  input  tag_bank_set_t        wait_write_i,
  input  logic [RowBits:0]     registers_i [NumTagBanks],
  input  logic [RowBits:0]     lines_i [NumTagBanks],
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
  tag_bank_set_t vacant_register, line_register, dead, ended, vacant_line, line_line, dirtied, dropped;
  tag_bank_set_t evicted_register, evicted_fill, evicted_past, evicted_flush, register_miss;
  tag_bank_set_t load_hit, load_miss, past, store_hit, store_miss, unplaced;
  tag_bank_set_t refill_started, refilled, merged, parked, spilled_register, spilled_fill, sets_register;
  logic [NumTagBanks*CollectorBits-1:0] collectors;
  logic [NumTagBanks*SourceBits-1:0]    sources;
  logic [NumTagBanks*RowBits-1:0]       rows;
  logic [RowBits+2:0]                   registers, lines;

  for (genvar b = 0; b < NumTagBanks; b++) begin : gen_bank
    logic done, was_line;
    assign done     = commit_i[b] && !evict_i[b];
    assign was_line = before_i[b] == StCache || before_i[b] == StDirty;

    assign lookup[b]         = op_i[b] != OpNone;
    assign read_register[b]  = done && op_i[b] == OpReadReg && !away_i[b];
    assign write_register[b] = done && op_i[b] == OpWriteReg && !away_i[b];
    assign parked[b]         = done && op_i[b] == OpReadReg && away_i[b];
    assign merged[b]         = done && op_i[b] == OpWriteReg && away_i[b];
    assign refill_started[b] = done && refills_i[b];
    assign refilled[b]       = done && op_i[b] == OpRefill;
    assign sets_register[b]  = write_register[b] || refilled[b];
    assign read_line[b]      = done && op_i[b] == OpLoad && hit_i[b];
    assign write_line[b]     = done && ((op_i[b] == OpStore && hit_i[b]) || (op_i[b] == OpFill && placed_i[b]));
    assign written_back[b]   = commit_i[b] && evict_i[b];
    assign register_miss[b]  = read_register[b] && !hit_i[b];

    assign vacant_register[b] = sets_register[b] && before_i[b] == StInactive;
    assign line_register[b]   = sets_register[b] && was_line;
    assign dead[b]            = read_register[b] && hit_i[b] && dead_i[b];
    assign ended[b]           = done && op_i[b] == OpKill && hit_i[b];
    assign vacant_line[b]     = done && op_i[b] == OpFill && placed_i[b] && before_i[b] == StInactive;
    assign line_line[b]       = done && op_i[b] == OpFill && placed_i[b] && was_line;
    assign dirtied[b]         = done && op_i[b] == OpStore && before_i[b] == StCache;
    assign dropped[b]         = done && op_i[b] == OpBypass && before_i[b] == StCache;

    assign spilled_fill[b]     = written_back[b] && before_i[b] == StReg && op_i[b] == OpFill;
    assign spilled_register[b] = written_back[b] && before_i[b] == StReg && op_i[b] != OpFill;
    assign evicted_register[b] = written_back[b] && before_i[b] == StDirty &&
                                 (op_i[b] == OpWriteReg || op_i[b] == OpRefill);
    assign evicted_fill[b]     = written_back[b] && before_i[b] == StDirty && op_i[b] == OpFill;
    assign evicted_past[b]     = written_back[b] && op_i[b] == OpBypass;
    assign evicted_flush[b]    = written_back[b] && op_i[b] == OpFlush;

    assign load_hit[b]   = read_line[b];
    assign load_miss[b]  = done && op_i[b] == OpLoad && !hit_i[b];
    assign past[b]       = done && op_i[b] == OpBypass;
    assign store_hit[b]  = done && op_i[b] == OpStore && hit_i[b];
    assign store_miss[b] = done && op_i[b] == OpStore && !hit_i[b];
    assign unplaced[b]   = done && op_i[b] == OpFill && !placed_i[b];

    assign collectors[b*CollectorBits+:CollectorBits] = read_register[b] ? collector_i[b] : '0;
    assign sources[b*SourceBits+:SourceBits]          = read_register[b] ? source_i[b] : '0;
    assign rows[b*RowBits+:RowBits] = (commit_i[b] && placed_i[b]) ? row_i[b] : '0;
  end

  always_comb begin : sums
    registers = '0;
    lines     = '0;
    for (int unsigned b = 0; b < NumTagBanks; b++) begin
      registers = registers + (RowBits + 3)'(registers_i[b]);
      lines     = lines + (RowBits + 3)'(lines_i[b]);
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
    wait_write_i,                                     // 28
    wait_bank_i,                                      // 24
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
