// A lane takes one register at a time and sends it in exactly NumBeats beats.
module crossbar_lane_assertions import ltrf_pkg::*; (
  input logic       clk_i,
  input logic       rst_ni,
  input logic [7:0] cycles_i,
  input logic       start_i,
  input logic       free_i,
  input logic       beat_i,
  input logic       last_i,
  input logic       valid_i,
  input logic       take_i
);

  logic [2:0] beats_q;

  always_ff @(posedge clk_i) begin : checks
    if (!rst_ni) begin
      beats_q <= '0;
    end else begin
      EnoughCycles :
      assert (cycles_i >= 8'(NumBeats))
      else $error("EnoughCycles: a register cannot cross in %0d cycles", cycles_i);
      StartWhenFree :
      assert (!start_i || free_i)
      else $error("StartWhenFree: a second register enters the lane");
      TakeWhenValid :
      assert (!take_i || valid_i)
      else $error("TakeWhenValid: nothing to take");
      BeatIntoFreeBuffer :
      assert (!beat_i || !valid_i || take_i)
      else $error("BeatIntoFreeBuffer: a beat overwrites a register that was not taken");
      AllBeats :
      assert (!last_i || beats_q == 3'(NumBeats - 1))
      else $error("AllBeats: only %0d beats before the last one", beats_q);
      if (last_i) beats_q <= '0;
      else if (beat_i) beats_q <= beats_q + 3'd1;
    end
  end

endmodule
