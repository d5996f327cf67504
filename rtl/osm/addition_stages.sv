// Floating-point additions on their way: from the banks to the operands, through four stages of
// the adders, to the banks.
//
// A pass of additions reads its banks in the cycle of the decision, has its words in the next one
// (stage 0), its operands in the one after (stage 1) and writes from stage 5. A fill has the write
// port first: what is to be written beside it stays, and so does all behind it. Stage 0 is empty
// then, because no addition is decided on beside a fill. Until a sum is written, its lines are
// closed to all requests.
module addition_stages
  import osm_pkg::*;
#(
  parameter int unsigned Sets = 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // the decision of this cycle
  input  logic             start_i,
  input  float_format_e    format_i,
  input  way_set_t         lines_i [Sets],  // of the pass
  input  logic             fill_i,
  // what moves in this cycle: element k from stage k to the next one, element 5 into the banks
  output logic [5:0]       move_o,
  output logic [3:0][3:0]  step_o,          // of the adders, by format
  output float_format_e    format_o,        // of stage 5
  output logic             writes_next_o,   // the write port may be taken in the next cycle
  output way_set_t         closed_o [Sets],
  output logic             busy_o           // a line is closed
);

  localparam int unsigned Stages = 6;

  logic [Stages-1:0] valid_q, pending;
  float_format_e     format_q [Stages];
  way_set_t          lines_q [Stages][Sets];
  logic              fill_q, hold;

  assign hold          = valid_q[5] && fill_q;
  assign move_o        = hold ? '0 : valid_q;
  assign writes_next_o = hold || valid_q[4];
  assign pending       = {hold, valid_q[4:0]};
  assign busy_o        = pending != '0;
  assign format_o      = format_q[5];

  for (genvar f = 0; f < 4; f++) begin : gen_format
    for (genvar s = 0; s < 4; s++) begin : gen_step
      assign step_o[f][s] = move_o[s+1] && format_q[s+1] == float_format_e'(f);
    end
  end

  for (genvar s = 0; s < Sets; s++) begin : gen_closed
    always_comb begin : closed
      closed_o[s] = '0;
      for (int unsigned k = 0; k < Stages; k++) begin
        if (pending[k]) closed_o[s] |= lines_q[k][s];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      valid_q <= '0;
    end else begin
      valid_q <= {hold ? valid_q[5:1] : valid_q[4:0], start_i};
    end
  end

  always_ff @(posedge clk_i) begin : payload
    fill_q <= fill_i;
    if (start_i) begin
      format_q[0] <= format_i;
      lines_q[0]  <= lines_i;
    end
    for (int unsigned k = 1; k < Stages; k++) begin
      if (move_o[k-1]) begin
        format_q[k] <= format_q[k-1];
        lines_q[k]  <= lines_q[k-1];
      end
    end
  end

endmodule
