// Each MSHR is answered once.
module fill_unit_assertions
  import cerf_pkg::*;
(
  input logic              clk_i,
  input logic              rst_ni,
  input logic              arrives_i,
  input logic              fill_i,
  input logic              filled_i,
  input logic              answer_i,
  input logic              answered_i,
  input logic              deposit_i,
  input mshr_t             deposit_mshr_i,
  input logic              start_i,
  input mshr_t             next_id_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      DepositHasThePort :
      assert (!(deposit_i && arrives_i))
      else $error("DepositHasThePort: a line and a result for MSHR %0d in one cycle",
                  deposit_mshr_i);
      DepositComesBeforeItIsRead :
      assert (!(deposit_i && start_i && next_id_i == deposit_mshr_i))
      else $error("DepositComesBeforeItIsRead: MSHR %0d", deposit_mshr_i);
      FilledOnlyAsked :
      assert (!filled_i || fill_i)
      else $error("FilledOnlyAsked: a tag bank placed a line that nobody offered");
      AnsweredOnlyWaiting :
      assert (!answered_i || answer_i)
      else $error("AnsweredOnlyWaiting: a response for nobody");
    end
  end

endmodule
