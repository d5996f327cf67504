// Moves complete instructions from their collectors to the operand output registers.
//
// Each output register that is empty or handed over in this cycle takes the next complete
// collector, lowest register first; the priority rotates over the collectors. An output register
// holds its instruction until it is taken.
module operand_dispatch
  import heddle_port_pkg::*;
  import baseline_pkg::*;
#(
  parameter int unsigned IssueWidth = 2
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // from and to the collectors
  input  collector_set_t        complete_i,
  input  logic [TagBits-1:0]    tag_i [NumCollectors],
  output collector_set_t        dispatch_o,
  // to the operand store
  output logic [IssueWidth-1:0] load_o,
  output collector_t            load_collector_o [IssueWidth],
  // to the SM's dispatch stage
  output operands_t [IssueWidth-1:0] operands_o,
  input  logic      [IssueWidth-1:0] operands_ready_i,
  // to the events
  output logic [IssueWidth-1:0] stall_o
);

  operands_t [IssueWidth-1:0] operands_q;
  logic      [IssueWidth-1:0] full, can_load;
  collector_set_t             mask_q, mask_d;  // collectors at and above the pointer
  collector_set_t             rest, candidates, winner;

  for (genvar slot = 0; slot < IssueWidth; slot++) begin : gen_slot
    assign full[slot]     = operands_q[slot].valid;
    assign can_load[slot] = !full[slot] || operands_ready_i[slot];
    assign stall_o[slot]  = full[slot] && !operands_ready_i[slot];
  end

  always_comb begin : pick
    rest       = complete_i;
    mask_d     = mask_q;
    candidates = '0;
    winner     = '0;
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      load_o[slot]           = can_load[slot] && rest != '0;
      load_collector_o[slot] = '0;
      if (load_o[slot]) begin
        candidates = ((rest & mask_d) != '0) ? rest & mask_d : rest;
        winner     = candidates & (~candidates + collector_set_t'(1));
        for (int unsigned c = 0; c < NumCollectors; c++) begin
          if (winner[c]) load_collector_o[slot] = collector_t'(c);
        end
        rest   = rest & ~winner;
        mask_d = ~(winner | (winner - collector_set_t'(1)));
      end
    end
  end

  assign dispatch_o = complete_i & ~rest;

  always_ff @(posedge clk_i or negedge rst_ni) begin : outputs
    if (!rst_ni) begin
      operands_q <= '0;
      mask_q     <= '1;
    end else begin
      mask_q <= mask_d;
      for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
        if (can_load[slot]) begin
          operands_q[slot].valid <= load_o[slot];
          operands_q[slot].tag   <= load_o[slot] ? tag_i[load_collector_o[slot]] : '0;
        end
      end
    end
  end

  assign operands_o = operands_q;

endmodule
