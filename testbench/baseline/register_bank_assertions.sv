// A bank is a single port that is never used while occupied, and its read data come exactly
// bank_cycles cycles after the grant, or one more where the eighths of the accesses since reset,
// this one included, reach another whole cycle.
module register_bank_assertions #(
  parameter int unsigned RowsPerBank = 128
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [7:0]  bank_cycles_i,
  input logic [2:0]  bank_eighths_i,
  input logic [15:0] rows_in_use_i,
  input logic        ready_i,
  input logic        write_grant_i,
  input logic        read_grant_i,
  input logic        deliver_i
);

  logic [8:0] until_delivery_q;  // cycles until read data are due, 0 without a read under way
  logic [5:0] eighths_q;         // of all accesses so far, modulo 64
  logic [5:0] eighths;           // with an access of this cycle

  assign eighths = eighths_q + 6'(bank_eighths_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) begin
      until_delivery_q <= '0;
      eighths_q        <= '0;
    end else begin
      if (read_grant_i) begin
        until_delivery_q <= 9'(bank_cycles_i) + 9'(eighths[5:3] != eighths_q[5:3]);
      end else if (until_delivery_q != '0) begin
        until_delivery_q <= until_delivery_q - 9'd1;
      end
      if (read_grant_i || write_grant_i) eighths_q <= eighths;
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      SinglePort :
      assert (!(write_grant_i && read_grant_i))
      else $error("SinglePort: read and write in one cycle");
      AccessOnlyFree :
      assert (ready_i || !(write_grant_i || read_grant_i))
      else $error("AccessOnlyFree: access to an occupied bank");
      DeliveryOnTime :
      assert (deliver_i == (until_delivery_q == 9'd1))
      else $error("DeliveryOnTime: delivery %b with %0d cycles to go", deliver_i, until_delivery_q);
      BankCyclesPositive :
      assert (bank_cycles_i != '0)
      else $error("BankCyclesPositive: bank_cycles is 0");
      RowsAreThere :
      assert (32'(rows_in_use_i) <= RowsPerBank)
      else $error("RowsAreThere: %0d rows in use, %0d elaborated", rows_in_use_i, RowsPerBank);
    end
  end

endmodule
