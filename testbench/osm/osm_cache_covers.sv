// What the cache must be seen to do: each action, victims of each kind, requests of which some
// lanes are served beside others that wait, atomic accesses, and what comes for a line beside them.
module osm_cache_covers
  import heddle_port_pkg::*;
  import osm_pkg::*;
#(
  parameter bit Unified = 1'b0
) (
  input logic       clk_i,
  input logic       rst_ni,
  input action_e    action_i,
  input logic [1:0] kind_i,
  input lane_set_t  waiting_i,     // lanes that are not served
  input lane_set_t  served_i,
  input lane_set_t  found_i,
  input lane_set_t  filling_i,
  input lane_set_t  complete_i,
  input logic       takes_line_i,
  input logic       replaces_i,
  input logic       writes_back_i,
  input logic       locked_i,      // the line of the action
  input logic       wait_lines_i,
  input logic       fill_i,        // sectors of a line have come
  input logic       adds_i         // floating-point numbers
);

  logic      pass, reads, adds_pass;
  lane_set_t comes, here;

  assign pass      = action_i == ActPass;
  assign reads     = kind_i == MemRead;
  assign adds_pass = pass && kind_i == MemAtomic && adds_i;
  assign comes     = waiting_i & found_i & filling_i;
  assign here      = waiting_i & found_i & ~filling_i & complete_i;

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  // ---- each action ----
  ReadPass : cover property (pass && reads);
  WritePass : cover property (pass && kind_i == MemWrite);
  AtomicPass : cover property (pass && kind_i == MemAtomic && !adds_i);
  AdditionPass : cover property (adds_pass);
  WriteAllocate : cover property (action_i == ActWriteAllocate);
  Fetch : cover property (action_i == ActFetch);
  FetchPartial : cover property (action_i == ActFetchPartial);
  Release : cover property (action_i == ActRelease);
  WaitLines : cover property (action_i == ActWaitLines);
  StallSet : cover property (action_i == ActStallSet);
  StallLower : cover property (action_i == ActStallLower);
  StallFills : cover property (action_i == ActStallFills);
  StallRelease : cover property (action_i == ActStallRelease);
  StallAddition : cover property (action_i == ActStallAddition);

  if (Unified) begin : gen_unified
    Through : cover property (action_i == ActThrough);
    ThroughIntoLine : cover property (action_i == ActThrough && (waiting_i & found_i) != '0);
    Past : cover property (action_i == ActPast);
    PastAtomic : cover property (action_i == ActPast && kind_i == MemAtomic);
    Return : cover property (action_i == ActReturn);
    EvictCopy : cover property (action_i == ActEvictClean);
    StallCopy : cover property (action_i == ActStallCopy);
    Flush : cover property (action_i == ActFlush);
  end

  // ---- victims ----
  TakesFreeWay : cover property (takes_line_i && !replaces_i);
  CleanLeaves : cover property (replaces_i && !writes_back_i);
  DirtyLeaves : cover property (writes_back_i);
  LockedLeaves : cover property (replaces_i && locked_i);

  // ---- lanes of one request ----
  PassOfAll : cover property (pass && served_i == waiting_i);
  PassOfSome : cover property (pass && served_i != waiting_i);
  HitBesideFill : cover property (pass && comes != '0);
  HitBesideMiss : cover property (pass && (waiting_i & ~found_i) != '0);
  MissBesideFill : cover property (action_i == ActFetch && comes != '0);
  FetchesAgain : cover property (action_i == ActFetch && !wait_lines_i);

  // ---- what comes beside ----
  FillBesideRead : cover property (fill_i && pass && reads);
  FillBesideFetch : cover property (fill_i && action_i == ActFetch);
  StoreGivesWay : cover property (
      fill_i && action_i == ActNone && kind_i == MemWrite && here != '0);
  AtomicGivesWay : cover property (
      fill_i && action_i == ActNone && kind_i == MemAtomic && here != '0);

endmodule
