// Operand reads of registers that may be away, and the last read of a register that dies.
//
// A read of a spilled register is parked until it has come back. A source whose value dies with its
// instruction carries a dead bit. The read that leaves no other read of the register frees the
// entry; a read that leaves some hands its dead bit on to them. So reads of one register may be
// served in any order.
module register_reads
  import heddle_port_pkg::*;
  import cerf_pkg::*;
#(
  parameter int unsigned IssueWidth = 2
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    fair_i,     // dead bits are not looked at
  // from the collectors
  input  issue_t [IssueWidth-1:0] issue_i,
  input  logic [IssueWidth-1:0]   accept_i,
  input  collector_t              collector_i [IssueWidth],
  input  source_set_t             pending_i [NumCollectors],
  input  tag_bank_t               bank_i [NumCollectors][NumSources],
  input  row_t                    row_i [NumCollectors][NumSources],
  output source_set_t             parked_o [NumCollectors],
  // to and from the tag banks
  input  collector_t              winner_i [NumTagBanks],
  input  source_t                 source_i [NumTagBanks],
  input  row_t                    read_row_i [NumTagBanks],  // of the winner
  input  tag_bank_set_t           grant_i,
  input  tag_bank_set_t           park_i,     // the winner waits for its register
  output tag_bank_set_t           dead_o,
  // from the fill unit
  input  logic                    wake_i,     // a register has come back
  input  index_t                  wake_place_i
);

  source_set_t parked_q [NumCollectors];
  source_set_t parked_d [NumCollectors];
  source_set_t dead_q   [NumCollectors];
  source_set_t dead_d   [NumCollectors];

  // ---- other reads of a dying register ----
  source_set_t   others [NumTagBanks][NumCollectors];
  tag_bank_set_t shared, dying;

  always_comb begin : find_others
    shared = '0;
    for (int unsigned b = 0; b < NumTagBanks; b++) begin
      dying[b] = dead_q[winner_i[b]][source_i[b]];
      for (int unsigned c = 0; c < NumCollectors; c++) others[b][c] = '0;
      if (grant_i[b] && dying[b]) begin
        for (int unsigned c = 0; c < NumCollectors; c++) begin
          for (int unsigned s = 0; s < NumSources; s++) begin
            if (pending_i[c][s] && !parked_q[c][s] && bank_i[c][s] == tag_bank_t'(b) &&
                row_i[c][s] == read_row_i[b] &&
                !(collector_t'(c) == winner_i[b] && source_t'(s) == source_i[b])) begin
              others[b][c][s] = 1'b1;
              shared[b]       = 1'b1;
            end
          end
        end
      end
    end
  end

  assign dead_o = dying & ~shared;

  always_comb begin : next
    parked_d = parked_q;
    dead_d   = dead_q;
    for (int unsigned b = 0; b < NumTagBanks; b++) begin
      if (shared[b]) begin
        for (int unsigned c = 0; c < NumCollectors; c++) dead_d[c] = dead_d[c] | others[b][c];
      end
      if (park_i[b]) parked_d[winner_i[b]][source_i[b]] = 1'b1;
    end
    if (wake_i) begin
      for (int unsigned c = 0; c < NumCollectors; c++) begin
        for (int unsigned s = 0; s < NumSources; s++) begin
          if (parked_q[c][s] && {row_i[c][s], bank_i[c][s]} == wake_place_i) begin
            parked_d[c][s] = 1'b0;
          end
        end
      end
    end
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      if (accept_i[slot]) begin
        dead_d[collector_i[slot]] =
            fair_i ? '0 : issue_i[slot].source_valid & issue_i[slot].dead;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      parked_q <= '{default: '0};
      dead_q   <= '{default: '0};
    end else begin
      parked_q <= parked_d;
      dead_q   <= dead_d;
    end
  end

  assign parked_o = parked_q;

endmodule
