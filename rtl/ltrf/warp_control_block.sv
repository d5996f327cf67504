// The warp control blocks of all warps (LTRF, section 5.1, figure 12): WcbBits of storage.
//
// Per warp an address table of 256 entries (cache bank and valid bit: the register is in the
// cache), the warp offset, and the working-set vector, which survives deactivation so that the warp
// can be fetched again. A warp's table has two read ports, which the operand collectors use, at
// most one collector a warp and cycle; registers that leave and results find their cache bank in
// the occupied list of their slot. Results read the valid bit and the warp offset. One vector port
// reads the valid bits and the working set of one warp.
//
// With Liveness (LTRF+, section 3.2) a block has a liveness vector too: WcbBitsPlus. A register
// becomes live when an instruction that writes it is issued, and dead when one is issued that says
// so of an operand; all are dead when the warp starts. Without, all registers are live always.
module warp_control_block import heddle_port_pkg::*, ltrf_pkg::*; #(
  parameter int unsigned IssueWidth  = 2,
  parameter int unsigned ResultWidth = 2,
  parameter bit          Liveness    = 1'b0,
  parameter int unsigned Warps       = NumWarps  // of which there are blocks
) (
  input  logic                                            clk_i,
  input  logic                                            rst_ni,
  // instructions that are issued
  input  issue_t      [IssueWidth-1:0]                    issue_i,
  input  logic        [IssueWidth-1:0]                    accept_i,
  // operand collectors
  input  warp_t       [NumCollectors-1:0]                 lookup_warp_i,
  input  logic        [NumCollectors-1:0][TablePorts-1:0] lookup_valid_i,
  input  reg_t        [NumCollectors-1:0][TablePorts-1:0] lookup_register_i,
  output cache_bank_t [NumCollectors-1:0][TablePorts-1:0] lookup_bank_o,
  output slot_t       [NumCollectors-1:0]                 lookup_slot_o,
  // results
  input  warp_t       [ResultWidth-1:0]                   result_warp_i,
  input  reg_t        [ResultWidth-1:0]                   result_register_i,
  output logic        [ResultWidth-1:0]                   result_hit_o,
  output slot_t       [ResultWidth-1:0]                   result_slot_o,
  // registers of one warp that get a cache bank, by column
  input  logic        [NumColumns-1:0]                    allocate_i,
  input  warp_t                                           allocate_warp_i,
  input  held_t       [NumColumns-1:0]                    allocate_held_i,
  input  cache_bank_t [NumColumns-1:0]                    allocate_bank_i,
  input  logic        [NumColumns-1:0]                    allocate_dead_i,  // without a fetch
  // registers that leave the cache, by cache bank
  input  logic        [NumCacheBanks-1:0]                 clear_i,
  input  warp_t       [NumCacheBanks-1:0]                 clear_warp_i,
  input  reg_t        [NumCacheBanks-1:0]                 clear_register_i,
  // fills that arrive, by lane
  input  logic        [NumMainBanks-1:0]                  fill_i,
  input  warp_t       [NumMainBanks-1:0]                  fill_warp_i,
  input  reg_t        [NumMainBanks-1:0]                  fill_register_i,
  // vector port
  input  warp_t                                           vector_warp_i,  // of the command
  output vector_t                                         vector_valid_o,
  output vector_t                                         vector_set_o,
  output vector_t                                         vector_live_o,
  // commands of that warp
  input  logic                                            begin_i,      // it starts
  input  logic                                            drop_dead_i,  // dead ones leave the cache
  input  vector_t                                         keep_i,       // but not these
  input  vector_t                                         drop_clean_i, // and these leave too
  input  logic                                            set_write_i,
  input  vector_t                                         set_i,
  input  logic                                            clear_all_i,
  input  logic                                            offset_write_i,
  input  slot_t                                           offset_i
);

  localparam int unsigned NumRows = NumRegs / NumColumns;

  cache_bank_t bank_q   [Warps][NumColumns][NumRows];
  vector_t     valid_q  [Warps];
  slot_t       offset_q [Warps];
  vector_t     set_q    [Warps];

  if (($bits(bank_q) + $bits(valid_q) + $bits(offset_q) + $bits(set_q)) * NumWarps / Warps
      != WcbBits)
  begin : gen_storage_check
    $fatal(1, "the warp control blocks do not have WcbBits of storage");
  end

  // ---- liveness ----
  if (Liveness) begin : gen_live
    vector_t                     live_q  [Warps];
    vector_t    [IssueWidth-1:0] dead, written, live_d;

    if (WcbBits + $bits(live_q) * NumWarps / Warps != WcbBitsPlus) begin : gen_plus_check
      $fatal(1, "the warp control blocks of LTRF+ do not have WcbBitsPlus of storage");
    end

    always_comb begin : updates
      dead    = '0;
      written = '0;
      for (int unsigned i = 0; i < IssueWidth; i++) begin
        for (int unsigned s = 0; s < NumSources; s++) begin
          if (issue_i[i].source_valid[s] && issue_i[i].dead[s]) begin
            dead[i][issue_i[i].source[s]] = 1'b1;
          end
        end
        for (int unsigned d = 0; d < NumDestinations; d++) begin
          if (issue_i[i].destination_valid[d]) written[i][issue_i[i].destination[d]] = 1'b1;
        end
        // Of two instructions of one warp that of the lower slot comes first.
        live_d[i] = live_q[issue_i[i].warp];
        for (int unsigned j = 0; j < i; j++) begin
          if (accept_i[j] && issue_i[j].warp == issue_i[i].warp) live_d[i] = live_d[j];
        end
        live_d[i] = (live_d[i] & ~dead[i]) | written[i];
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin : liveness
      if (!rst_ni) begin
        live_q <= '{default: '0};
      end else begin
        for (int unsigned i = 0; i < IssueWidth; i++) begin
          if (accept_i[i]) live_q[issue_i[i].warp] <= live_d[i];
        end
        if (begin_i) live_q[vector_warp_i] <= '0;
      end
    end

    assign vector_live_o = live_q[vector_warp_i];
  end else begin : gen_all_live
    logic unused_liveness;
    assign unused_liveness = ^{issue_i, accept_i, begin_i};
    assign vector_live_o   = '1;
  end

  // ---- the two read ports of each table ----
  reg_t        table_register [Warps][TablePorts];
  cache_bank_t table_bank     [Warps][TablePorts];

  always_comb begin : addresses
    table_register = '{default: '0};
    for (int unsigned c = 0; c < NumCollectors; c++) begin
      for (int unsigned p = 0; p < TablePorts; p++) begin
        if (lookup_valid_i[c][p]) begin
          table_register[lookup_warp_i[c]][p] = lookup_register_i[c][p];
        end
      end
    end
  end

  for (genvar w = 0; w < Warps; w++) begin : gen_tables
    for (genvar p = 0; p < TablePorts; p++) begin : gen_ports
      logic [ColumnBits-1:0]      column;
      logic [$clog2(NumRows)-1:0] row;

      assign {row, column}    = table_register[w][p];
      assign table_bank[w][p] = bank_q[w][column][row];
    end
  end

  always_comb begin : collectors
    for (int unsigned c = 0; c < NumCollectors; c++) begin
      lookup_slot_o[c] = offset_q[lookup_warp_i[c]];
      for (int unsigned p = 0; p < TablePorts; p++) begin
        lookup_bank_o[c][p] = table_bank[lookup_warp_i[c]][p];
      end
    end
  end

  always_comb begin : results
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      result_hit_o[p]  = valid_q[result_warp_i[p]][result_register_i[p]];
      result_slot_o[p] = offset_q[result_warp_i[p]];
    end
  end

  assign vector_valid_o = valid_q[vector_warp_i];
  assign vector_set_o   = set_q[vector_warp_i];

  // ---- changes, by warp ----
  logic [NumColumns-1:0]    allocate [Warps];
  logic [NumCacheBanks-1:0] clear    [Warps];
  logic [NumMainBanks-1:0]  fill     [Warps];

  always_comb begin : by_warp
    allocate = '{default: '0};
    clear    = '{default: '0};
    fill     = '{default: '0};
    allocate[allocate_warp_i] = allocate_i;
    for (int unsigned c = 0; c < NumCacheBanks; c++) clear[clear_warp_i[c]][c] = clear_i[c];
    for (int unsigned b = 0; b < NumMainBanks; b++) fill[fill_warp_i[b]][b] = fill_i[b];
  end

  for (genvar w = 0; w < Warps; w++) begin : gen_warps
    // Registers that are written back, and those that come.
    function automatic vector_t leaving();
      leaving = '0;
      for (int unsigned c = 0; c < NumCacheBanks; c++) begin
        if (clear[w][c]) leaving |= vector_t'(1) << clear_register_i[c];
      end
    endfunction

    function automatic vector_t coming();
      coming = '0;
      for (int unsigned b = 0; b < NumMainBanks; b++) begin
        if (fill[w][b]) coming |= vector_t'(1) << fill_register_i[b];
      end
      for (int unsigned j = 0; j < NumColumns; j++) begin
        if (allocate[w][j] && allocate_dead_i[j]) begin
          coming |= vector_t'(1) << allocate_held_i[j].reg_no;
        end
      end
    endfunction

    always_ff @(posedge clk_i or negedge rst_ni) begin : valid_bits
      if (!rst_ni) begin
        valid_q[w] <= '0;
      end else if (clear_all_i && vector_warp_i == warp_t'(w)) begin
        valid_q[w] <= '0;
      end else if (drop_dead_i && vector_warp_i == warp_t'(w)) begin
        valid_q[w] <= valid_q[w] & (vector_live_o | keep_i) & ~drop_clean_i;
      end else if ({clear[w], fill[w], allocate[w]} != '0) begin
        valid_q[w] <= (valid_q[w] & ~leaving()) | coming();
      end
    end

    // A column has one write port: entries of one number modulo NumColumns.
    always_ff @(posedge clk_i) begin : entries
      if (allocate[w] != '0) begin
        for (int unsigned j = 0; j < NumColumns; j++) begin
          if (allocate[w][j]) begin
            bank_q[w][j][allocate_held_i[j].reg_no[RegBits-1-:$clog2(NumRows)]]
                <= allocate_bank_i[j];
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : working_sets
    if (!rst_ni) begin
      set_q <= '{default: '0};
    end else if (set_write_i) begin
      set_q[vector_warp_i] <= set_i;
    end
  end

  always_ff @(posedge clk_i) begin : offsets
    if (offset_write_i) offset_q[vector_warp_i] <= offset_i;
  end

endmodule
