// The stage behind the decision passes, returns and fills only what was decided before.
module data_path_assertions
  import heddle_port_pkg::*;
  import osm_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
  input action_e action_i,
  input logic [1:0] kind_i,
  input logic    sums_i,     // the lanes' values are added to floats
  input logic    fill_i,
  input logic    pass_i,
  input logic    fills_i,
  input logic    store_i,
  input logic    return_i
);

  action_e decided_q;
  logic    filled_q, stored_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : decision
    if (!rst_ni) begin
      decided_q <= ActNone;
      filled_q  <= 1'b0;
      stored_q  <= 1'b0;
    end else begin
      decided_q <= action_i;
      filled_q  <= fill_i;
      stored_q  <= action_i == ActPass && kind_i inside {MemWrite, MemAtomic} && !sums_i;
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      StageFollows :
      assert (pass_i == (decided_q == ActPass) && return_i == (decided_q == ActReturn))
      else $error("StageFollows: pass %0d, return %0d", pass_i, return_i);
      FillFollows :
      assert (fills_i == filled_q)
      else $error("FillFollows: fill %0d, in the cycle before %0d", fills_i, filled_q);
      StoreFollows :
      assert (store_i == stored_q || decided_q == ActThrough)
      else $error("StoreFollows: store %0d, decided %0d", store_i, stored_q);
    end
  end

endmodule
