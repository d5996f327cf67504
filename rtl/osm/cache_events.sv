// Registers what the cache did in a cycle.
//
// Bits 0 to 21 and 64 to 67 are counted, see the concatenation; 22 to 31 are the line of an allocation, fetch,
// fill or eviction, and 32 to 63 the banks of a pass.
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
  input  logic                      victim_locked_i,
  input  logic [IndexBits-1:0]      line_i,
  input  bank_set_t                 banks_i,
  output logic [CacheEventBits-1:0] events_o
);

  logic [CacheEventBits-1:0] events_q;
  logic                      pass, last, evict, names_line;

  assign pass       = action_i == ActPass || action_i == ActThrough;
  assign last       = pass && finish_i && !through_i;
  assign evict      = action_i == ActEvictClean || action_i == ActEvictDirty;
  assign names_line = evict || action_i == ActFill || action_i == ActFetch ||
                      action_i == ActFetchPartial || action_i == ActWriteAllocate;
  assign events_o   = events_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : events
    if (!rst_ni) begin
      events_q <= '0;
    end else begin
      events_q <= {
        28'd0,
        action_i == ActFlush,                  // 67
        action_i == ActReturn,
        action_i == ActPast,
        action_i == ActThrough,                // 64
        pass ? banks_i : bank_set_t'('0),      // 32
        names_line ? 10'(line_i) : 10'd0,      // 22
        action_i == ActStallRelease,           // 21
        action_i == ActRelease,
        action_i == ActWaitLines,
        action_i == ActStallSet,
        action_i == ActStallFills,
        action_i == ActStallLower,             // 16
        evict && victim_locked_i,
        action_i == ActEvictDirty,
        action_i == ActEvictClean,
        action_i == ActFill,
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
