// Control state of the operand collectors; their data lie in operand_store.
//
// A collector holds one instruction from its issue until operand_dispatch takes it. Each source has
// two bits: `pending` until a bank grants its read, `missing` until the data arrive. A collector
// may have reads at several banks at once, and at one bank one after the other, lowest source
// first. Sources that name the same register are read one by one.
module collector_array
  import heddle_port_pkg::*;
  import baseline_pkg::*;
#(
  parameter int unsigned IssueWidth = 2
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // from the SM's issue stage
  input  issue_t [IssueWidth-1:0] issue_i,
  output logic [IssueWidth-1:0] issue_ready_o,
  // from the command unit
  input  index_t                base_i [NumWarps],
  // to and from the bank arbiters
  output collector_set_t        request_o [NumBanks],
  input  bank_set_t             grant_i,
  input  collector_t            grant_collector_i [NumBanks],
  output source_t               grant_source_o [NumBanks],
  output row_t                  grant_row_o [NumBanks],
  // from the banks: data of an earlier grant
  input  bank_set_t             deliver_i,
  input  collector_t            deliver_collector_i [NumBanks],
  input  source_t               deliver_source_i [NumBanks],
  // to and from dispatch
  output collector_set_t        complete_o,
  input  collector_set_t        dispatch_i,
  output logic [TagBits-1:0]    tag_o [NumCollectors],
  output source_set_t           sources_o [NumCollectors],
  // to the events
  output collector_set_t        allocated_o,
  output collector_set_t        in_use_o
);

  collector_set_t        valid_q, valid_d;
  logic [IssueWidth-1:0] ready_q, ready_d;
  logic [TagBits-1:0]    tag_q     [NumCollectors];
  source_set_t           sources_q [NumCollectors];
  source_set_t           pending_q [NumCollectors];
  source_set_t           pending_d [NumCollectors];
  source_set_t           missing_q [NumCollectors];
  source_set_t           missing_d [NumCollectors];
  location_t             location_q [NumCollectors][NumSources];

  // ---- allocation ----
  logic [IssueWidth-1:0] accept;
  collector_t            collector [IssueWidth];
  index_t                warp_base [IssueWidth];
  collector_set_t        allocated;
  logic [CollectorBits:0] free_count;

  for (genvar slot = 0; slot < IssueWidth; slot++) begin : gen_accept
    assign accept[slot]    = issue_i[slot].valid && ready_q[slot];
    assign warp_base[slot] = base_i[issue_i[slot].warp];
    assign ready_d[slot]   = free_count > (CollectorBits + 1)'(slot);
  end

  collector_allocator #(
    .IssueWidth(IssueWidth)
  ) u_allocator (
    .in_use_i   (valid_q),
    .accept_i   (accept),
    .collector_o(collector),
    .allocated_o(allocated)
  );

  assign valid_d    = (valid_q & ~dispatch_i) | allocated;
  assign free_count = (CollectorBits + 1)'($countones(~valid_d));

  // ---- read requests ----
  always_comb begin : requests
    for (int unsigned b = 0; b < NumBanks; b++) request_o[b] = '0;
    for (int unsigned c = 0; c < NumCollectors; c++) begin
      if (pending_q[c] != '0) begin
        for (int unsigned s = 0; s < NumSources; s++) begin
          if (pending_q[c][s]) request_o[location_q[c][s].bank][c] = 1'b1;
        end
      end
    end
  end

  always_comb begin : grants
    for (int unsigned b = 0; b < NumBanks; b++) begin
      grant_source_o[b] = '0;
      grant_row_o[b]    = '0;
      if (grant_i[b]) begin
        for (int s = int'(NumSources) - 1; s >= 0; s--) begin
          if (pending_q[grant_collector_i[b]][s] &&
              location_q[grant_collector_i[b]][s].bank == bank_t'(b)) begin
            grant_source_o[b] = source_t'(s);
            grant_row_o[b]    = location_q[grant_collector_i[b]][s].row;
          end
        end
      end
    end
  end

  always_comb begin : next_sources
    pending_d = pending_q;
    missing_d = missing_q;
    for (int unsigned b = 0; b < NumBanks; b++) begin
      if (grant_i[b]) pending_d[grant_collector_i[b]][grant_source_o[b]] = 1'b0;
      if (deliver_i[b]) missing_d[deliver_collector_i[b]][deliver_source_i[b]] = 1'b0;
    end
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      if (accept[slot]) begin
        pending_d[collector[slot]] = issue_i[slot].source_valid;
        missing_d[collector[slot]] = issue_i[slot].source_valid;
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
        missing_q[c] <= '0;
      end
    end else begin
      valid_q   <= valid_d;
      ready_q   <= ready_d;
      pending_q <= pending_d;
      missing_q <= missing_d;
    end
  end

  always_ff @(posedge clk_i) begin : payload
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      if (accept[slot]) begin
        tag_q[collector[slot]]     <= issue_i[slot].tag;
        sources_q[collector[slot]] <= issue_i[slot].source_valid;
        for (int unsigned s = 0; s < NumSources; s++) begin
          location_q[collector[slot]][s] <=
              locate(warp_base[slot], issue_i[slot].source[s]);
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
