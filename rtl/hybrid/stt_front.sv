// What the register file of STT-RAM does with and without write buffers: commands are answered,
// operands are read one instruction after the other, results wait in their order, and the STT-RAM
// itself.
//
// The design says when reads stop, which results are written and where to, and may put other data
// in the place of operands that arrive.
module stt_front
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
#(
  parameter  int unsigned IssueWidth  = 2,
  parameter  int unsigned ResultWidth = 2,
  parameter  int unsigned RowsPerBank = 64,
  localparam int unsigned Places      = 2 ** $clog2(2 * ResultWidth)  // of the result queue
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic [7:0]                  read_cycles_i,
  input  logic [7:0]                  write_cycles_i,
  // from the SM's issue stage
  input  issue_t    [IssueWidth-1:0]  issue_i,
  output logic      [IssueWidth-1:0]  issue_ready_o,
  // to the SM's dispatch stage
  output operands_t [IssueWidth-1:0]  operands_o,
  output data_t     [IssueWidth-1:0][NumSources-1:0] operand_data_o,
  input  logic      [IssueWidth-1:0]  operands_ready_i,
  // from the SM's write-back stage
  input  result_t   [ResultWidth-1:0] result_i,
  input  data_t     [ResultWidth-1:0] result_data_i,
  output logic      [ResultWidth-1:0] result_ready_o,
  // from and to the SM's warp scheduler and CTA launch
  input  command_t                    command_i,
  output logic                        command_ready_o,
  output done_t                       done_o,
  // commands: to and from the design
  output command_t                    command_o,
  input  logic                        carried_out_i,
  output index_t                      base_o [NumWarps],
  // the instruction that is read
  output warp_t                       reader_warp_o,
  output number_t                     number_o [NumSources],
  output source_set_t                 wanted_o,
  input  logic                        stop_i,         // no read may begin
  input  source_set_t                 pending_i,      // sources whose result is not yet written
  input  source_set_t                 hit_i,          // sources that lie in a write buffer
  input  slot_t                       hit_slot_i [NumSources],
  output source_set_t                 grant_o,
  output array_set_t                  reads_o [SttBanks],
  // operands that arrive: as they lie in the STT-RAM, and as they are
  output logic [SttBanks-1:0]         arrive_o,
  output data_t                       stt_data_o [SttBanks][NumSources],
  input  data_t                       operand_i [SttBanks][NumSources],
  // results that are not yet written: all, and the oldest one
  output logic      [Places-1:0]      held_o,
  output staged_t                     held_entry_o [Places],
  output logic                        staged_o,
  output staged_t                     oldest_o,
  output data_t                       oldest_data_o,
  input  logic                        pop_i,
  // the STT-RAM: one write a bank
  output logic [SttBanks-1:0]         bank_ready_o,
  output logic [SttBanks-1:0]         writing_o,      // a write began earlier and is under way
  output logic [SttBanks-1:0]         busy_o,         // the bank was occupied in the cycle before
  input  logic [SttBanks-1:0]         write_i,
  input  address_t                    write_address_i [SttBanks],
  input  mask_t                       write_mask_i [SttBanks],
  input  data_t                       write_data_i [SttBanks],
  // to the events
  output front_events_t               events_o,
  output logic                        conflict_o,     // a source waits for a lower one
  output logic                        result_wait_o   // one waits for a result that is not written
);

  localparam int unsigned NumCollectors = DefaultCollectors;
  localparam int unsigned NumPorts      = SttBanks * NumSources;

  if (RowsPerBank * DefaultBanks != SttBanks * ArraysPerBank * ArrayRows) begin : gen_bad_rows
    $fatal(1, "RowsPerBank is 64");
  end
  if (ResultWidth < 1 || ResultWidth > MaxWidth) begin : gen_bad_width
    $fatal(1, "ResultWidth is 1 to 4");
  end

  // ---- commands ----
  command_port u_commands (
    .*,
    .registers_per_thread_o(events_o.registers_per_thread),
    .accepted_o            (events_o.port.command)
  );

  // ---- operands ----
  logic [IssueWidth-1:0] accept, issue_stall, operand_stall;
  collector_t            collector [IssueWidth];
  source_set_t           left [NumCollectors];
  source_set_t           granted [NumCollectors];
  collector_set_t        hold;
  address_t              address [NumSources];
  collector_t            arrive_collector [SttBanks];
  source_set_t           arrive_sources [SttBanks];

  oldest_reader #(
    .IssueWidth   (IssueWidth),
    .NumCollectors(NumCollectors)
  ) u_reader (
    .*,
    .accept_i          (accept),
    .collector_i       (collector),
    .allocated_i       (events_o.allocated),
    .left_i            (left),
    .base_i            (base_o),
    .granted_o         (granted),
    .hold_o            (hold),
    .warp_o            (reader_warp_o),
    .address_o         (address),
    .slot_i            (hit_slot_i),
    .arrive_collector_o(arrive_collector),
    .arrive_sources_o  (arrive_sources)
  );

  // Source s from bank k comes through port k * NumSources + s.
  logic [NumPorts-1:0] deliver;
  collector_t          deliver_collector [NumPorts];
  source_t             deliver_source [NumPorts];
  data_t               deliver_data [NumPorts];

  for (genvar k = 0; k < SttBanks; k++) begin : gen_bank
    for (genvar s = 0; s < NumSources; s++) begin : gen_source
      assign deliver[k*NumSources+s]           = arrive_o[k] && arrive_sources[k][s];
      assign deliver_collector[k*NumSources+s] = arrive_collector[k];
      assign deliver_source[k*NumSources+s]    = source_t'(s);
      assign deliver_data[k*NumSources+s]      = operand_i[k][s];
    end
  end

  operand_front #(
    .IssueWidth   (IssueWidth),
    .NumCollectors(NumCollectors),
    .NumPorts     (NumPorts),
    .InOrder      (1'b1)
  ) u_operands (
    .*,
    .accept_o           (accept),
    .collector_o        (collector),
    .pending_o          (left),
    .granted_i          (granted),
    .hold_i             (hold),
    .deliver_i          (deliver),
    .deliver_collector_i(deliver_collector),
    .deliver_source_i   (deliver_source),
    .deliver_data_i     (deliver_data),
    .allocated_o        (events_o.allocated),
    .dispatched_o       (events_o.dispatched),
    .in_use_o           (events_o.in_use),
    .issue_stall_o      (issue_stall),
    .operand_stall_o    (operand_stall)
  );

  // ---- results ----
  logic [ResultWidth-1:0] result_accept, result_stall;

  result_queue #(
    .ResultWidth(ResultWidth)
  ) u_results (
    .*,
    .base_i  (base_o),
    .valid_o (staged_o),
    .accept_o(result_accept),
    .stall_o (result_stall),
    .level_o (events_o.level)
  );

  // ---- STT-RAM ----
  sttram_banks u_banks (
    .*,
    .ready_o        (bank_ready_o),
    .bank_i         (reader_warp_o[0]),
    .grant_i        (grant_o),
    .address_i      (address),
    .data_o         (stt_data_o)
  );

  // An address has no more bits than the arrays have rows.
  assign events_o.beyond             = 1'b0;
  assign events_o.port.result_accept = MaxWidth'(result_accept);
  assign events_o.port.result_stall  = MaxWidth'(result_stall);
  assign events_o.port.issue_stall   = MaxWidth'(issue_stall);
  assign events_o.port.operand_stall = MaxWidth'(operand_stall);

endmodule
