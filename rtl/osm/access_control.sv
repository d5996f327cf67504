// Decides what the cache does in a cycle: one action for the oldest request that does not wait.
//
// An answer to a request that went past goes first. What comes for a line leaves the banks' write
// port to nothing else, so stores and atomic accesses give way to it; so do those that write in the
// next cycle to sums that may be written then. Lanes whose lines are there
// are served; only when there are none is a line fetched, allocated or evicted, for the lowest lane
// that needs it. So no request pushes out a line before its own lanes have used it. A fence of
// shared memory is the end of the CTA in the slot.
module access_control
  import heddle_port_pkg::*;
  import osm_pkg::*;
(
  input  logic       flush_i,
  input  logic       fill_i,
  input  logic       return_i,
  input  logic       valid_i,
  input  logic [1:0] kind_i,
  input  logic       through_i,
  input  logic       past_i,
  input  lane_set_t  lanes_i,
  input  lane_set_t  found_i,
  input  lane_set_t  filling_i,
  input  lane_set_t  complete_i,
  input  lane_set_t  closed_i,
  input  logic       adds_i,         // an addition of floating-point numbers
  input  logic       sums_next_i,    // sums may be written in the next cycle
  input  logic       free_i,
  input  logic       victim_i,
  input  logic       victim_dirty_i,
  input  logic       copy_busy_i,    // of the line of the action
  input  logic       lower_room_i,   // for a request to the off-chip memory
  input  logic       lower_two_i,    // for two
  input  logic       lower_empty_i,
  input  logic       fill_room_i,
  output lane_set_t  ready_o,
  output lane_set_t  shut_o,     // lanes that wait for sums
  output lane_set_t  needed_o,   // lanes for which a line is needed
  output lane_t      lane_o,     // the lowest of them
  output logic       own_line_o, // the action is about its line, which is there
  output logic       writes_back_o, // dirty bytes of the victim of the action
  output action_e    action_o
);

  lane_set_t partial, absent, open;
  logic      reads, alone, all_filling, own_partial, has_way, sums_first, port_taken;
  logic      dirty_leaves, lower_has_room;

  assign reads    = kind_i != MemWrite;
  assign absent   = lanes_i & ~found_i;
  assign open     = lanes_i & found_i & ~filling_i & ~closed_i;
  assign partial  = reads ? open & ~complete_i : '0;
  assign ready_o  = open & ~partial;
  assign shut_o   = lanes_i & found_i & ~filling_i & closed_i;
  assign needed_o = alone ? lanes_i : partial | absent;

  // A request that goes off chip by itself has all its lanes in one line. A store goes as soon as
  // sectors of it are open; what goes past waits for all of the line, and nothing overtakes it.
  assign alone       = through_i || past_i;
  assign all_filling = (lanes_i & ~filling_i) == '0;

  lowest_bit #(
    .Width(NumLanes)
  ) u_lowest (
    .set_i  (needed_o),
    .valid_o(),
    .bit_o  (),
    .index_o(lane_o)
  );

  assign sums_first  = kind_i != MemRead && sums_next_i && !adds_i;
  assign port_taken  = (fill_i && kind_i != MemRead) || sums_first;
  assign has_way     = own_partial || free_i;
  assign own_partial = !alone && partial[lane_o];
  assign own_line_o  = own_partial || (past_i && found_i[lane_o]);

  // A victim with dirty bytes leaves in the look-up that gives its way away, so a fetch then needs
  // room for a write-back too.
  assign dirty_leaves   = !has_way && victim_dirty_i;
  assign lower_has_room = reads ? (dirty_leaves ? lower_two_i : lower_room_i)
                                : (lower_room_i || !dirty_leaves);
  assign writes_back_o  = dirty_leaves && action_o inside {ActWriteAllocate, ActFetch};

  always_comb begin : decide
    if (flush_i) action_o = ActFlush;
    else if (return_i) action_o = ActReturn;
    else if (!valid_i) action_o = ActNone;
    else if (kind_i == MemFence) action_o = lower_empty_i ? ActRelease : ActStallRelease;
    else if (all_filling) action_o = ActWaitLines;
    // lines of global memory have no dirty bytes
    else if (past_i && found_i[lane_o]) action_o = copy_busy_i ? ActStallCopy : ActEvictClean;
    else if (alone) begin
      if (!lower_room_i) action_o = ActStallLower;
      else if (past_i) action_o = ActPast;
      else action_o = port_taken ? ActNone : ActThrough;
    end else if (ready_o != '0) action_o = port_taken ? ActNone : ActPass;
    else if (needed_o == '0) action_o = ActStallAddition;  // all others wait for sums
    else if (!has_way && !victim_i) action_o = ActStallSet;
    else if (!lower_has_room) action_o = ActStallLower;
    else if (!reads) action_o = ActWriteAllocate;
    else if (!fill_room_i) action_o = ActStallFills;
    else action_o = own_partial ? ActFetchPartial : ActFetch;
  end

endmodule
