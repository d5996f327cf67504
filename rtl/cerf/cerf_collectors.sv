// Control state of the operand collectors; their data lie in operand_store.
//
// As in the baseline, each source is `pending` until its tag bank takes its read and `missing`
// until the data arrive; one whose register is spilled is parked until it has come back. A source
// whose value dies with this instruction carries a dead bit. The read that leaves no other read of
// the register pending frees the entry; a read that leaves some hands its dead bit on to them. So
// reads of one register may be served in any order.
module cerf_collectors
  import heddle_port_pkg::*;
  import cerf_pkg::*;
#(
  parameter int unsigned IssueWidth = 2
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  fair_i,      // dead bits are not looked at
  // from the SM's issue stage
  input  issue_t [IssueWidth-1:0] issue_i,
  output logic [IssueWidth-1:0] issue_ready_o,
  // from the command unit
  input  logic [15:0]           base_i [NumWarps],
  // to and from the tag banks
  output collector_set_t        request_o [NumTagBanks],
  input  collector_t            winner_i [NumTagBanks],
  input  tag_bank_set_t         grant_i,
  output source_t               source_o [NumTagBanks],
  output index_t                index_o [NumTagBanks],
  output tag_bank_set_t         dead_o,
  input  tag_bank_set_t         park_i,      // the winner waits for its register
  input  logic                  wake_i,      // a register has come back
  input  index_t                wake_index_i,
  // from the data banks: the data of an earlier grant
  input  tag_bank_set_t         deliver_i,
  input  collector_t            deliver_collector_i [NumTagBanks],
  input  source_t               deliver_source_i [NumTagBanks],
  // to and from dispatch
  output collector_set_t        complete_o,
  input  collector_set_t        dispatch_i,
  output logic [TagBits-1:0]    tag_o [NumCollectors],
  output source_set_t           sources_o [NumCollectors],
  // to the events and assertions
  output logic                  row_fault_o,
  output collector_set_t        allocated_o,
  output collector_set_t        in_use_o
);

  collector_set_t        valid_q, valid_d;
  logic [IssueWidth-1:0] ready_q, ready_d;
  logic [TagBits-1:0]    tag_q     [NumCollectors];
  source_set_t           sources_q [NumCollectors];
  source_set_t           pending_q [NumCollectors];
  source_set_t           pending_d [NumCollectors];
  source_set_t           parked_q  [NumCollectors];
  source_set_t           parked_d  [NumCollectors];
  source_set_t           missing_q [NumCollectors];
  source_set_t           missing_d [NumCollectors];
  source_set_t           dead_q    [NumCollectors];
  source_set_t           dead_d    [NumCollectors];
  index_t                index_q   [NumCollectors][NumSources];

  // ---- allocation ----
  logic [IssueWidth-1:0]  accept;
  collector_t             collector [IssueWidth];
  logic [15:0]            index [IssueWidth][NumSources];
  collector_set_t         allocated;
  logic [CollectorBits:0] free_count;

  for (genvar slot = 0; slot < IssueWidth; slot++) begin : gen_accept
    assign accept[slot]  = issue_i[slot].valid && ready_q[slot];
    assign ready_d[slot] = free_count > (CollectorBits + 1)'(slot);
    for (genvar s = 0; s < NumSources; s++) begin : gen_index
      assign index[slot][s] = base_i[issue_i[slot].warp] + 16'(issue_i[slot].source[s]);
    end
  end

  lowest_picks #(
    .Width(NumCollectors),
    .Picks(IssueWidth)
  ) u_allocate (
    .set_i  (~valid_q),
    .take_i (accept),
    .index_o(collector),
    .taken_o(allocated)
  );

  assign valid_d    = (valid_q & ~dispatch_i) | allocated;
  assign free_count = (CollectorBits + 1)'($countones(~valid_d));

  always_comb begin : faults
    row_fault_o = 1'b0;
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      for (int unsigned s = 0; s < NumSources; s++) begin
        if (accept[slot] && issue_i[slot].source_valid[s] &&
            index[slot][s][15:IndexBits] != '0) begin
          row_fault_o = 1'b1;
        end
      end
    end
  end

  // ---- read requests ----
  always_comb begin : requests
    for (int unsigned b = 0; b < NumTagBanks; b++) request_o[b] = '0;
    for (int unsigned c = 0; c < NumCollectors; c++) begin
      if (pending_q[c] != '0) begin
        for (int unsigned s = 0; s < NumSources; s++) begin
          if (pending_q[c][s]) request_o[index_q[c][s][TagBankBits-1:0]][c] = 1'b1;
        end
      end
    end
  end

  // The lowest pending source of the collector that the bank's arbiter has chosen.
  always_comb begin : winners
    for (int unsigned b = 0; b < NumTagBanks; b++) begin
      source_o[b] = '0;
      index_o[b]  = '0;
      for (int s = int'(NumSources) - 1; s >= 0; s--) begin
        if (pending_q[winner_i[b]][s] &&
            index_q[winner_i[b]][s][TagBankBits-1:0] == tag_bank_t'(b)) begin
          source_o[b] = source_t'(s);
          index_o[b]  = index_q[winner_i[b]][s];
        end
      end
    end
  end

  // ---- other reads of a dying register ----
  source_set_t   others [NumTagBanks][NumCollectors];
  tag_bank_set_t shared, dying;

  always_comb begin : find_others
    shared = '0;
    for (int unsigned b = 0; b < NumTagBanks; b++) begin
      dying[b] = dead_q[winner_i[b]][source_o[b]];
      for (int unsigned c = 0; c < NumCollectors; c++) others[b][c] = '0;
      if (grant_i[b] && dying[b]) begin
        for (int unsigned c = 0; c < NumCollectors; c++) begin
          for (int unsigned s = 0; s < NumSources; s++) begin
            if (pending_q[c][s] && index_q[c][s] == index_o[b] &&
                !(collector_t'(c) == winner_i[b] && source_t'(s) == source_o[b])) begin
              others[b][c][s] = 1'b1;
              shared[b]       = 1'b1;
            end
          end
        end
      end
    end
  end

  assign dead_o = dying & ~shared;

  always_comb begin : next_sources
    pending_d = pending_q;
    parked_d  = parked_q;
    missing_d = missing_q;
    dead_d    = dead_q;
    for (int unsigned b = 0; b < NumTagBanks; b++) begin
      if (grant_i[b]) begin
        pending_d[winner_i[b]][source_o[b]] = 1'b0;
        if (shared[b]) begin
          for (int unsigned c = 0; c < NumCollectors; c++) dead_d[c] = dead_d[c] | others[b][c];
        end
      end
      if (park_i[b]) begin
        pending_d[winner_i[b]][source_o[b]] = 1'b0;
        parked_d[winner_i[b]][source_o[b]]  = 1'b1;
      end
      if (deliver_i[b]) missing_d[deliver_collector_i[b]][deliver_source_i[b]] = 1'b0;
    end
    if (wake_i) begin
      for (int unsigned c = 0; c < NumCollectors; c++) begin
        for (int unsigned s = 0; s < NumSources; s++) begin
          if (parked_q[c][s] && index_q[c][s] == wake_index_i) begin
            pending_d[c][s] = 1'b1;
            parked_d[c][s]  = 1'b0;
          end
        end
      end
    end
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      if (accept[slot]) begin
        pending_d[collector[slot]] = issue_i[slot].source_valid;
        missing_d[collector[slot]] = issue_i[slot].source_valid;
        dead_d[collector[slot]]    = fair_i ? '0 : issue_i[slot].source_valid & issue_i[slot].dead;
      end
    end
  end

  // ---- completion ----
  for (genvar c = 0; c < NumCollectors; c++) begin : gen_complete
    assign complete_o[c] = valid_q[c] && missing_q[c] == '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      valid_q <= '0;
      ready_q <= '1;
      for (int unsigned c = 0; c < NumCollectors; c++) begin
        pending_q[c] <= '0;
        parked_q[c]  <= '0;
        missing_q[c] <= '0;
        dead_q[c]    <= '0;
      end
    end else begin
      valid_q   <= valid_d;
      ready_q   <= ready_d;
      pending_q <= pending_d;
      parked_q  <= parked_d;
      missing_q <= missing_d;
      dead_q    <= dead_d;
    end
  end

  always_ff @(posedge clk_i) begin : payload
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      if (accept[slot]) begin
        tag_q[collector[slot]]     <= issue_i[slot].tag;
        sources_q[collector[slot]] <= issue_i[slot].source_valid;
        for (int unsigned s = 0; s < NumSources; s++) begin
          index_q[collector[slot]][s] <= index[slot][s][IndexBits-1:0];
        end
      end
    end
  end

  assign issue_ready_o = ready_q;
  assign tag_o         = tag_q;
  assign sources_o     = sources_q;
  assign allocated_o   = allocated;
  assign in_use_o      = valid_q;

endmodule
