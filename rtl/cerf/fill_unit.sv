// Lines that come back from L2: into the integrated memory, and to the loads that wait for them.
//
// L2 is always accepted: each MSHR has a row of the line buffer. One line at a time is placed by
// its tag bank and then answered, one waiting request a cycle. What comes back for an access that
// went past the memory is answered only, a register is placed only. Results for a register that is
// on its way are put into its row; the lanes that they wrote are not overwritten when it comes.
module fill_unit
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input  logic     clk_i,
  input  logic     rst_ni,
  // from L2
  input  mem_lower_response_t lower_response_i,
  input  data_t    lower_response_data_i,
  // from the memory unit: a request that waits
  input  logic     wait_i,
  input  mshr_t    wait_mshr_i,
  input  merge_t   wait_slot_i,
  input  waiting_t waiting_i,
  input  logic     allocate_i,       // an MSHR is taken
  input  mshr_t    allocate_mshr_i,
  // from the tag banks: a result for a register that is on its way
  input  logic     deposit_i,
  input  logic     deposit_fresh_i,  // the first, which fetches the register
  input  mshr_t    deposit_mshr_i,
  input  logic [NumLanes-1:0] deposit_mask_i,
  input  data_t    deposit_data_i,
  // from and to the MSHRs
  output mshr_t    returned_o,
  output logic     close_o,
  output logic     release_o,
  input  logic     fetches_i,
  input  logic     register_i,    // `returned_o` is a register
  input  merge_t   last_i,
  // to and from the tag bank
  output logic     fill_o,
  output data_t    line_data_o,
  input  logic     filled_i,
  // to and from the response register
  output logic     answer_o,
  output waiting_t answer_waiting_o,
  input  logic     answered_i,
  // to the port
  output logic     idle_o
);

  typedef enum logic [1:0] {
    FillIdle   = 2'd0,
    FillPlace  = 2'd1,
    FillAnswer = 2'd2
  } phase_e;

  phase_e             phase_q;
  mshr_t              id_q, next_id;
  merge_t             slot_q, read_slot;
  logic [NumLanes-1:0] written_q [NumMshrs];  // by results, since the register was fetched
  logic               waits, start, read_waiting, last, placed;
  mshr_t              arrived;

  assign arrived = lower_response_i.id[MshrBits-1:0];
  assign start   = phase_q == FillIdle && waits;
  assign last    = slot_q == last_i;

  assign returned_o = start ? next_id : id_q;
  assign close_o    = start;
  assign fill_o     = phase_q == FillPlace;
  assign answer_o   = phase_q == FillAnswer;
  assign placed     = fill_o && filled_i;
  assign release_o  = (answer_o && answered_i && last) || (placed && register_i);
  assign idle_o     = phase_q == FillIdle && !waits;

  // ---- the lines that have come ----
  fifo #(
    .Depth (NumMshrs),
    .item_t(mshr_t)
  ) u_arrived (
    .clk_i,
    .rst_ni,
    .push_i (lower_response_i.valid),
    .item_i (arrived),
    .room_o (),
    .valid_o(waits),
    .item_o (next_id),
    .pop_i  (start),
    .count_o()
  );

  // ---- the requests that wait ----
  assign read_waiting = start || (answer_o && answered_i && !last);
  assign read_slot    = start ? '0 : slot_q + merge_t'(1);

  sram_1r1w #(
    .Rows    (NumMshrs * NumMerges),
    .Lanes   (1),
    .LaneBits($bits(waiting_t))
  ) u_waiting (
    .clk_i,
    .read_i         (read_waiting),
    .read_address_i ({returned_o, read_slot}),
    .read_data_o    (answer_waiting_o),
    .write_i        (wait_i),
    .write_address_i({wait_mshr_i, wait_slot_i}),
    .lane_mask_i    (1'b1),
    .write_data_i   (waiting_i)
  );

  // ---- the lines ----
  sram_1r1w #(
    .Rows    (NumMshrs),
    .Lanes   (NumLanes),
    .LaneBits(LaneBits)
  ) u_lines (
    .clk_i,
    .read_i         (start),
    .read_address_i (next_id),
    .read_data_o    (line_data_o),
    .write_i        (lower_response_i.valid || deposit_i),
    .write_address_i(lower_response_i.valid ? arrived : deposit_mshr_i),
    .lane_mask_i    (lower_response_i.valid ? ~written_q[arrived] : deposit_mask_i),
    .write_data_i   (lower_response_i.valid ? lower_response_data_i : deposit_data_i)
  );

  always_ff @(posedge clk_i) begin : merge
    if (allocate_i) written_q[allocate_mshr_i] <= '0;
    if (deposit_i) begin
      written_q[deposit_mshr_i] <= deposit_mask_i |
                                   (deposit_fresh_i ? '0 : written_q[deposit_mshr_i]);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      phase_q <= FillIdle;
    end else begin
      if (start) begin
        phase_q <= fetches_i ? FillPlace : FillAnswer;
      end else if (placed && !register_i) begin
        phase_q <= FillAnswer;
      end else if (release_o) begin
        phase_q <= FillIdle;
      end
    end
  end

  always_ff @(posedge clk_i) begin : payload
    if (start) id_q <= next_id;
    if (start) slot_q <= '0;
    else if (read_waiting) slot_q <= read_slot;
  end

endmodule
