// What the configuration and the tagging stage must keep.
module cerf_top_assertions
  import heddle_port_pkg::*;
  import cerf_pkg::*;
#(
  parameter int unsigned Ways = 4
) (
  input logic          clk_i,
  input logic          rst_ni,
  input config_t       config_i,
  input tag_bank_set_t push_i,
  input tag_bank_set_t pushed_i,
  input logic          room_i,
  input tag_bank_set_t selected_i,
  input tag_bank_set_t deposited_i,
  input tag_bank_set_t refill_start_i,
  input logic          mshr_free_i,
  input logic          request_i,
  input logic          idle_i,
  input logic          start_i,     // of a flush
  input logic          flush_i,
  input bank_activity_t activity_i [NumTagBanks],
  input done_t         front_done_i,
  input done_t         exit_done_i
);

  logic walked_q, lines_stay;

  always_comb begin : left
    lines_stay = 1'b0;
    for (int unsigned b = 0; b < NumTagBanks; b++) begin
      lines_stay = lines_stay || activity_i[b].lines != '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : remember
    if (!rst_ni) walked_q <= 1'b0;
    else walked_q <= flush_i;
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      OneCycleABank :
      assert (config_i.bank_cycles == 8'd1)
      else $error("OneCycleABank: bank_cycles %0d", config_i.bank_cycles);
      RowsAreThere :
      assert (config_i.rows_per_bank == 16'(NumTagBanks * EntriesPerBank / 16))
      else $error("RowsAreThere: rows_per_bank %0d", config_i.rows_per_bank);
      WaysAreThere :
      assert (config_i.ways == 8'(Ways))
      else $error("WaysAreThere: %0d ways, elaborated are %0d", config_i.ways, Ways);
      OnlyFairRefills :
      assert (config_i.fair || (deposited_i == '0 && refill_start_i == '0))
      else $error("OnlyFairRefills: LRU-prioritized fetches a register");
      OneRefillACycle :
      assert ($onehot0(refill_start_i) && $onehot0(deposited_i) &&
              (refill_start_i == '0 || mshr_free_i))
      else $error("OneRefillACycle: %b fetched, %b deposited", refill_start_i, deposited_i);
      OnePushACycle :
      assert ($onehot0(pushed_i) && (pushed_i & ~push_i) == '0 && (room_i || pushed_i == '0))
      else $error("OnePushACycle: %b of %b, room %b", pushed_i, push_i, room_i);
      RoomIsUsed :
      assert (!(room_i && push_i != '0 && pushed_i == '0))
      else $error("RoomIsUsed: %b waits although there is room", push_i);
      OneAccessACycle :
      assert ($onehot0(selected_i))
      else $error("OneAccessACycle: %b", selected_i);
      NoAnswerIsLost :
      assert (!(exit_done_i.valid && front_done_i.valid && front_done_i.op != CmdExit))
      else $error("NoAnswerIsLost: the exit of W%0d hides the answer to command %0d of W%0d",
                  exit_done_i.warp, front_done_i.op, front_done_i.warp);
      FlushAtRest :
      assert (!start_i || (idle_i && !request_i))
      else $error("FlushAtRest: a flush is asked for while loads or stores are under way");
      NothingComesDuringFlush :
      assert (!(flush_i && request_i))
      else $error("NothingComesDuringFlush: a request is offered while lines are flushed");
      NoLineStays :
      assert (!(walked_q && !flush_i && lines_stay))
      else $error("NoLineStays: lines are left after a flush");
    end
  end

endmodule
