// Accepted results on their way to the tag banks.
//
// Two entries a result port, shared by the ports. Each tag bank is offered its oldest entry, so results
// for one bank are written in the order of their handshakes (of one cycle: lower port first) and never
// wait for those of another bank. The order is kept as one set a entry: the entries that are older.
module cerf_write_buffer
  import heddle_port_pkg::*;
  import cerf_pkg::*;
#(
  parameter  int unsigned ResultWidth = 2,
  localparam int unsigned Entries     = 2 * ResultWidth,
  localparam int unsigned EntryBits   = $clog2(Entries)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // from the SM's write-back stage
  input  result_t [ResultWidth-1:0]                             result_i,
  input  logic    [ResultWidth-1:0][NumLanes-1:0][LaneBits-1:0] result_data_i,
  output logic    [ResultWidth-1:0]                             result_ready_o,
  // from the command unit
  input  logic [15:0]            base_i [NumWarps],
  // to and from the tag banks: the oldest entry of each
  output tag_bank_set_t          queued_o,
  output index_t                 index_o [NumTagBanks],
  output logic [NumLanes-1:0]    mask_o [NumTagBanks],
  output data_t                  data_o [NumTagBanks],
  input  tag_bank_set_t          grant_i,
  // to the events
  output logic                   row_fault_o,
  output logic [ResultWidth-1:0] accept_o,
  output logic [3:0]             level_o
);

  typedef logic [Entries-1:0]   entry_set_t;
  typedef logic [EntryBits-1:0] entry_t;

  entry_set_t             valid_q, valid_d;
  entry_set_t             older_q [Entries];
  index_t                 index_q [Entries];
  logic [NumLanes-1:0]    mask_q  [Entries];
  data_t                  data_q  [Entries];
  logic [15:0]            index [ResultWidth];
  logic [ResultWidth-1:0] ready_q, ready_d, accept;
  entry_set_t             written, kept, taken, target_set, first;
  entry_t                 target [ResultWidth];
  entry_t                 oldest [NumTagBanks];
  entry_set_t             older_d [ResultWidth];
  logic [3:0]             free_count;

  // ---- the oldest entry of each bank ----
  always_comb begin : order
    for (int unsigned e = 0; e < Entries; e++) begin
      first[e] = valid_q[e];
      for (int unsigned o = 0; o < Entries; o++) begin
        if (older_q[e][o] && index_q[o][TagBankBits-1:0] == index_q[e][TagBankBits-1:0]) first[e] = 1'b0;
      end
    end
  end

  always_comb begin : per_bank
    for (int unsigned b = 0; b < NumTagBanks; b++) oldest[b] = '0;
    queued_o = '0;
    for (int unsigned e = 0; e < Entries; e++) begin
      if (first[e]) begin
        queued_o[index_q[e][TagBankBits-1:0]] = 1'b1;
        oldest[index_q[e][TagBankBits-1:0]]   = entry_t'(e);
      end
    end
  end

  for (genvar b = 0; b < NumTagBanks; b++) begin : gen_oldest
    assign index_o[b] = index_q[oldest[b]];
    assign mask_o[b]  = mask_q[oldest[b]];
    assign data_o[b]  = data_q[oldest[b]];
  end

  for (genvar e = 0; e < Entries; e++) begin : gen_written
    assign written[e] = first[e] && grant_i[index_q[e][TagBankBits-1:0]];
  end

  // ---- acceptance ----
  for (genvar p = 0; p < ResultWidth; p++) begin : gen_accept
    assign accept[p]  = result_i[p].valid && ready_q[p];
    assign index[p]   = base_i[result_i[p].warp] + 16'(result_i[p].register);
    assign ready_d[p] = free_count > 4'(p);
  end

  always_comb begin : faults
    row_fault_o = 1'b0;
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      if (accept[p] && index[p][15:IndexBits] != '0) row_fault_o = 1'b1;
    end
  end

  assign kept = valid_q & ~written;

  always_comb begin : allocate
    taken      = valid_q;
    target_set = '0;
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      target[p]  = '0;
      older_d[p] = target_set | kept;
      for (int e = int'(Entries) - 1; e >= 0; e--) begin
        if (!taken[e]) target[p] = entry_t'(e);
      end
      if (accept[p]) begin
        taken[target[p]]      = 1'b1;
        target_set[target[p]] = 1'b1;
      end
    end
  end

  assign valid_d    = kept | target_set;
  assign free_count = 4'($countones(~valid_d));

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      valid_q <= '0;
      ready_q <= '1;
      for (int unsigned e = 0; e < Entries; e++) older_q[e] <= '0;
    end else begin
      valid_q <= valid_d;
      ready_q <= ready_d;
      for (int unsigned e = 0; e < Entries; e++) older_q[e] <= older_q[e] & kept;
      for (int unsigned p = 0; p < ResultWidth; p++) begin
        if (accept[p]) older_q[target[p]] <= older_d[p];
      end
    end
  end

  always_ff @(posedge clk_i) begin : payload
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      if (accept[p]) begin
        index_q[target[p]] <= index[p][IndexBits-1:0];
        mask_q[target[p]]  <= result_i[p].mask;
        data_q[target[p]]  <= result_data_i[p];
      end
    end
  end

  assign result_ready_o = ready_q;
  assign accept_o       = accept;
  assign level_o        = 4'($countones(valid_q));

endmodule
