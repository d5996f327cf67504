// The register control module (section 4.4): for each register of the active warp, whether it lies
// in the write buffer, and in which entry. All lanes share it.
module register_control_module
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,  // a warp becomes active
  // a register enters the buffer
  input  logic                  set_i,
  input  number_t               set_number_i,
  input  slot_t                 set_slot_i,
  // look-up of a result
  input  number_t               write_number_i,
  output logic                  write_hit_o,
  output slot_t                 write_slot_o,
  // look-up of the sources of an instruction
  input  number_t               read_number_i [NumSources],
  output logic [NumSources-1:0] read_hit_o,
  output slot_t                 read_slot_o [NumSources]
);

  logic  [NumNumbers-1:0] valid_q;
  slot_t                  slot_q [NumNumbers];

  assign write_hit_o  = valid_q[write_number_i];
  assign write_slot_o = slot_q[write_number_i];

  for (genvar s = 0; s < NumSources; s++) begin : gen_read
    assign read_hit_o[s]  = valid_q[read_number_i[s]];
    assign read_slot_o[s] = slot_q[read_number_i[s]];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : valid
    if (!rst_ni) begin
      valid_q <= '0;
    end else if (clear_i) begin
      valid_q <= '0;
    end else if (set_i) begin
      valid_q[set_number_i] <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin : slots
    if (set_i) slot_q[set_number_i] <= set_slot_i;
  end

endmodule
