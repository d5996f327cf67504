// Accepted results on their way to the banks.
//
// Two entries a result port, shared by the ports. Each bank is offered its oldest entry, so results
// never wait for those of another bank, and results for one bank are written in the order of their
// handshakes (of one cycle: lower port first). The order is kept as one set a entry: the entries
// that are older. Entries do not move, so no data are copied.
module write_buffer
  import heddle_port_pkg::*;
  import shell_pkg::*;
#(
  parameter  int unsigned ResultWidth = 2,
  parameter  int unsigned NumBanks    = DefaultBanks,
  parameter  int unsigned IndexBits   = BaseBits,  // of a warp register of the file
  parameter  int unsigned Lanes       = NumLanes,
  parameter  int unsigned LaneWidth   = LaneBits,
  localparam int unsigned BankBits    = $clog2(NumBanks),
  localparam int unsigned RowBits     = IndexBits - BankBits,
  localparam int unsigned Entries     = 2 * ResultWidth,
  localparam int unsigned EntryBits   = $clog2(Entries)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   interleaved_i,  // how registers lie, as locate says
  // from the SM's write-back stage
  input  result_t [ResultWidth-1:0]                          result_i,
  input  logic    [ResultWidth-1:0][Lanes-1:0][LaneWidth-1:0] result_data_i,
  output logic    [ResultWidth-1:0]                          result_ready_o,
  // from the command port
  input  index_t                 base_i [NumWarps],
  // to and from the banks: the oldest entry of each
  output logic [NumBanks-1:0]    queued_o,
  output logic [RowBits-1:0]     row_o [NumBanks],
  output logic [Lanes-1:0]       mask_o [NumBanks],
  output logic [Lanes-1:0][LaneWidth-1:0] data_o [NumBanks],
  input  logic [NumBanks-1:0]    grant_i,
  // to the events
  output logic                   beyond_o,  // an accepted result is for what the file lacks
  output logic [ResultWidth-1:0] accept_o,
  output logic [ResultWidth-1:0] stall_o,
  output logic [LevelBits-1:0]   level_o
);

  typedef logic [Entries-1:0]   entry_set_t;
  typedef logic [EntryBits-1:0] entry_t;

  entry_set_t             valid_q, valid_d;
  entry_set_t             older_q [Entries];
  logic [BankBits-1:0]    bank_q  [Entries];
  logic [RowBits-1:0]     row_q   [Entries];
  logic [Lanes-1:0]       mask_q  [Entries];
  logic [Lanes-1:0][LaneWidth-1:0] data_q [Entries];
  logic [BankBits-1:0]    bank [ResultWidth];
  logic [RowBits-1:0]     row  [ResultWidth];
  logic [ResultWidth-1:0] beyond;
  logic [ResultWidth-1:0] ready_q, ready_d, accept;
  entry_set_t             written, kept, target_set;
  entry_t                 target [ResultWidth];
  entry_t                 oldest [NumBanks];
  entry_set_t             older_d [ResultWidth];
  logic [LevelBits-1:0]   free_count;

  // ---- the oldest entry of each bank ----
  entry_set_t first;  // no older entry goes to the same bank

  always_comb begin : order
    for (int unsigned e = 0; e < Entries; e++) begin
      first[e] = valid_q[e];
      for (int unsigned o = 0; o < Entries; o++) begin
        if (older_q[e][o] && bank_q[o] == bank_q[e]) first[e] = 1'b0;
      end
    end
  end

  always_comb begin : per_bank
    oldest   = '{default: '0};
    queued_o = '0;
    for (int unsigned e = 0; e < Entries; e++) begin
      if (first[e]) begin
        queued_o[bank_q[e]] = 1'b1;
        oldest[bank_q[e]]   = entry_t'(e);
      end
    end
  end

  for (genvar b = 0; b < NumBanks; b++) begin : gen_oldest
    assign row_o[b]  = row_q[oldest[b]];
    assign mask_o[b] = mask_q[oldest[b]];
    assign data_o[b] = data_q[oldest[b]];
  end

  for (genvar e = 0; e < Entries; e++) begin : gen_written
    assign written[e] = first[e] && grant_i[bank_q[e]];
  end

  // ---- acceptance ----
  for (genvar p = 0; p < ResultWidth; p++) begin : gen_accept
    assign accept[p]  = result_i[p].valid && ready_q[p];
    assign stall_o[p] = result_i[p].valid && !ready_q[p];
    assign ready_d[p] = free_count > LevelBits'(p);

    locate #(
      .NumBanks (NumBanks),
      .IndexBits(IndexBits)
    ) u_locate (
      .base_i       (base_i[result_i[p].warp]),
      .register_i   (result_i[p].register),
      .interleaved_i,
      .bank_o       (bank[p]),
      .row_o        (row[p]),
      .beyond_o     (beyond[p])
    );
  end

  assign beyond_o = (accept & beyond) != '0;

  lowest_picks #(
    .Width(Entries),
    .Picks(ResultWidth)
  ) u_allocate (
    .set_i  (~valid_q),
    .take_i (accept),
    .index_o(target),
    .taken_o(target_set)
  );

  assign kept = valid_q & ~written;

  // Older than a result: what stays, and the results of lower ports.
  always_comb begin : older
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      older_d[p] = kept;
      for (int unsigned lower = 0; lower < p; lower++) begin
        if (accept[lower]) older_d[p][target[lower]] = 1'b1;
      end
    end
  end

  assign valid_d    = kept | target_set;
  assign free_count = LevelBits'($countones(~valid_d));

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      valid_q <= '0;
      ready_q <= '1;
    end else begin
      valid_q <= valid_d;
      ready_q <= ready_d;
    end
  end

  always_ff @(posedge clk_i) begin : ages
    for (int unsigned e = 0; e < Entries; e++) older_q[e] <= older_q[e] & kept;
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      if (accept[p]) older_q[target[p]] <= older_d[p];
    end
  end

  always_ff @(posedge clk_i) begin : payload
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      if (accept[p]) begin
        bank_q[target[p]] <= bank[p];
        row_q[target[p]]  <= row[p];
        mask_q[target[p]] <= result_i[p].mask[Lanes-1:0];
        data_q[target[p]] <= result_data_i[p];
      end
    end
  end

  assign result_ready_o = ready_q;
  assign accept_o       = accept;
  assign level_o        = LevelBits'($countones(valid_q));

endmodule
