// All banks, each with its request queue, write buffer, racetracks and position, and the request
// arbitrator that says which of them are served.
//
// What enters a queue or a write buffer comes with its place in the bank.
module racetrack_banks
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import racetrack_pkg::*;
#(
  parameter int unsigned NumBanks    = DefaultBanks,
  parameter int unsigned RowsPerBank = 128,
  parameter int unsigned Ports       = 8,
  parameter int unsigned Lanes       = NumLanes,
  parameter int unsigned LaneWidth   = LaneBits,
  parameter bit          MoveData    = 1'b0
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  timing_t             timing_i,
  // read requests: the collectors that ask, and whose request enters the queue
  input  collector_set_t      request_i         [NumBanks],
  output logic [NumBanks-1:0] grant_o,
  output collector_t          grant_collector_o [NumBanks],
  input  source_t             grant_source_i    [NumBanks],
  input  place_t              grant_place_i     [NumBanks],
  // results: the oldest one staged for a bank, and whether it enters the write buffer
  input  logic [NumBanks-1:0] staged_i,
  input  place_t              staged_place_i    [NumBanks],
  input  logic [Lanes-1:0]    staged_mask_i     [NumBanks],
  input  logic [Lanes-1:0][LaneWidth-1:0] staged_data_i [NumBanks],
  output logic [NumBanks-1:0] unstage_o,
  // through the crossbar to the collectors
  output logic [NumBanks-1:0] deliver_o,
  output target_t             deliver_target_o  [NumBanks],
  output logic [Lanes-1:0][LaneWidth-1:0] deliver_data_o [NumBanks],
  // to status and events
  output logic [NumBanks-1:0] reads_o,
  output logic [NumBanks-1:0] writes_o,
  output logic [NumBanks-1:0] shifts_o,
  output logic [NumBanks-1:0] preshifts_o,
  output logic [NumBanks-1:0] forward_o,
  output logic [NumBanks-1:0] read_waits_o,
  output logic [NumBanks-1:0] busy_o,
  output logic [NumBanks*PositionBits-1:0] positions_o
);

  logic [NumBanks-1:0] request, served, done, on_way;

  service_arbiter #(
    .NumBanks(NumBanks)
  ) u_arbiter (
    .clk_i,
    .rst_ni,
    .request_i(request),
    .done_i   (done),
    .served_o (served)
  );

  for (genvar b = 0; b < NumBanks; b++) begin : gen_bank
    place_t           read_place, write_place;
    target_t          read_target;
    logic             read_valid, read_pop, write_ready, write_valid, write_pop, covered;
    logic [Lanes-1:0] write_mask;
    bank_action_e     starts;

    logic [Lanes-1:0][LaneWidth-1:0] write_data, covered_data;

    assign unstage_o[b] = staged_i[b] && write_ready;

    read_queue u_reads (
      .clk_i,
      .rst_ni,
      .request_i  (request_i[b]),
      .grant_o    (grant_o[b]),
      .collector_o(grant_collector_o[b]),
      .source_i   (grant_source_i[b]),
      .place_i    (grant_place_i[b]),
      .valid_o    (read_valid),
      .place_o    (read_place),
      .target_o   (read_target),
      .pop_i      (read_pop)
    );

    bank_write_buffer #(
      .Lanes    (Lanes),
      .LaneWidth(LaneWidth)
    ) u_writes (
      .clk_i,
      .rst_ni,
      .ready_o     (write_ready),
      .push_i      (unstage_o[b]),
      .place_i     (staged_place_i[b]),
      .mask_i      (staged_mask_i[b]),
      .data_i      (staged_data_i[b]),
      .valid_o     (write_valid),
      .place_o     (write_place),
      .mask_o      (write_mask),
      .data_o      (write_data),
      .pop_i       (write_pop),
      .read_place_i(read_place),
      .covered_o   (covered),
      .read_data_o (covered_data)
    );

    racetrack_bank #(
      .Rows     (RowsPerBank),
      .Ports    (Ports),
      .Lanes    (Lanes),
      .LaneWidth(LaneWidth),
      .MoveData (MoveData)
    ) u_bank (
      .clk_i,
      .rst_ni,
      .timing_i,
      .staged_i        (staged_i[b]),
      .write_valid_i   (write_valid),
      .write_place_i   (write_place),
      .write_mask_i    (write_mask),
      .write_data_i    (write_data),
      .write_pop_o     (write_pop),
      .read_valid_i    (read_valid),
      .read_place_i    (read_place),
      .read_target_i   (read_target),
      .read_pop_o      (read_pop),
      .covered_i       (covered),
      .covered_data_i  (covered_data),
      .request_o       (request[b]),
      .served_i        (served[b]),
      .done_o          (done[b]),
      .deliver_o       (deliver_o[b]),
      .deliver_target_o(deliver_target_o[b]),
      .deliver_data_o  (deliver_data_o[b]),
      .starts_o        (starts),
      .on_way_o        (on_way[b]),
      .forward_o       (forward_o[b]),
      .read_waits_o    (read_waits_o[b]),
      .busy_o          (busy_o[b]),
      .position_o      (positions_o[b*PositionBits+:PositionBits])
    );

    assign reads_o[b]     = starts == BankRead;
    assign writes_o[b]    = starts == BankWrite;
    assign shifts_o[b]    = starts == BankShift && (served[b] || on_way[b]);
    assign preshifts_o[b] = starts == BankShift && !(served[b] || on_way[b]);
  end

endmodule
