// What the whole cache promises to the SM and to the off-chip memory.
module osm_cache_assertions
  import heddle_port_pkg::*;
  import osm_pkg::*;
#(
  parameter bit Unified = 1'b0
) (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         flush_i,
  input mem_request_t request_i,
  input logic         ready_i,
  input logic         alone_i,
  input action_e      action_i,
  input logic         replaces_i,
  input logic         writes_back_i,
  input logic         fill_i,
  input logic         stores_i,
  input logic         adds_i,
  input lane_set_t    shut_i,
  input logic         sums_next_i,
  input logic         adding_i,
  input logic         fetches_i,
  input sector_set_t  sectors_i,
  input lane_set_t    needed_i,
  input lane_set_t    alike_i,
  input logic [1:0]   kind_i,
  input lane_set_t    waiting_i,
  input lane_set_t    served_i,
  input lane_set_t    found_i,
  input lane_set_t    filling_i,
  input lane_set_t    complete_i,
  input logic         dirty_i,
  input way_t         oldest_i,
  input way_set_t     candidates_i,
  input way_set_t     unlocked_i,
  input logic         idle_i,
  input logic         response_i,
  input logic         lower_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      OnlyWhenReady :
      assert (!request_i.valid || ready_i)
      else $error("OnlyWhenReady: T%0d is offered without room", request_i.tag);
      FlushWhileIdle :
      assert (!flush_i || (idle_i && !request_i.valid))
      else $error("FlushWhileIdle: lines are to go while requests are under way");
      KnownSpace :
      assert (!request_i.valid || (Unified ? request_i.space <= MemShared
                                           : request_i.space == MemShared))
      else $error("KnownSpace: T%0d goes to space %0d", request_i.tag, request_i.space);
      SomeLane :
      assert (!request_i.valid || request_i.kind == MemFence || request_i.mask != '0)
      else $error("SomeLane: T%0d has no lane", request_i.tag);
      AccessSize :
      assert (!request_i.valid || request_i.kind == MemFence ||
              (request_i.kind == MemAtomic ? (request_i.size_log2 inside {3'd1, 3'd2, 3'd3})
                                            : request_i.size_log2 <= 3'd4))
      else $error("AccessSize: T%0d accesses 2^%0d bytes a lane",
                  request_i.tag, request_i.size_log2);
      ServedOnce :
      assert ((served_i & ~waiting_i) == '0)
      else $error("ServedOnce: lanes %h served, %h waiting", served_i, waiting_i);
      PassServes :
      assert (action_i != ActPass || served_i != '0)
      else $error("PassServes: a pass without lanes");
      ServedIsThere :
      assert (alone_i || (served_i & ~(found_i & ~filling_i)) == '0)
      else $error("ServedIsThere: lanes %h served, %h there", served_i, found_i & ~filling_i);
      ReadIsComplete :
      assert (alone_i || kind_i == MemWrite || (served_i & ~complete_i) == '0)
      else $error("ReadIsComplete: lanes %h served, %h have their bytes", served_i, complete_i);
      VictimIsCandidate :
      assert (!replaces_i || candidates_i[oldest_i])
      else $error("VictimIsCandidate: way %0d leaves, candidates %h", oldest_i, candidates_i);
      UnlockedFirst :
      assert (!replaces_i || unlocked_i == '0 || unlocked_i[oldest_i])
      else $error("UnlockedFirst: way %0d leaves, unlocked %h", oldest_i, unlocked_i);
      DroppedIsClean :
      assert (!(action_i == ActEvictClean || replaces_i) || writes_back_i == dirty_i)
      else $error("DroppedIsClean: a line leaves, dirty %b, written back %b",
                  dirty_i, writes_back_i);
      LeavesForALine :
      assert (!writes_back_i || replaces_i)
      else $error("LeavesForALine: a line is written back that nothing replaces");
      StoreGivesWay :
      assert (!(fill_i && stores_i))
      else $error("StoreGivesWay: a store is decided on beside a fill");
      SumGoesFirst :
      assert (!(sums_next_i && stores_i && !adds_i))
      else $error("SumGoesFirst: a store is decided on although sums may be written with it");
      ClosedIsShut :
      assert ((served_i & shut_i) == '0)
      else $error("ClosedIsShut: lanes %h served, %h wait for sums", served_i, shut_i);
      SumsBeforeEnd :
      assert (!adding_i || !(action_i inside {ActRelease, ActFlush}))
      else $error("SumsBeforeEnd: lines go while sums are on their way");
      SectorsWanted :
      assert (!fetches_i || (sectors_i != '0 && alike_i != '0 && (alike_i & ~needed_i) == '0))
      else $error("SectorsWanted: sectors %b are fetched for lanes %h of %h",
                  sectors_i, alike_i, needed_i);
      IdleIsQuiet :
      assert (!idle_i || (!response_i && !lower_i && (action_i inside {ActNone, ActFlush})))
      else $error("IdleIsQuiet: idle with an action, a response or a request to memory");
    end
  end

endmodule
