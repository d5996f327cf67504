// At most four banks are served, only such as ask, none is left out while a place is free, and a
// served bank stays served until its access is done.
module service_arbiter_assertions
  import racetrack_pkg::*;
#(
  parameter int unsigned NumBanks = shell_pkg::DefaultBanks
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic [NumBanks-1:0] request_i,
  input logic [NumBanks-1:0] done_i,
  input logic [NumBanks-1:0] served_i
);

  logic [NumBanks-1:0] open_q;  // served in the cycle before, and not done in it

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) begin
      open_q <= '0;
    end else begin
      open_q <= served_i & ~done_i;
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      FourAtMost :
      assert ($countones(served_i) <= BanksServed)
      else $error("FourAtMost: banks %b served", served_i);
      ServeOnlyRequested :
      assert ((served_i & ~request_i) == '0)
      else $error("ServeOnlyRequested: served %b, requests %b", served_i, request_i);
      NoPlaceWasted :
      assert ($countones(served_i) == BanksServed || (request_i & ~served_i) == '0)
      else $error("NoPlaceWasted: served %b, requests %b", served_i, request_i);
      ServedUntilDone :
      assert ((open_q & request_i & ~served_i) == '0)
      else $error("ServedUntilDone: served %b before, now %b", open_q, served_i);
      DoneOnlyServed :
      assert ((done_i & ~served_i) == '0)
      else $error("DoneOnlyServed: done %b, served %b", done_i, served_i);
    end
  end

endmodule
