// Takes one command at a time, carries it out or hands it to the prefetch engine, and reports what
// is done.
//
// A command waits in a buffer until it can start: an activation for a free warp offset and until no
// register of the warp leaves the cache, an exit until no result of the warp is queued, every
// command of a warp until the engine has finished the one before. One done event a cycle: finished
// slots first, the lowest one first, then a command that needs no engine.
module ltrf_command_unit import heddle_port_pkg::*, ltrf_pkg::*; #(
  parameter int unsigned ResultWidth = 2
) (
  input  logic                                          clk_i,
  input  logic                                          rst_ni,
  input  command_t                                      command_i,
  output logic                                          command_ready_o,
  output done_t                                         done_o,
  input  slot_view_t  [NumSlots-1:0]                    slot_i,
  input  logic                                          offset_valid_i,
  input  slot_t                                         offset_i,
  input  queue_view_t [ResultWidth-1:0][QueueDepth-1:0] queue_i,
  output logic        [NumSlots-1:0]                    reported_o,     // its end is reported
  output warp_t                                         command_warp_o, // of what starts
  output logic        [IntervalBits-1:0]                command_interval_o,
  output index_t                                        command_value_o,
  output vector_t                                       command_vector_o,
  output logic                                          activate_o,
  output logic                                          deactivate_o,
  output logic                                          exit_o,
  output logic                                          prefetch_o,
  output logic                                          base_o,
  output slot_t                                         slot_o,         // with all but base
  output logic                                          set_write_o,    // working set := set_o
  output vector_t                                       set_o,
  output logic                                          wait_o
);

  typedef struct packed {
    logic [2:0]              op;
    warp_t                   warp;
    logic [IntervalBits-1:0] interval;
    index_t                  value;
    vector_t                 vector;
  } entry_t;

  entry_t   command_q;
  done_t    done_q, done_d;
  logic     full_q, ready_q;
  logic     match, match_ready, leaves, warp_queued, immediate, start;
  slot_t    match_slot;

  always_comb begin : find_slot
    match      = 1'b0;
    match_slot = '0;
    leaves     = 1'b0;
    for (int unsigned s = 0; s < NumSlots; s++) begin
      if (slot_i[s].state != SlotIdle && slot_i[s].warp == command_q.warp) begin
        match      = 1'b1;
        match_slot = slot_t'(s);
      end
      if (slot_i[s].leaving && slot_i[s].leave_warp == command_q.warp) leaves = 1'b1;
    end
  end

  always_comb begin : find_results
    warp_queued = 1'b0;
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      for (int unsigned e = 0; e < QueueDepth; e++) begin
        if (queue_i[p][e].valid && queue_i[p][e].warp == command_q.warp) warp_queued = 1'b1;
      end
    end
  end

  // The warps of all commands but activations and bases have a slot.
  assign match_ready = slot_i[match_slot].state == SlotReady;

  always_comb begin : decide
    activate_o   = 1'b0;
    deactivate_o = 1'b0;
    exit_o       = 1'b0;
    prefetch_o   = 1'b0;
    immediate    = 1'b0;
    unique case (command_q.op)
      CmdActivate:   activate_o   = full_q && !match && !leaves && offset_valid_i;
      CmdDeactivate: deactivate_o = full_q && match_ready;
      CmdPrefetch:   prefetch_o   = full_q && match_ready;
      CmdExit:       exit_o       = full_q && match_ready && !warp_queued;
      default:       immediate    = full_q;
    endcase
  end

  // ---- the done event ----
  logic [NumSlots-1:0] finished;
  logic                any_finished;
  slot_t               first_finished;

  for (genvar s = 0; s < NumSlots; s++) begin : gen_finished
    assign finished[s] = slot_i[s].finished;
  end

  lowest_bit #(
    .Width(NumSlots)
  ) u_finished (
    .set_i  (finished),
    .valid_o(any_finished),
    .bit_o  (reported_o),
    .index_o(first_finished)
  );

  always_comb begin : report
    done_d = '0;
    if (any_finished) begin
      done_d.valid    = 1'b1;
      done_d.warp     = slot_i[first_finished].warp;
      done_d.interval = slot_i[first_finished].interval;
      unique case (slot_i[first_finished].state)
        SlotEvict:   done_d.op = CmdDeactivate;
        SlotRelease: done_d.op = CmdExit;
        SlotFill:    done_d.op = CmdActivate;
        default:     done_d.op = CmdPrefetch;
      endcase
    end else if (immediate) begin
      done_d.valid    = 1'b1;
      done_d.op       = command_q.op;
      done_d.warp     = command_q.warp;
      done_d.interval = command_q.interval;
    end
  end

  logic immediate_start;
  assign immediate_start = immediate && !any_finished;
  assign start           = immediate_start || activate_o || deactivate_o || exit_o || prefetch_o;
  assign base_o          = immediate_start && command_q.op == CmdWarpBase;
  assign set_write_o     = prefetch_o || exit_o;
  assign set_o           = prefetch_o ? command_q.vector : '0;
  assign slot_o          = activate_o ? offset_i : match_slot;
  assign wait_o          = full_q && !start;
  assign command_warp_o     = command_q.warp;
  assign command_interval_o = command_q.interval;
  assign command_value_o    = command_q.value;
  assign command_vector_o   = command_q.vector;
  assign command_ready_o = ready_q;
  assign done_o          = done_q;

  // No mapping table and no power gating in this design.
  logic unused_command;
  assign unused_command = ^{command_i.index, command_i.gating};

  logic accept, full_d;
  assign accept = command_i.valid && ready_q;
  assign full_d = accept || (full_q && !start);

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      full_q  <= 1'b0;
      ready_q <= 1'b1;
      done_q  <= '0;
    end else begin
      full_q  <= full_d;
      ready_q <= !full_d;
      done_q  <= done_d;
    end
  end

  always_ff @(posedge clk_i) begin : payload
    if (accept) begin
      command_q <= '{op: command_i.op, warp: command_i.warp, interval: command_i.interval,
                     value: index_t'(command_i.value), vector: command_i.vector};
    end
  end

endmodule
