// What an action means for the lines: which are used, read, written and dropped, and so which are
// locked and which was used longest ago.
module line_uses
  import heddle_port_pkg::*;
  import osm_pkg::*;
#(
  parameter  int unsigned Sets        = 1,
  parameter  bit          ReadCounter = 1'b0,
  parameter  bit          WordLock    = 1'b0,
  localparam int unsigned SetBits     = (Sets > 1) ? $clog2(Sets) : 1,
  localparam int unsigned IndexBits   = SetBits + WayBits
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 enable_i,           // locks
  input  logic [3:0]           reads_to_unlock_i,
  // the action, and the lanes that it serves
  input  action_e              action_i,
  input  logic                 shared_i,     // of shared memory: locks
  input  logic                 reads_i,
  input  lane_set_t            lanes_i,      // served, with a line that is there
  input  logic [IndexBits-1:0] lane_index_i [NumLanes],
  input  bank_set_t            banks_i,
  input  logic [IndexBits-1:0] row_i [NumBanks],
  // the line that it is about
  input  logic [IndexBits-1:0] line_i,
  input  logic                 takes_line_i,
  input  logic                 replaces_i,   // another one leaves for it
  input  way_set_t             of_slot_i [Sets],
  output way_set_t             passed_o [Sets],
  output way_set_t             locked_o [Sets],
  output logic                 lock_o,
  output logic                 unlock_o,
  // which of some ways of a set leaves
  input  logic [SetBits-1:0]   set_i,
  input  way_set_t             candidates_i,
  output way_t                 oldest_o
);

  way_set_t allocated [Sets];
  way_set_t used [Sets];
  way_set_t read_ways [Sets];
  way_set_t written_ways [Sets];
  way_set_t dropped [Sets];

  always_comb begin : ways
    for (int unsigned s = 0; s < Sets; s++) begin
      passed_o[s]  = '0;
      allocated[s] = '0;
      dropped[s]   = (action_i == ActRelease) ? of_slot_i[s] : (action_i == ActFlush) ? '1 : '0;
    end
    for (int unsigned l = 0; l < NumLanes; l++) begin
      if (lanes_i[l]) begin
        passed_o[lane_index_i[l][WayBits+:SetBits]][lane_index_i[l][WayBits-1:0]] = 1'b1;
      end
    end
    if (takes_line_i) begin
      allocated[line_i[WayBits+:SetBits]][line_i[WayBits-1:0]] = 1'b1;
    end
    if (action_i == ActEvictClean || replaces_i) begin
      dropped[line_i[WayBits+:SetBits]][line_i[WayBits-1:0]] = 1'b1;
    end
    for (int unsigned s = 0; s < Sets; s++) begin
      used[s]         = passed_o[s] | allocated[s];
      read_ways[s]    = (shared_i && reads_i) ? passed_o[s] : '0;
      written_ways[s] = (shared_i && !reads_i) ? passed_o[s] : '0;
    end
  end

  recency_order #(
    .Sets(Sets)
  ) u_recency (
    .clk_i,
    .rst_ni,
    .used_i      (used),
    .set_i,
    .candidates_i,
    .locked_i    (locked_o[set_i]),
    .oldest_o
  );

  if (WordLock) begin : gen_word_locks
    word_lock_table #(
      .Sets(Sets)
    ) u_locks (
      .clk_i,
      .rst_ni,
      .enable_i,
      .written_i(written_ways),
      .read_i   (read_ways),
      .banks_i,
      .row_i,
      .dropped_i(dropped),
      .locked_o,
      .lock_o,
      .unlock_o
    );
  end else begin : gen_line_locks
    lock_table #(
      .Sets       (Sets),
      .ReadCounter(ReadCounter)
    ) u_locks (
      .clk_i,
      .rst_ni,
      .enable_i,
      .reads_to_unlock_i,
      .written_i        (written_ways),
      .read_i           (read_ways),
      .dropped_i        (dropped),
      .locked_o,
      .lock_o,
      .unlock_o
    );
  end

endmodule
