// What `make formal` proves of the register control module: the entry of one register that the
// solver chooses.
module register_control_module_formal
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
(
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  clear_i,
  input logic                  set_i,
  input number_t               set_number_i,
  input slot_t                 set_slot_i,
  input number_t               write_number_i,
  input logic                  write_hit_i,
  input slot_t                 write_slot_i,
  input number_t               read_number_i [NumSources],
  input logic [NumSources-1:0] read_hit_i,
  input slot_t                 read_slot_i [NumSources],
  // what the module keeps
  input logic [NumNumbers-1:0] valid_i,
  input slot_t                 slot_i [NumNumbers]
);

  number_t number_q;  // any: what the result's register is in the cycle of reset
  logic    there_q;   // it entered since a warp became active
  slot_t   slot_q;

  always_ff @(posedge clk_i) begin : choice
    if (!rst_ni) number_q <= write_number_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : history
    if (!rst_ni) there_q <= 1'b0;
    else there_q <= !clear_i && (there_q || (set_i && set_number_i == number_q));
  end

  always_ff @(posedge clk_i) begin : slot
    if (set_i && set_number_i == number_q) slot_q <= set_slot_i;
  end

  for (genvar s = 0; s < NumSources; s++) begin : gen_source
    always_comb begin : checks
      if (rst_ni) begin
        SourceFound :
        assert (read_number_i[s] != number_q ||
                (read_hit_i[s] == there_q && (!there_q || read_slot_i[s] == slot_q)));
      end
    end
  end

  always_comb begin : checks
    if (rst_ni) begin
      ResultFound :
      assert (write_number_i != number_q ||
              (write_hit_i == there_q && (!there_q || write_slot_i == slot_q)));
      ForgetsAll : assert (there_q || !valid_i[number_q]);
      EntryIsKept : assert (!there_q || (valid_i[number_q] && slot_i[number_q] == slot_q));
      HitAfterClear : cover (write_hit_i && clear_i && write_number_i == number_q && slot_q != '0);
    end
  end

endmodule

bind register_control_module register_control_module_formal u_formal (
  .clk_i,
  .rst_ni,
  .clear_i,
  .set_i,
  .set_number_i,
  .set_slot_i,
  .write_number_i,
  .write_hit_i (write_hit_o),
  .write_slot_i(write_slot_o),
  .read_number_i,
  .read_hit_i  (read_hit_o),
  .read_slot_i (read_slot_o),
  .valid_i     (valid_q),
  .slot_i      (slot_q)
);
