// The words of one line that the solver chooses, against what was written and read of each.
module word_lock_table_formal
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
  input way_set_t             locked_i [Sets],
  input logic                 lock_i,
  input logic                 unlock_i,
  input way_set_t             kept_i [Sets][NumBanks]
);

  logic [IndexBits-1:0] line_q;  // any: a bank's row in the cycle of reset
  logic [SetBits-1:0]   set;
  way_t                 way;
  bank_set_t            words;   // of the line that are accessed
  bank_set_t            unread_q, kept;
  logic                 writes, reads, locked;

  assign {set, way} = line_q;
  assign writes     = enable_i && written_i[set][way];
  assign reads      = read_i[set][way];
  assign locked     = locked_i[set][way];

  for (genvar b = 0; b < NumBanks; b++) begin : gen_word
    assign words[b] = banks_i[b] && row_i[b] == line_q;
    assign kept[b]  = kept_i[set][b][way];
  end

  always_ff @(posedge clk_i) begin : choice
    if (!rst_ni) line_q <= row_i[0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) unread_q <= '0;
    else if (dropped_i[set][way]) unread_q <= '0;
    else if (reads) unread_q <= unread_q & ~words;
    else if (writes) unread_q <= unread_q | words;
  end

  always_comb begin : checks
    if (rst_ni) begin
      WordsKept : assert (kept == unread_q);
      LockedWhileUnread : assert (locked == (unread_q != '0));
      LockIsSaid : assert (!(writes && !locked) || lock_i);
      UnlockIsSaid : assert (!(reads && locked && (unread_q & ~words) == '0) || unlock_i);
      LastOfTwo : cover (reads && locked && unlock_i && words == bank_set_t'(2));
    end
  end

endmodule

bind word_lock_table word_lock_table_formal #(
  .Sets(Sets)
) u_formal (
  .clk_i,
  .rst_ni,
  .enable_i,
  .written_i,
  .read_i,
  .banks_i,
  .row_i,
  .dropped_i,
  .locked_i(locked_o),
  .lock_i  (lock_o),
  .unlock_i(unlock_o),
  .kept_i  (unread_q)
);
