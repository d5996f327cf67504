// The words that wait for a read, kept a second time line by line.
module word_lock_table_assertions
  import osm_pkg::*;
#(
  parameter  int unsigned Sets      = 1,
  localparam int unsigned SetBits   = (Sets > 1) ? $clog2(Sets) : 1,
  localparam int unsigned IndexBits = SetBits + WayBits
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 enable_i,
  input way_set_t             written_i [Sets],
  input way_set_t             read_i [Sets],
  input bank_set_t            banks_i,
  input logic [IndexBits-1:0] row_i [NumBanks],
  input way_set_t             dropped_i [Sets],
  input way_set_t             locked_i [Sets]
);

  bank_set_t waits_q [2**IndexBits];
  bank_set_t waits_d [2**IndexBits];
  way_set_t  waits [Sets];

  always_comb begin : next
    waits_d = waits_q;
    for (int unsigned b = 0; b < NumBanks; b++) begin
      if (banks_i[b] && enable_i &&
          written_i[row_i[b][WayBits+:SetBits]][row_i[b][WayBits-1:0]]) begin
        waits_d[row_i[b]][b] = 1'b1;
      end
      if (banks_i[b] && read_i[row_i[b][WayBits+:SetBits]][row_i[b][WayBits-1:0]]) begin
        waits_d[row_i[b]][b] = 1'b0;
      end
    end
    for (int unsigned s = 0; s < Sets; s++) begin
      for (int unsigned w = 0; w < NumWays; w++) begin
        if (dropped_i[s][w]) waits_d[s*NumWays+w] = '0;
        waits[s][w] = waits_q[s*NumWays+w] != '0;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : shadow
    if (!rst_ni) waits_q <= '{default: '0};
    else waits_q <= waits_d;
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      for (int unsigned s = 0; s < Sets; s++) begin
        WordsWaitForReads :
        assert (locked_i[s] == waits[s])
        else $error("WordsWaitForReads: set %0d, lines %h locked, %h have unread words",
                    s, locked_i[s], waits[s]);
      end
    end
  end

endmodule
