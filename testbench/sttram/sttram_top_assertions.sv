// Every write stalls: no read begins while a result waits or is written, one result is written at a
// time, and a warp's registers lie in its half of the file.
module sttram_top_assertions
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
(
  input logic                clk_i,
  input logic                rst_ni,
  input logic                staged_i,
  input logic [SttBanks-1:0] writing_i,
  input logic [SttBanks-1:0] write_i,
  input logic                pop_i,
  input logic                result_bank_i,
  input source_set_t         grant_i,
  input source_set_t         wanted_i,
  input warp_t               reader_warp_i,
  input index_t              base_i [NumWarps],
  input logic                kernel_start_i,
  input logic [15:0]         registers_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      WritesStallReads :
      assert (!(staged_i || writing_i != '0) || grant_i == '0)
      else $error("WritesStallReads: sources %b", grant_i);
      OneWrite :
      assert (write_i == '0 || writing_i == '0)
      else $error("OneWrite: a write to %b while %b is written", write_i, writing_i);
      WriteIsOldest :
      assert (pop_i == (write_i != '0) && (!pop_i || write_i == (SttBanks'(1) << result_bank_i)))
      else $error("WriteIsOldest: banks %b", write_i);
      OwnHalf :
      assert (wanted_i == '0 || base_i[reader_warp_i][AddressBits] == reader_warp_i[0])
      else $error("OwnHalf: W%0d begins at %0d", reader_warp_i, base_i[reader_warp_i]);
      RegisterNumbers :
      assert (!kernel_start_i || registers_i <= 16'(NumNumbers))
      else $error("RegisterNumbers: %0d registers a thread", registers_i);
    end
  end

endmodule
