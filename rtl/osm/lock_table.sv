// The lock bit of each line: a write sets it, the reads-to-unlock-th read after the write clears
// it.
//
// Thresholds above one need a read counter a line, which is there with ReadCounter only.
module lock_table
  import osm_pkg::*;
#(
  parameter int unsigned Sets        = 1,
  parameter bit          ReadCounter = 1'b0
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       enable_i,
  input  logic [3:0] reads_to_unlock_i,
  input  way_set_t   written_i [Sets],
  input  way_set_t   read_i [Sets],
  input  way_set_t   dropped_i [Sets],
  output way_set_t   locked_o [Sets],
  // to the events: a line that was not locked gets locked; a locked one is unlocked
  output logic       lock_o,
  output logic       unlock_o
);

  way_set_t locked_q [Sets];
  way_set_t last_read [Sets];
  logic [Sets-1:0] locks, unlocks;

  for (genvar s = 0; s < Sets; s++) begin : gen_set
    way_set_t locked, unlocked;

    assign locked     = enable_i ? written_i[s] : '0;
    assign unlocked   = read_i[s] & locked_q[s] & last_read[s];
    assign locks[s]   = (locked & ~locked_q[s]) != '0;
    assign unlocks[s] = unlocked != '0;

    always_ff @(posedge clk_i or negedge rst_ni) begin : bits
      if (!rst_ni) locked_q[s] <= '0;
      else locked_q[s] <= (locked_q[s] | locked) & ~unlocked & ~dropped_i[s];
    end

    if (ReadCounter) begin : gen_counters
      logic [3:0] reads_q [NumWays];

      always_ff @(posedge clk_i) begin : counters
        for (int unsigned w = 0; w < NumWays; w++) begin
          if (written_i[s][w]) reads_q[w] <= '0;
          else if (read_i[s][w] && locked_q[s][w]) reads_q[w] <= reads_q[w] + 4'd1;
        end
      end

      for (genvar w = 0; w < NumWays; w++) begin : gen_last
        assign last_read[s][w] = reads_q[w] + 4'd1 == reads_to_unlock_i;
      end
    end else begin : gen_single
      assign last_read[s] = {NumWays{reads_to_unlock_i == 4'd1}};
    end
  end

  assign locked_o = locked_q;
  assign lock_o   = locks != '0;
  assign unlock_o = unlocks != '0;

endmodule
