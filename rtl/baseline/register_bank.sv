// One bank of the register file, with a note of who asked for the data under way.
module register_bank
  import heddle_port_pkg::*;
  import baseline_pkg::*;
#(
  parameter  int unsigned RowsPerBank = 128,
  localparam int unsigned RowBits     = $clog2(RowsPerBank)
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [7:0]  bank_cycles_i,
  input  logic [15:0] rows_in_use_i,
  output logic        ready_o,
  output logic        busy_o,
  output logic        row_fault_o,  // the granted row lies beyond the rows in use
  // from the arbiter: at most one of the two
  input  logic        write_grant_i,
  input  write_t      write_i,
  input  data_t       write_data_i,
  input  logic        read_grant_i,
  input  row_t        read_row_i,
  input  collector_t  read_collector_i,
  input  source_t     read_source_i,
  // through the crossbar to the collectors
  output logic        deliver_o,
  output collector_t  deliver_collector_o,
  output source_t     deliver_source_o,
  output data_t       deliver_data_o
);

  collector_t collector_q;
  source_t    source_q;
  row_t       row;
  logic       access;

  assign access      = write_grant_i || read_grant_i;
  assign row         = write_grant_i ? write_i.row : read_row_i;
  assign row_fault_o = access && 16'(row) >= rows_in_use_i;

  timed_bank #(
    .Rows    (RowsPerBank),
    .Lanes   (NumLanes),
    .LaneBits(LaneBits)
  ) u_bank (
    .clk_i,
    .rst_ni,
    .cycles_i    (bank_cycles_i),
    .ready_o,
    .request_i   (access),
    .write_i     (write_grant_i),
    .address_i   (row[RowBits-1:0]),
    .lane_mask_i (write_i.mask),
    .write_data_i(write_data_i),
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
