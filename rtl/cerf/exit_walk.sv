// The walk over the registers of a warp that has ended: the tag banks free them, one a cycle.
//
// The exit is carried out when the last register has been looked up; all other commands are at
// once.
module exit_walk
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  // from and to the command port
  input  command_t    command_i,
  input  logic [7:0]  registers_per_thread_i,
  input  logic [15:0] base_i [NumWarps],
  output logic        carried_out_o,
  // to and from the tag banks
  output logic        kill_o,
  output index_t      kill_index_o,
  input  logic        killed_i
);

  logic [7:0] left_q;
  index_t     index_q;
  logic       frees, last;

  assign frees = command_i.valid && command_i.op == CmdExit && registers_per_thread_i != '0;
  assign last  = killed_i && left_q == 8'd1;

  assign carried_out_o = !frees || last;
  assign kill_o        = left_q != '0;
  assign kill_index_o  = index_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      left_q <= '0;
    end else if (frees && !kill_o) begin
      left_q <= registers_per_thread_i;
    end else if (killed_i) begin
      left_q <= left_q - 8'd1;
    end
  end

  always_ff @(posedge clk_i) begin : payload
    if (frees && !kill_o) index_q <= index_t'(base_i[command_i.warp]);
    else if (killed_i) index_q <= index_q + index_t'(1);
  end

endmodule
