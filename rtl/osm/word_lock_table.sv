// A lock bit for each word of each line: a write of the word sets it, a read of the word clears it,
// and a line is locked while one of its words is.
//
// The lock bit of the paper (lock_table) is one a line, so the first read of any of its words ends
// the lock of all. Here a line stays until each word that was written was read once.
module word_lock_table
  import osm_pkg::*;
#(
  parameter  int unsigned Sets      = 1,
  localparam int unsigned SetBits   = (Sets > 1) ? $clog2(Sets) : 1,
  localparam int unsigned IndexBits = SetBits + WayBits
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 enable_i,
  // lines that a pass writes or reads, and in each bank the line of the word
  input  way_set_t             written_i [Sets],
  input  way_set_t             read_i [Sets],
  input  bank_set_t            banks_i,
  input  logic [IndexBits-1:0] row_i [NumBanks],
  input  way_set_t             dropped_i [Sets],
  output way_set_t             locked_o [Sets],
  // to the events: a line that was not locked gets locked; a locked one is unlocked
  output logic                 lock_o,
  output logic                 unlock_o
);

  // Element [s][b]: the ways of set s whose word of bank b was written and not read since.
  way_set_t        unread_q [Sets][NumBanks];
  way_set_t        locked [Sets];
  logic [Sets-1:0] locks, unlocks;

  for (genvar s = 0; s < Sets; s++) begin : gen_set
    way_set_t words [NumBanks];  // the line of each bank's word, where it is in this set
    way_set_t still;             // lines that keep a word that was not read

    for (genvar b = 0; b < NumBanks; b++) begin : gen_bank
      logic [SetBits-1:0] set;
      way_t               way;
      way_set_t           written, read;

      assign {set, way} = row_i[b];
      assign words[b]   = (banks_i[b] && set == SetBits'(s)) ? way_set_t'(1) << way : '0;
      assign written    = enable_i ? words[b] & written_i[s] : '0;
      assign read       = words[b] & read_i[s];

      always_ff @(posedge clk_i or negedge rst_ni) begin : bits
        if (!rst_ni) unread_q[s][b] <= '0;
        else unread_q[s][b] <= (unread_q[s][b] | written) & ~read & ~dropped_i[s];
      end
    end

    always_comb begin : of_lines
      locked[s] = '0;
      still     = '0;
      for (int unsigned b = 0; b < NumBanks; b++) begin
        locked[s] |= unread_q[s][b];
        still     |= unread_q[s][b] & ~words[b];
      end
    end

    assign locks[s]   = (enable_i ? written_i[s] & ~locked[s] : '0) != '0;
    assign unlocks[s] = (read_i[s] & locked[s] & ~still) != '0;
  end

  assign locked_o = locked;
  assign lock_o   = locks != '0;
  assign unlock_o = unlocks != '0;

endmodule
