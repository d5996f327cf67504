// Every instruction has one place, from its issue until its operands are taken.
module hit_store_assertions
  import heddle_port_pkg::*;
#(
  parameter int unsigned IssueWidth = 2,
  parameter int unsigned Places     = 18
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic [IssueWidth-1:0] accept_i,
  input logic [IssueWidth-1:0] take_i,
  input logic [Places-1:0]     in_use_i,
  input logic [Places-1:0]     taken_i,
  input logic [Places-1:0]     given_back_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      PlaceForEach :
      assert ($countones(taken_i) == $countones(accept_i) && (taken_i & in_use_i) == '0)
      else $error("PlaceForEach: %0d instructions, %b taken", $countones(accept_i), taken_i);
      PlaceGivenBack :
      assert ($countones(given_back_i) == $countones(take_i))
      else $error("PlaceGivenBack: %b of %0d", given_back_i, $countones(take_i));
    end
  end

endmodule
