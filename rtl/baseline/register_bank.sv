// One bank of the register file, with a note of who asked for the data under way.
module register_bank
  import shell_pkg::*;
#(
  parameter  int unsigned RowsPerBank   = 128,
  parameter  int unsigned FullRowBits   = 12,  // of a row's number
  parameter  int unsigned NumCollectors = DefaultCollectors,
  parameter  int unsigned Lanes         = heddle_port_pkg::NumLanes,
  parameter  int unsigned LaneWidth     = heddle_port_pkg::LaneBits,
  localparam int unsigned CollectorBits = $clog2(NumCollectors),
  localparam int unsigned RowBits       = $clog2(RowsPerBank)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic [7:0]               bank_cycles_i,
  input  logic [2:0]               bank_eighths_i,
  input  logic [15:0]              rows_in_use_i,
  output logic                     ready_o,
  output logic                     busy_o,
  output logic                     row_fault_o,  // the granted row lies beyond the rows in use
  // from the arbiter: at most one of the two
  input  logic                     write_grant_i,
  input  logic [FullRowBits-1:0]   write_row_i,
  input  logic [Lanes-1:0]         write_mask_i,
  input  logic [Lanes-1:0][LaneWidth-1:0] write_data_i,
  input  logic                     read_grant_i,
  input  logic [FullRowBits-1:0]   read_row_i,
  input  logic [CollectorBits-1:0] read_collector_i,
  input  source_t                  read_source_i,
  // through the crossbar to the collectors
  output logic                     deliver_o,
  output logic [CollectorBits-1:0] deliver_collector_o,
  output source_t                  deliver_source_o,
  output logic [Lanes-1:0][LaneWidth-1:0] deliver_data_o
);

  logic [CollectorBits-1:0] collector_q;
  source_t                  source_q;
  logic [FullRowBits-1:0]   row;
  logic                     access;

  assign access      = write_grant_i || read_grant_i;
  assign row         = write_grant_i ? write_row_i : read_row_i;
  assign row_fault_o = access && 16'(row) >= rows_in_use_i;

  timed_bank #(
    .Rows    (RowsPerBank),
    .Lanes   (Lanes),
    .LaneBits(LaneWidth)
  ) u_bank (
    .clk_i,
    .rst_ni,
    .cycles_i    (bank_cycles_i),
    .eighths_i   (bank_eighths_i),
    .ready_o,
    .request_i   (access),
    .write_i     (write_grant_i),
    .address_i   (row[RowBits-1:0]),
    .lane_mask_i (write_mask_i),
    .write_data_i,
    .read_valid_o(deliver_o),
    .read_data_o (deliver_data_o),
    .busy_o
  );

  // The bank takes no access before the data under way are out, so one note is enough.
  always_ff @(posedge clk_i) begin : target
    if (read_grant_i) begin
      collector_q <= read_collector_i;
      source_q    <= read_source_i;
    end
  end

  assign deliver_collector_o = collector_q;
  assign deliver_source_o    = source_q;

endmodule
