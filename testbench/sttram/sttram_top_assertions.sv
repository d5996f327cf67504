// Every write stalls: no read begins while a result waits or is written, and one result is written
// at a time.
module sttram_top_assertions
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
#(
  parameter int unsigned RowsPerBank = 64
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                staged_i,
  input logic [SttBanks-1:0] writing_i,
  input logic [SttBanks-1:0] write_i,
  input logic                pop_i,
  input logic                result_bank_i,
  input array_set_t          reads_i [SttBanks],
  input logic [15:0]         rows_in_use_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      RowsAreThere :
      assert (rows_in_use_i == 16'(RowsPerBank))
      else $error("RowsAreThere: %0d rows in use, %0d elaborated", rows_in_use_i, RowsPerBank);
      WritesStallReads :
      assert (!(staged_i || writing_i != '0) ||
              (reads_i[0] | reads_i[1]) == '0)
      else $error("WritesStallReads: arrays %b and %b", reads_i[0], reads_i[1]);
      OneWrite :
      assert (write_i == '0 || writing_i == '0)
      else $error("OneWrite: a write to %b while %b is written", write_i, writing_i);
      WriteIsOldest :
      assert (pop_i == (write_i != '0) && (!pop_i || write_i == (SttBanks'(1) << result_bank_i)))
      else $error("WriteIsOldest: banks %b", write_i);
    end
  end

endmodule
