// A warp has one entry for a register at most.
module warp_cache_assertions
  import heddle_port_pkg::*;
  import shell_pkg::*;
#(
  parameter int unsigned Entries = 4,
  parameter int unsigned Warps   = NumWarps
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic [Entries-1:0]      valid_i [Warps],
  input register_t [Entries-1:0] register_i [Warps]
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      for (int unsigned w = 0; w < Warps; w++) begin
        for (int unsigned e = 1; e < Entries; e++) begin
          for (int unsigned other = 0; other < e; other++) begin
            OneEntryARegister :
            assert (!valid_i[w][e] || !valid_i[w][other] ||
                    register_i[w][e] != register_i[w][other])
            else $error("OneEntryARegister: register %0d of warp %0d", register_i[w][e], w);
          end
        end
      end
    end
  end

endmodule
