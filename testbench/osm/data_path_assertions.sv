// The stage behind the decision passes, returns and fills only what was decided before.
module data_path_assertions
  import heddle_port_pkg::*;
  import osm_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
  input action_e action_i,
  input logic    fill_i,
  input logic    pass_i,
  input logic    fills_i,
  input logic    store_i,
  input logic    return_i
);

  action_e decided_q;
  logic    filled_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : decision
    if (!rst_ni) begin
      decided_q <= ActNone;
      filled_q  <= 1'b0;
    end else begin
      decided_q <= action_i;
      filled_q  <= fill_i;
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
      assert (!store_i || decided_q inside {ActPass, ActThrough})
      else $error("StoreFollows: a store of no pass");
    end
  end

endmodule
