// Locks as the paper states them, kept a second time in a simple form.
module lock_table_assertions
  import osm_pkg::*;
#(
  parameter int unsigned Sets        = 1,
  parameter bit          ReadCounter = 1'b0
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       enable_i,
  input logic [3:0] reads_to_unlock_i,
  input way_set_t   written_i [Sets],
  input way_set_t   read_i [Sets],
  input way_set_t   dropped_i [Sets],
  input way_set_t   locked_i [Sets]
);

  // Reads that a line still waits for, a vector over the ways for each bit of the number.
  way_set_t left_q [Sets][4];
  way_set_t waits [Sets];

  for (genvar s = 0; s < Sets; s++) begin : gen_set
    way_set_t locks, borrow;
    way_set_t left_d [4];

    assign locks    = enable_i ? written_i[s] : '0;
    assign waits[s] = left_q[s][0] | left_q[s][1] | left_q[s][2] | left_q[s][3];

    always_comb begin : count_down
      borrow = read_i[s] & waits[s];
      for (int unsigned k = 0; k < 4; k++) begin
        left_d[k] = (locks & {NumWays{reads_to_unlock_i[k]}}) | (~locks & (left_q[s][k] ^ borrow));
        borrow    = borrow & ~left_q[s][k];
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin : shadow
      for (int unsigned k = 0; k < 4; k++) begin
        if (!rst_ni) left_q[s][k] <= '0;
        else left_q[s][k] <= left_d[k] & ~dropped_i[s];
      end
    end
  end

  // Settings in the cycle before, and whether a line is locked under them now.
  logic       enable_q;
  logic [3:0] threshold_q;
  logic [Sets-1:0] any_locked, both;

  for (genvar s = 0; s < Sets; s++) begin : gen_edge
    assign any_locked[s] = locked_i[s] != '0;
    assign both[s]       = (written_i[s] & read_i[s]) != '0;
  end

  always_ff @(posedge clk_i) begin : past
    enable_q    <= enable_i;
    threshold_q <= reads_to_unlock_i;
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      ReadOrWrite :
      assert (both == '0)
      else $error("ReadOrWrite: a line is read and written in one cycle");
      ThresholdNotZero :
      assert (!enable_i || reads_to_unlock_i != 4'd0)
      else $error("ThresholdNotZero: no read unlocks a line");
      ThresholdCounted :
      assert (ReadCounter || !enable_i || reads_to_unlock_i == 4'd1)
      else $error("ThresholdCounted: %0d reads, and nothing counts them", reads_to_unlock_i);
      SettingsHeld :
      assert (any_locked == '0 || {enable_i, reads_to_unlock_i} == {enable_q, threshold_q})
      else $error("SettingsHeld: lines are locked while the settings change");
      for (int unsigned s = 0; s < Sets; s++) begin
        LockedUntilRead :
        assert (locked_i[s] == waits[s])
        else $error("LockedUntilRead: set %0d, lines %h locked, %h wait for reads",
                    s, locked_i[s], waits[s]);
      end
    end
  end

endmodule
