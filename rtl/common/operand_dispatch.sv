// Moves complete instructions from their collectors to the operand output registers.
//
// Each output register that is empty or handed over in this cycle takes the next complete
// collector, lowest register first; the priority rotates over the collectors. An output register
// holds its instruction until it is taken.
module operand_dispatch
  import heddle_port_pkg::*;
#(
  parameter  int unsigned IssueWidth    = 2,
  parameter  int unsigned NumCollectors = shell_pkg::DefaultCollectors,
  localparam int unsigned CollectorBits = $clog2(NumCollectors)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  // from and to the collectors
  input  logic [NumCollectors-1:0] complete_i,
  input  logic [TagBits-1:0]       tag_i [NumCollectors],
  output logic [NumCollectors-1:0] dispatch_o,
  // to the operand store
  output logic [IssueWidth-1:0]    load_o,
  output logic [CollectorBits-1:0] load_collector_o [IssueWidth],
  // to the SM's dispatch stage
  output operands_t [IssueWidth-1:0] operands_o,
  input  logic      [IssueWidth-1:0] operands_ready_i,
  // to the events
  output logic [IssueWidth-1:0]    stall_o
);

  operands_t [IssueWidth-1:0] operands_q;
  logic      [IssueWidth-1:0] full, can_load;

  for (genvar slot = 0; slot < IssueWidth; slot++) begin : gen_slot
    assign full[slot] = operands_q[slot].valid;
  end

  assign can_load = ~full | operands_ready_i;
  assign stall_o  = full & ~operands_ready_i;

  rotating_picks #(
    .Width(NumCollectors),
    .Picks(IssueWidth)
  ) u_pick (
    .clk_i,
    .rst_ni,
    .request_i(complete_i),
    .take_i   (can_load),
    .valid_o  (load_o),
    .index_o  (load_collector_o),
    .taken_o  (dispatch_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin : outputs
    if (!rst_ni) begin
      operands_q <= '0;
    end else begin
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
