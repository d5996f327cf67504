// A module with one leak, for scripts/flow.py: `late_o` depends on data that were written before,
// through a memory, a word of which holds control as well.
module flow_leak (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       write_i,
  input  logic [1:0] place_i,
  input  logic [3:0] tag_i,
  input  logic [7:0] word_data_i,
  output logic [3:0] tag_o,
  output logic       late_o,
  output logic [7:0] word_data_o
);

  logic [11:0] word_q [4];
  logic [11:0] read_q;
  logic        odd_q;

  always_ff @(posedge clk_i) begin : memory
    if (write_i) word_q[place_i] <= {tag_i, word_data_i};
    read_q <= word_q[place_i];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : leak
    if (!rst_ni) odd_q <= 1'b0;
    else odd_q <= write_i ? 1'b0 : ^read_q[7:0];
  end

  assign tag_o       = read_q[11:8];
  assign word_data_o = read_q[7:0];
  assign late_o      = odd_q;

endmodule
