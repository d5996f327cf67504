// What each lane of a load gets out of the words of a line; bits above the size are zero.
//
// Lanes access 1 to 16 bytes, aligned to their size.
module lane_gather
  import heddle_port_pkg::*;
#(
  parameter  int unsigned Lanes      = NumLanes,
  parameter  int unsigned Words      = LineBytes / 4,
  localparam int unsigned OffsetBits = $clog2(4 * Words)
) (
  input  logic                             enable_i,
  input  logic [2:0]                       size_log2_i,  // bytes a lane accesses
  input  logic [Lanes-1:0][OffsetBits-1:0] offset_i,     // byte of the line
  input  logic [Words-1:0][31:0]           line_i,
  output logic [Lanes-1:0][3:0][31:0]      words_o
);

  logic [31:0] word;

  always_comb begin : gather
    words_o = '0;
    word    = '0;
    if (enable_i) begin
      for (int unsigned lane = 0; lane < Lanes; lane++) begin
        word = line_i[offset_i[lane][OffsetBits-1:2]];
        unique case (size_log2_i)
          3'd0: words_o[lane][0] = 32'(word[8*offset_i[lane][1:0]+:8]);
          3'd1: words_o[lane][0] = 32'(word[16*offset_i[lane][1]+:16]);
          3'd2: words_o[lane][0] = word;
          3'd3: begin
            for (int unsigned w = 0; w < 2; w++) begin
              words_o[lane][w] = line_i[{offset_i[lane][OffsetBits-1:3], 1'(w)}];
            end
          end
          default: begin
            for (int unsigned w = 0; w < 4; w++) begin
              words_o[lane][w] = line_i[{offset_i[lane][OffsetBits-1:4], 2'(w)}];
            end
          end
        endcase
      end
    end
  end

endmodule
