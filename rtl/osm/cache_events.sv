// Registers what the cache did in a cycle.
//
// Bits 22 to 31 are the line of an allocation, fetch or eviction, 32 to 63 the banks that are read,
// 64 to 95 those that are written, 101 to 104 the sectors that are fetched, and 105 to 114 the line
// of a fill; all others are single events, see the concatenation.
module cache_events
  import heddle_port_pkg::*;
  import osm_pkg::*;
#(
  parameter int unsigned IndexBits = 7
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      accept_i,
  input  action_e                   action_i,
  input  logic [1:0]                kind_i,
  input  logic                      through_i,
  input  logic                      finish_i,
  input  logic                      missed_i,
  input  logic                      merged_i,
  input  logic                      lock_i,
  input  logic                      unlock_i,
  input  logic                      replaces_i,      // a line leaves for the one that is taken
  input  logic                      writes_back_i,   // its dirty bytes go off chip
  input  logic                      victim_locked_i,
  input  logic [IndexBits-1:0]      line_i,
  input  logic                      wait_lines_i,
  input  sector_set_t               fetched_i,
  input  logic                      fill_i,
  input  logic [IndexBits-1:0]      fill_line_i,
  input  bank_set_t                 banks_i,         // of a pass
  input  logic                      stores_i,        // the pass writes them
  input  byte_set_t                 fill_bytes_i,    // that a fill brings
  output logic [CacheEventBits-1:0] events_o
);

  logic [CacheEventBits-1:0] events_q;
  logic                      pass, last, evict, names_line, looks_up;
  bank_set_t                 filled, read, written;

  assign pass       = action_i == ActPass || action_i == ActThrough;
  assign last       = pass && finish_i && !through_i;
  assign evict      = action_i == ActEvictClean || replaces_i;
  assign names_line = evict || action_i == ActFetch || action_i == ActFetchPartial ||
                      action_i == ActWriteAllocate;
  assign looks_up   = !(action_i inside {ActNone, ActReturn, ActRelease, ActStallRelease,
                                         ActFlush});
  assign events_o   = events_q;

  for (genvar b = 0; b < NumBanks; b++) begin : gen_filled
    assign filled[b] = fill_bytes_i[4*b+:4] != '0;
  end

  always_comb begin : banks
    read    = (action_i == ActPass && kind_i != MemWrite) ? banks_i : '0;
    written = stores_i ? banks_i : '0;
    if (writes_back_i) read = '1;
    if (fill_i) written = filled;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : events
    if (!rst_ni) begin
      events_q <= '0;
    end else begin
      events_q <= {
        action_i == ActStallAddition,          // 116
        action_i == ActStallCopy,
        fill_i ? 10'(fill_line_i) : 10'd0,     // 105
        fetched_i,                             // 101
        looks_up,                              // 100
        action_i == ActFlush,
        action_i == ActReturn,
        action_i == ActPast,
        action_i == ActThrough,                // 96
        written,                               // 64
        read,                                  // 32
        names_line ? 10'(line_i) : 10'd0,      // 22
        action_i == ActStallRelease,           // 21
        action_i == ActRelease,
        wait_lines_i,
        action_i == ActStallSet,
        action_i == ActStallFills,
        action_i == ActStallLower,             // 16
        evict && victim_locked_i,
        writes_back_i,
        evict && !writes_back_i,
        fill_i,
        action_i == ActFetchPartial,
        action_i == ActFetch,                  // 10
        action_i == ActWriteAllocate,
        unlock_i,
        lock_i,
        last && !missed_i && merged_i,
        last && missed_i,
        last && !missed_i && !merged_i,        // 4
        pass && kind_i == MemAtomic,
        pass && kind_i == MemWrite,
        pass && kind_i == MemRead,
        accept_i
      };
    end
  end

endmodule
