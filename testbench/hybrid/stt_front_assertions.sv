// A warp's registers lie in its half of the file, and there are no more than the file has numbers
// for.
module stt_front_assertions
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
(
  input logic        clk_i,
  input logic        rst_ni,
  input source_set_t wanted_i,
  input warp_t       reader_warp_i,
  input number_t     number_i [NumSources],
  input index_t      base_i [NumWarps],
  input logic        kernel_start_i,
  input logic [15:0] registers_i
);

  source_set_t elsewhere;  // sources that lie in the other half, or beyond the file

  for (genvar s = 0; s < NumSources; s++) begin : gen_source
    index_t index;
    assign index        = base_i[reader_warp_i] + index_t'(number_i[s]);
    assign elsewhere[s] = index >> AddressBits != index_t'(reader_warp_i[0]);
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      OwnHalf :
      assert ((wanted_i & elsewhere) == '0)
      else $error("OwnHalf: W%0d, which begins at %0d, reads sources %b elsewhere", reader_warp_i,
                  base_i[reader_warp_i], wanted_i & elsewhere);
      RegisterNumbers :
      assert (!kernel_start_i || registers_i <= 16'(NumNumbers))
      else $error("RegisterNumbers: %0d registers a thread", registers_i);
    end
  end

endmodule
