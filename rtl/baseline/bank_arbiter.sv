// Who uses one bank in this cycle.
//
// Accepted results come first: while one for this bank is queued, no read is granted, so a read
// never overtakes an older write. A younger write that overtakes a read is harmless, because the SM
// keeps the registers of an instruction reserved until its operands are out. Among the collectors
// the priority rotates.
module bank_arbiter #(
  parameter  int unsigned NumCollectors = shell_pkg::DefaultCollectors,
  localparam int unsigned CollectorBits = $clog2(NumCollectors)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     bank_ready_i,
  input  logic                     write_queued_i,
  input  logic [NumCollectors-1:0] request_i,
  output logic                     write_grant_o,
  output logic                     read_grant_o,
  output logic [CollectorBits-1:0] collector_o,   // whose turn it is, of those that ask
  // to the events
  output logic                     wait_write_o,  // a read request waits behind a queued result
  output logic                     wait_bank_o    // one waits for the bank or lost to another
);

  logic                     requested, serve_write;
  logic [NumCollectors-1:0] winner;

  rr_arbiter #(
    .Width(NumCollectors)
  ) u_rotate (
    .clk_i,
    .rst_ni,
    .request_i,
    .advance_i(read_grant_o),
    .valid_o  (requested),
    .grant_o  (winner),
    .index_o  (collector_o)
  );

  assign serve_write   = bank_ready_i && write_queued_i;
  assign write_grant_o = serve_write;
  assign read_grant_o  = requested && bank_ready_i && !serve_write;
  assign wait_write_o  = requested && write_queued_i;
  assign wait_bank_o   = !write_queued_i &&
                         (bank_ready_i ? (request_i & ~winner) != '0 : requested);

endmodule
