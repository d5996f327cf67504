// The main register file behind the narrow crossbar: single-ported banks of configurable access
// time, NumLaneBanks of them at each lane. An access occupies its bank for bank_busy_cycles_i
// cycles, and the word of a fetch comes bank_cycles_i cycles after it was granted: the rest it is
// on its way to the bank, where a lane has one bank. Both are bank_eighths_i / 8 of a cycle more
// on average.
//
// A lane has 256 bits in either direction. Inbound, a register (write-back or result) waits in the
// lane's buffer at the cache's side, crosses and is written; outbound, it goes from its bank's
// output register, these in rotating order, into the lane's buffer at the banks' side and crosses.
// A bank starts a read only when its output register is empty or is emptied. When a write and a
// read want a bank, the kind that was not served last goes first.
module main_register_file import ltrf_pkg::*; #(
  parameter int unsigned ResultWidth  = 2,
  parameter int unsigned NumLaneBanks = 1,
  parameter int unsigned RowsPerBank  = 128,
  parameter int unsigned PathDepth    = 4,    // fetches on their way to a bank, at most
  parameter int unsigned Lanes        = 32,   // words of a register
  parameter int unsigned LaneWidth    = 32,
  parameter int unsigned NumPending   = (NumLaneBanks == 1) ? PathDepth + 1 : NumLaneBanks
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic        [7:0]               bank_cycles_i,
  input  logic        [7:0]               bank_busy_cycles_i,
  input  logic        [2:0]               bank_eighths_i,
  input  logic        [7:0]               crossbar_cycles_i,
  // towards the banks: a write-back, whose data the cache has in the next cycle, or a result
  input  logic        [NumMainBanks-1:0]  write_back_i,
  input  row_t        [NumMainBanks-1:0]  write_back_row_i,
  input  cache_bank_t [NumMainBanks-1:0]  write_back_bank_i,
  input  logic        [NumCacheBanks-1:0][Lanes-1:0][LaneWidth-1:0] cache_data_i,
  input  logic        [ResultWidth-1:0]   result_i,
  input  index_t      [ResultWidth-1:0]   result_index_i,
  input  logic        [ResultWidth-1:0][Lanes-1:0] result_mask_i,
  input  logic        [ResultWidth-1:0][Lanes-1:0][LaneWidth-1:0] result_data_i,
  output logic        [NumMainBanks-1:0]  inbound_free_o,      // for a start
  output logic        [NumMainBanks-1:0]  inbound_busy_o,
  output row_t        [NumMainBanks-1:0]  inbound_busy_row_o,
  output logic        [NumMainBanks-1:0]  inbound_valid_o,
  output row_t        [NumMainBanks-1:0]  inbound_row_o,
  output logic        [NumMainBanks-1:0]  inbound_beat_o,
  // from the banks
  output logic        [NumMainBanks-1:0][NumLaneBanks-1:0] read_ready_o,
  input  logic        [NumMainBanks-1:0]  read_i,
  input  row_t        [NumMainBanks-1:0]  read_row_i,
  input  outbound_t   [NumMainBanks-1:0]  read_meta_i,
  // granted, not yet in the lane: read, or on its way to the bank
  output logic        [NumMainBanks-1:0][NumPending-1:0] pending_o,
  output row_t        [NumMainBanks-1:0][NumPending-1:0] pending_row_o,
  output logic        [NumMainBanks-1:0]  outbound_busy_o,
  output row_t        [NumMainBanks-1:0]  outbound_busy_row_o,
  output logic        [NumMainBanks-1:0]  outbound_beat_o,
  output logic        [NumMainBanks-1:0]  outbound_valid_o,
  output row_t        [NumMainBanks-1:0]  outbound_row_o,
  output outbound_t   [NumMainBanks-1:0]  outbound_o,
  output logic        [NumMainBanks-1:0][Lanes-1:0][LaneWidth-1:0] outbound_data_o,
  input  logic        [NumMainBanks-1:0]  outbound_take_i,
  // status and events
  output logic        [NumLaneBanks-1:0][NumMainBanks-1:0] bank_read_o,
  output logic        [NumLaneBanks-1:0][NumMainBanks-1:0] bank_write_o,
  output logic        [NumLaneBanks-1:0][NumMainBanks-1:0] bank_busy_o
);

  localparam int unsigned AddressBits = (RowsPerBank > 1) ? $clog2(RowsPerBank) : 1;
  localparam int unsigned PortBits    = (ResultWidth > 1) ? $clog2(ResultWidth) : 1;
  localparam int unsigned BankBits    = $clog2(NumLaneBanks);  // of a row: which bank of the lane
  localparam int unsigned NumLaneBits = (NumLaneBanks > 1) ? BankBits : 1;

  logic [NumMainBanks-1:0]               result_start;
  logic [NumMainBanks-1:0][PortBits-1:0] result_port;

  always_comb begin : sort_results
    result_start = '0;
    result_port  = '0;
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      if (result_i[p]) begin
        result_start[result_index_i[p].bank] = 1'b1;
        result_port[result_index_i[p].bank]  = PortBits'(p);
      end
    end
  end

  for (genvar b = 0; b < NumMainBanks; b++) begin : gen_lanes
    row_t      start_row, inbound_row, outbound_start_row;
    outbound_t outbound_start_meta;
    logic      inbound_valid, inbound_take, outbound_free, outbound_start;
    logic      write_back_q;
    cache_bank_t write_back_bank_q;

    logic [Lanes-1:0] start_mask, inbound_mask;
    logic [Lanes-1:0][LaneWidth-1:0] inbound_data, outbound_start_data;
    logic [Lanes-1:0][LaneWidth-1:0] buffer_q;           // sender's buffer of the inbound lane
    logic [Lanes-1:0][LaneWidth-1:0] outbound_buffer_q;  // sender's buffer of the outbound lane

    // The row and mask that go with the data.
    always_comb begin : inbound_start
      start_row  = result_index_i[result_port[b]].row;
      start_mask = result_mask_i[result_port[b]];
      if (write_back_i[b]) begin
        start_row  = write_back_row_i[b];
        start_mask = '1;
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin : write_back_stage
      if (!rst_ni) write_back_q <= 1'b0;
      else write_back_q <= write_back_i[b];
    end

    always_ff @(posedge clk_i) begin : sender
      if (write_back_i[b]) write_back_bank_q <= write_back_bank_i[b];
      if (write_back_q) buffer_q <= cache_data_i[write_back_bank_q];
      else if (result_start[b]) buffer_q <= result_data_i[result_port[b]];
    end

    crossbar_lane #(
      .MetaBits (Lanes),
      .Lanes    (Lanes),
      .LaneWidth(LaneWidth)
    ) u_inbound (
      .clk_i,
      .rst_ni,
      .cycles_i   (crossbar_cycles_i),
      .start_i    (write_back_i[b] || result_start[b]),
      .late_i     (write_back_i[b]),
      .row_i      (start_row),
      .meta_i     (start_mask),
      .data_i     (buffer_q),
      .free_o     (inbound_free_o[b]),
      .busy_o     (inbound_busy_o[b]),
      .busy_row_o (inbound_busy_row_o[b]),
      .beat_o     (inbound_beat_o[b]),
      .valid_o    (inbound_valid),
      .row_o      (inbound_row),
      .meta_o     (inbound_mask),
      .data_o     (inbound_data),
      .take_i     (inbound_take)
    );

    assign inbound_valid_o[b] = inbound_valid;
    assign inbound_row_o[b]   = inbound_row;

    // ---- the banks of the lane ----
    logic      [NumLaneBanks-1:0] data_there, outbound_grant, written;
    row_t      [NumLaneBanks-1:0] bank_row;
    outbound_t [NumLaneBanks-1:0] bank_meta;

    logic [NumLaneBanks-1:0][Lanes-1:0][LaneWidth-1:0] bank_data;

    assign inbound_take = |written;

    for (genvar k = 0; k < NumLaneBanks; k++) begin : gen_banks
      logic       read, read_here, write_here, bank_ready, bank_request, bank_write, read_valid;
      logic       bank_open, pending_q, waiting_q, wrote_q, leaves;
      row_t       read_row, pending_row_q;
      outbound_t  read_meta, pending_meta_q;
      logic [AddressBits-1:0] address;

      if (NumLaneBanks == 1) begin : gen_path
        logic [PathDepth-1:0] on_way;
        row_t [PathDepth-1:0] on_way_row;

        assign read_here  = read_i[b];
        assign write_here = inbound_valid;

        fetch_path #(.Depth(PathDepth)) u_path (
          .clk_i,
          .rst_ni,
          .delay_i   (bank_cycles_i - bank_busy_cycles_i),
          .ready_o   (read_ready_o[b][k]),
          .read_i    (read_here),
          .row_i     (read_row_i[b]),
          .meta_i    (read_meta_i[b]),
          .open_i    (bank_open),
          .start_o   (read),
          .row_o     (read_row),
          .meta_o    (read_meta),
          .held_o    (on_way),
          .held_row_o(on_way_row)
        );

        assign pending_o[b]     = {pending_q, on_way};
        assign pending_row_o[b] = {pending_row_q, on_way_row};
      end else begin : gen_direct
        assign read_here           = read_i[b] && read_row_i[b][BankBits-1:0] == BankBits'(k);
        assign write_here          = inbound_valid && inbound_row[BankBits-1:0] == BankBits'(k);
        assign read_ready_o[b][k]  = bank_open;
        assign read                = read_here;
        assign read_row            = read_row_i[b];
        assign read_meta           = read_meta_i[b];
        assign pending_o[b][k]     = pending_q;
        assign pending_row_o[b][k] = pending_row_q;

        logic unused_latency;
        assign unused_latency = ^bank_cycles_i;
      end

      // The bank's single port.
      assign data_there[k]      = read_valid || waiting_q;
      assign leaves             = outbound_grant[k] && outbound_free;
      assign bank_open          = bank_ready && (!pending_q || leaves) &&
                                  !(write_here && !wrote_q);
      assign bank_write         = write_here && !read;
      assign bank_request       = bank_write || read;
      assign written[k]         = bank_write && bank_ready;
      assign bank_read_o[k][b]  = read;
      assign bank_write_o[k][b] = written[k];
      assign address            = AddressBits'((read ? read_row : inbound_row) >> BankBits);

      always_ff @(posedge clk_i or negedge rst_ni) begin : turn
        if (!rst_ni) wrote_q <= 1'b0;
        else if (read || written[k]) wrote_q <= written[k];
      end

      timed_bank #(
        .Rows    (RowsPerBank),
        .Lanes   (Lanes),
        .LaneBits(LaneWidth)
      ) u_bank (
        .clk_i,
        .rst_ni,
        .cycles_i    (bank_busy_cycles_i),
        .eighths_i   (bank_eighths_i),
        .ready_o     (bank_ready),
        .request_i   (bank_request),
        .write_i     (bank_write),
        .address_i   (address),
        .lane_mask_i (inbound_mask),
        .write_data_i(inbound_data),
        .read_valid_o(read_valid),
        .read_data_o (bank_data[k]),
        .busy_o      (bank_busy_o[k][b])
      );

      always_ff @(posedge clk_i or negedge rst_ni) begin : output_register
        if (!rst_ni) begin
          pending_q <= 1'b0;
          waiting_q <= 1'b0;
        end else begin
          if (read) pending_q <= 1'b1;
          else if (leaves) pending_q <= 1'b0;
          waiting_q <= data_there[k] && !leaves;
        end
      end

      always_ff @(posedge clk_i) begin : output_payload
        if (read) begin
          pending_row_q  <= read_row;
          pending_meta_q <= read_meta;
        end
      end

      assign bank_row[k]  = pending_row_q;
      assign bank_meta[k] = pending_meta_q;
    end

    // ---- from the banks into the lane ----
    logic                        any_there;
    logic [NumLaneBits-1:0]      outbound_bank;

    rr_arbiter #(.Width(NumLaneBanks)) u_out (
      .clk_i,
      .rst_ni,
      .request_i(data_there),
      .advance_i(outbound_free),
      .valid_o  (any_there),
      .grant_o  (outbound_grant),
      .index_o  (outbound_bank)
    );

    assign outbound_start      = any_there && outbound_free;
    assign outbound_start_row  = bank_row[outbound_bank];
    assign outbound_start_meta = bank_meta[outbound_bank];
    assign outbound_start_data = bank_data[outbound_bank];

    always_ff @(posedge clk_i) begin : outbound_sender
      if (outbound_start) outbound_buffer_q <= outbound_start_data;
    end

    crossbar_lane #(
      .MetaBits ($bits(outbound_t)),
      .Lanes    (Lanes),
      .LaneWidth(LaneWidth)
    ) u_outbound (
      .clk_i,
      .rst_ni,
      .cycles_i   (crossbar_cycles_i),
      .start_i    (outbound_start),
      .late_i     (1'b0),
      .row_i      (outbound_start_row),
      .meta_i     (outbound_start_meta),
      .data_i     (outbound_buffer_q),
      .free_o     (outbound_free),
      .busy_o     (outbound_busy_o[b]),
      .busy_row_o (outbound_busy_row_o[b]),
      .beat_o     (outbound_beat_o[b]),
      .valid_o    (outbound_valid_o[b]),
      .row_o      (outbound_row_o[b]),
      .meta_o     (outbound_o[b]),
      .data_o     (outbound_data_o[b]),
      .take_i     (outbound_take_i[b])
    );
  end

endmodule
