// Register file of racetrack memory (Liang and Wang, JCST 2016): banks of racetracks that must
// shift a register to an access port, a read request queue and a two-entry write buffer a bank, at
// most four banks served at once, a loadable register mapping, and preshifting of banks that wait.
//
// Warp register w of warp slot s lies at index base[s] + w, whose bank and row are those of locate,
// linear or interleaved; the bank's mapping table says where the row lies. Collectors, dispatch and
// the staging of results are the shell's.
module racetrack_top
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import racetrack_pkg::*;
#(
  parameter int unsigned IssueWidth  = 2,
  parameter int unsigned ResultWidth = 2,
  parameter int unsigned NumBanks    = DefaultBanks,
  parameter int unsigned RowsPerBank = 128,
  parameter int unsigned Ports       = 8,
  parameter bit          MoveData    = 1'b0,
  `include "racetrack_events.svh"
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

  `include "racetrack_config.svh"

  localparam int unsigned BlockBits   = $clog2(BankBlocks);
  localparam int unsigned RowBits     = $clog2(RowsPerBank);
  localparam int unsigned FullRowBits = BaseBits - $clog2(NumBanks);  // of a row's number

  if (RowsPerBank != BankBlocks * BlockEntries) begin : gen_bad_rows
    $fatal(1, "RowsPerBank is 128");
  end

  config_t settings;

  config_capture u_config (
    .*,
    .config_o(settings)
  );

  // ---- collectors, results on their way to the write buffers of the banks, and commands ----
  collector_set_t         request [NumBanks];
  collector_t             winner [NumBanks];
  logic [NumBanks-1:0]    queue_grant, deliver, staged, unstage;
  source_t                read_source [NumBanks];
  logic [FullRowBits-1:0] read_row [NumBanks];
  target_t                deliver_target [NumBanks];
  collector_t             deliver_collector [NumBanks];
  source_t                deliver_source [NumBanks];
  data_t                  deliver_data [NumBanks];
  logic [FullRowBits-1:0] staged_row [NumBanks];
  mask_t                  staged_mask [NumBanks];
  data_t                  staged_data [NumBanks];
  front_events_t          front;

  register_front #(
    .IssueWidth (IssueWidth),
    .ResultWidth(ResultWidth),
    .NumBanks   (NumBanks)
  ) u_front (
    .*,
    .interleaved_i         (settings.own[InterleavedWord] != '0),
    .command_o             (),
    .carried_out_i         (1'b1),
    .base_o                (),
    .accept_o              (),
    .collector_o           (),
    .pending_o             (),
    .blocked_i             ('{default: '0}),
    .bank_o                (),
    .row_o                 (),
    .request_o             (request),
    .winner_i              (winner),
    .grant_i               (queue_grant),
    .read_source_o         (read_source),
    .read_row_o            (read_row),
    .deliver_i             (deliver),
    .deliver_collector_i   (deliver_collector),
    .deliver_source_i      (deliver_source),
    .deliver_data_i        (deliver_data),
    .write_queued_o        (staged),
    .write_row_o           (staged_row),
    .write_mask_o          (staged_mask),
    .write_data_o          (staged_data),
    .write_grant_i         (unstage),
    .events_o              (front)
  );

  // ---- register mapping ----
  // Map entry n loads block n mod BankBlocks of bank n div BankBlocks.
  logic                clear_map, load_map;
  logic [NumBanks-1:0] load_bank, read_fault, write_fault;
  place_t              read_place [NumBanks];
  place_t              staged_place [NumBanks];

  assign clear_map = front.port.command[CmdKernelStart];
  assign load_map  = front.port.command[CmdMapEntry];
  assign load_bank = NumBanks'(load_map) << (command_i.index >> BlockBits);

  for (genvar b = 0; b < NumBanks; b++) begin : gen_bank
    logic [FullRowBits-1:0] read_from, write_to;

    assign read_from            = read_row[b];
    assign write_to             = staged_row[b];
    assign read_fault[b]        = queue_grant[b] && 16'(read_from) >= settings.rows_per_bank;
    assign write_fault[b]       = unstage[b] && 16'(write_to) >= settings.rows_per_bank;
    assign deliver_collector[b] = deliver_target[b].collector;
    assign deliver_source[b]    = deliver_target[b].source;

    mapping_table #(
      .Rows (RowsPerBank),
      .Ports(Ports)
    ) u_map (
      .clk_i,
      .rst_ni,
      .clear_i      (clear_map),
      .load_i       (load_bank[b]),
      .block_i      (command_i.index[BlockBits-1:0]),
      .entries_i    (command_i.vector),
      .read_row_i   (read_from[RowBits-1:0]),
      .read_place_o (read_place[b]),
      .write_row_i  (write_to[RowBits-1:0]),
      .write_place_o(staged_place[b])
    );
  end

  // ---- banks ----
  logic [NumBanks-1:0] busy, forward, waits;
  logic [NumBanks-1:0] reads, writes, shifts, preshifts;
  logic [NumBanks*PositionBits-1:0] positions;
  timing_t timing;

  assign timing = '{
    shift_release: settings.own[ShiftReleaseWord] != '0,
    preshift:      settings.preshift,
    shift:         settings.shift_cycles,
    write:         settings.write_cycles,
    read:          settings.bank_cycles
  };

  racetrack_banks #(
    .NumBanks   (NumBanks),
    .RowsPerBank(RowsPerBank),
    .Ports      (Ports),
    .MoveData   (MoveData)
  ) u_banks (
    .clk_i,
    .rst_ni,
    .timing_i         (timing),
    .request_i        (request),
    .grant_o          (queue_grant),
    .grant_collector_o(winner),
    .grant_source_i   (read_source),
    .grant_place_i    (read_place),
    .staged_i         (staged),
    .staged_place_i   (staged_place),
    .staged_mask_i    (staged_mask),
    .staged_data_i    (staged_data),
    .unstage_o        (unstage),
    .deliver_o        (deliver),
    .deliver_target_o (deliver_target),
    .deliver_data_o   (deliver_data),
    .reads_o          (reads),
    .writes_o         (writes),
    .shifts_o         (shifts),
    .preshifts_o      (preshifts),
    .forward_o        (forward),
    .read_waits_o     (waits),
    .busy_o           (busy),
    .positions_o      (positions)
  );

  assign status_o.bank_busy = MaxBanks'(busy);

  // ---- events ----
  events_t events;

  assign events = '{
    main_bank_read:     reads,
    main_bank_write:    writes,
    shift:              shifts,
    preshift:           preshifts,
    collector_alloc:    front.allocated,
    collector_dispatch: front.dispatched,
    write_buffer_write: unstage,
    write_buffer_read:  forward,
    read_queued:        queue_grant,
    read_wait:          waits,
    result_accept:      front.port.result_accept,
    operand_stall:      front.port.operand_stall,
    issue_stall:        front.port.issue_stall,
    result_stall:       front.port.result_stall,
    command:            front.port.command,
    row_fault:          (read_fault | write_fault) != '0 || front.beyond,
    staged_results:     front.level,
    position:           positions,
    default:            '0
  };

  event_register #(
    .Width($bits(events_t))
  ) u_events (
    .*,
    .events_i(events)
  );

endmodule
