// Locks as the paper states them, kept a second time in a simple form.
module lock_table_assertions
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
  input way_set_t   locked_i [Sets]
);

  logic [3:0] left_q [Sets][NumWays];  // reads that a line still waits for

  always_ff @(posedge clk_i or negedge rst_ni) begin : shadow
    if (!rst_ni) begin
      for (int unsigned s = 0; s < Sets; s++) begin
        for (int unsigned w = 0; w < NumWays; w++) left_q[s][w] <= '0;
      end
    end else begin
      for (int unsigned s = 0; s < Sets; s++) begin
        for (int unsigned w = 0; w < NumWays; w++) begin
          if (dropped_i[s][w]) left_q[s][w] <= '0;
          else if (written_i[s][w] && enable_i) left_q[s][w] <= reads_to_unlock_i;
          else if (read_i[s][w] && left_q[s][w] != '0) left_q[s][w] <= left_q[s][w] - 4'd1;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      for (int unsigned s = 0; s < Sets; s++) begin
        for (int unsigned w = 0; w < NumWays; w++) begin
          LockedUntilRead :
          assert (locked_i[s][w] == (left_q[s][w] != '0))
          else $error("LockedUntilRead: line %0d of set %0d, locked %b, reads left %0d", w, s,
                      locked_i[s][w], left_q[s][w]);
        end
        ReadOrWritten :
        assert ((read_i[s] & written_i[s]) == '0)
        else $error("ReadOrWritten: set %0d", s);
      end
    end
  end

endmodule
