// The lock of one line that the solver chooses, against a count of the reads that it waits for.
module lock_table_formal
  import osm_pkg::*;
#(
  parameter int unsigned Sets = 1
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       enable_i,
  input logic [3:0] reads_to_unlock_i,
  input way_set_t   written_i [Sets],
  input way_set_t   read_i [Sets],
  input way_set_t   dropped_i [Sets],
  input way_set_t   locked_i [Sets],
  input logic       lock_i,
  input logic       unlock_i,
  input logic [3:0] reads_i [NumWays]  // that the table counted, of the lines of set 0
);

  // any line of set 0: what other inputs are in the cycle of reset
  way_t               way_q;
  logic [3:0]         left_q;  // reads that the line waits for
  logic               enable_q;
  logic [3:0]         threshold_q;
  logic [Sets-1:0]    any_locked, both;
  logic               locks, reads;

  assign locks = enable_i && written_i[0][way_q];
  assign reads = read_i[0][way_q];

  for (genvar s = 0; s < Sets; s++) begin : gen_edge
    assign any_locked[s] = locked_i[s] != '0;
    assign both[s]       = (written_i[s] & read_i[s]) != '0;
  end

  always_ff @(posedge clk_i) begin : past
    enable_q    <= enable_i;
    threshold_q <= reads_to_unlock_i;
    if (!rst_ni) begin
      way_q <= read_i[0][WayBits-1:0];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : count
    if (!rst_ni) left_q <= '0;
    else if (dropped_i[0][way_q]) left_q <= '0;
    else if (locks) left_q <= reads_to_unlock_i;
    else if (reads && left_q != '0) left_q <= left_q - 4'd1;
  end

  always_comb begin : checks
    if (rst_ni) begin
      ReadOrWrite : assume (both == '0);
      ThresholdNotZero : assume (!enable_i || reads_to_unlock_i != 4'd0);
      SettingsHeld :
      assume (any_locked == '0 || {enable_i, reads_to_unlock_i} == {enable_q, threshold_q});
      LockedUntilRead : assert (locked_i[0][way_q] == (left_q != '0));
      LockIsSaid : assert (!(locks && !locked_i[0][way_q]) || lock_i);
      UnlockIsSaid : assert (!(reads && left_q == 4'd1) || unlock_i);
      NoLockWithoutSetting : assert (left_q == '0 || enable_i);
      LeftInRange : assert (left_q <= reads_to_unlock_i || left_q == '0);
      CountsAgree : assert (left_q == '0 || reads_i[way_q] + left_q == reads_to_unlock_i);
      SecondReadUnlocks : cover (left_q == 4'd1 && reads && reads_to_unlock_i == 4'd2);
    end
  end

endmodule

bind lock_table lock_table_formal #(
  .Sets(Sets)
) u_formal (
  .clk_i,
  .rst_ni,
  .enable_i,
  .reads_to_unlock_i,
  .written_i,
  .read_i,
  .dropped_i,
  .locked_i(locked_q),
  .lock_i  (lock_o),
  .unlock_i(unlock_o),
  .reads_i (gen_set[0].gen_counters.reads_q)
);
