// What the register control module must be seen to do: empty, in use and full, a register that
// enters and one that lies there, the last register, and all forgotten for the next warp.
module register_control_module_covers
  import hybrid_pkg::*;
(
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  clear_i,
  input logic                  set_i,
  input number_t               set_number_i,
  input logic [NumNumbers-1:0] valid_i
);

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  Empty : cover property (valid_i == '0);
  SomeValid : cover property (valid_i != '0 && valid_i != '1);
  Full : cover property (valid_i == '1);
  First : cover property (set_i && valid_i == '0);
  LastRegister : cover property (set_i && set_number_i == '1);
  Forgets : cover property (clear_i && valid_i != '0);
  ForgetsNothing : cover property (clear_i && valid_i == '0);

endmodule
