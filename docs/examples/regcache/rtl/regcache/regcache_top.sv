// A write-through register cache before the conventional register file.
//
// What an instruction finds in its warp's cache is read while it is issued; the register file behind
// collects the rest. Its operands then pass one more register, where both come together.
module regcache_top
  import heddle_port_pkg::*;
  import shell_pkg::*;
#(
  parameter int unsigned IssueWidth  = 2,
  parameter int unsigned ResultWidth = 2,
  parameter int unsigned NumBanks    = DefaultBanks,
  parameter int unsigned RowsPerBank = 128,
  parameter int unsigned SubCores    = 1,
  parameter int unsigned Entries     = 4,  // of a warp
  `include "regcache_events.svh"
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  config_t                     config_i,
  // from the SM's issue stage
  input  issue_t    [IssueWidth-1:0]  issue_i,
  output logic      [IssueWidth-1:0]  issue_ready_o,
  // to the SM's dispatch stage
  output operands_t [IssueWidth-1:0]  operands_o,
  output logic      [IssueWidth-1:0][NumSources-1:0][NumLanes-1:0][31:0] operand_data_o,
  input  logic      [IssueWidth-1:0]  operands_ready_i,
  // from the SM's write-back stage
  input  result_t   [ResultWidth-1:0] result_i,
  input  logic      [ResultWidth-1:0][NumLanes-1:0][31:0] result_data_i,
  output logic      [ResultWidth-1:0] result_ready_o,
  // from and to the SM's warp scheduler and CTA launch
  input  command_t                    command_i,
  output logic                        command_ready_o,
  output done_t                       done_o,
  output status_t                     status_o,
  output logic [$bits(events_t)-1:0]  events_o
);

  localparam int unsigned OwnEvents  = 2 * (IssueWidth * NumSources + ResultWidth) + 5;
  localparam int unsigned FileEvents = $bits(events_t) - OwnEvents;

  // ---- the register file behind ----
  issue_t    [IssueWidth-1:0] file_issue;
  operands_t [IssueWidth-1:0] file_operands;
  data_t     [IssueWidth-1:0][NumSources-1:0] file_data, operand_data_q;
  logic      [IssueWidth-1:0] file_taken, room, offered_q;
  logic      [IssueWidth-1:0][TagBits-1:0] tag_q;
  logic      [FileEvents-1:0] file_events;

  baseline_top #(
    .IssueWidth (IssueWidth),
    .ResultWidth(ResultWidth),
    .NumBanks   (NumBanks),
    .RowsPerBank(RowsPerBank),
    .SubCores   (SubCores)
  ) u_baseline (
    .*,
    .issue_i         (file_issue),
    .operands_o      (file_operands),
    .operand_data_o  (file_data),
    .operands_ready_i(room),
    .events_o        (file_events)
  );

  // ---- the cache ----
  logic        [IssueWidth-1:0]  accept;
  source_set_t [IssueWidth-1:0]  hit, found;
  data_t       [IssueWidth-1:0][NumSources-1:0] hit_data, found_data;
  logic        [ResultWidth-1:0] result_accept, update, allocate;
  logic                          command;
  logic        [DefaultCollectors+IssueWidth-1:0] kept;

  assign command = command_i.valid && command_ready_o;

  for (genvar port = 0; port < ResultWidth; port++) begin : gen_result
    assign result_accept[port] = result_i[port].valid && result_ready_o[port];
  end

  warp_cache #(
    .IssueWidth (IssueWidth),
    .ResultWidth(ResultWidth),
    .Entries    (Entries)
  ) u_cache (
    .*,
    .clear_i     (command && command_i.op == CmdWarpBase),
    .clear_all_i (command && command_i.op == CmdKernelStart),
    .clear_warp_i(command_i.warp),
    .hit_o       (hit),
    .data_o      (hit_data),
    .accept_i    (result_accept),
    .update_o    (update),
    .allocate_o  (allocate)
  );

  hit_store #(
    .IssueWidth(IssueWidth)
  ) u_hits (
    .*,
    .accept_i  (accept),
    .hit_i     (hit),
    .data_i    (hit_data),
    .take_i    (file_taken),
    .operands_i(file_operands),
    .hit_o     (found),
    .data_o    (found_data),
    .in_use_o  (kept)
  );

  // ---- issue and operands ----
  for (genvar slot = 0; slot < IssueWidth; slot++) begin : gen_slot
    assign accept[slot] = issue_i[slot].valid && issue_ready_o[slot];

    always_comb begin : rest
      file_issue[slot]              = issue_i[slot];
      file_issue[slot].source_valid = issue_i[slot].source_valid & ~hit[slot];
    end

    assign room[slot]       = !offered_q[slot] || operands_ready_i[slot];
    assign file_taken[slot] = file_operands[slot].valid && room[slot];

    assign operands_o[slot] = '{valid: offered_q[slot], tag: tag_q[slot]};

    always_ff @(posedge clk_i or negedge rst_ni) begin : offer
      if (!rst_ni) begin
        offered_q[slot] <= 1'b0;
      end else if (room[slot]) begin
        offered_q[slot] <= file_operands[slot].valid;
      end
    end

    always_ff @(posedge clk_i) begin : merge
      if (file_taken[slot]) begin
        tag_q[slot] <= file_operands[slot].tag;
        for (int unsigned s = 0; s < NumSources; s++) begin
          operand_data_q[slot][s] <= found[slot][s] ? found_data[slot][s] : file_data[slot][s];
        end
      end
    end
  end

  assign operand_data_o = operand_data_q;

  // ---- events ----
  events_t events, events_q;

  always_comb begin : happened
    events                = '0;
    events.cache_update   = update;
    events.cache_allocate = allocate;
    events.hits_kept      = 5'($countones(kept));
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      if (accept[slot]) begin
        events.cache_hit[slot*NumSources+:NumSources]  = hit[slot];
        events.cache_miss[slot*NumSources+:NumSources] = file_issue[slot].source_valid;
      end
    end
  end

  event_register #(
    .Width($bits(events_t))
  ) u_events (
    .*,
    .events_i(events),
    .events_o(events_q)
  );

  assign events_o = events_q | $bits(events_t)'(file_events);

endmodule
