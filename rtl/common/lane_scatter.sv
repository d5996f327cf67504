// What the lanes of a store write, put where it belongs in the words of a line.
//
// Lanes access 1 to 16 bytes, aligned to their size. Of lanes that write the same byte the highest
// one stands.
module lane_scatter
  import heddle_port_pkg::*;
#(
  parameter  int unsigned Lanes      = NumLanes,
  parameter  int unsigned Words      = LineBytes / 4,
  localparam int unsigned OffsetBits = $clog2(4 * Words)
) (
  input  logic [Lanes-1:0]                 lanes_i,      // that write
  input  logic [2:0]                       size_log2_i,  // bytes a lane writes
  input  logic [Lanes-1:0][OffsetBits-1:0] offset_i,     // byte of the line
  input  logic [Lanes-1:0][3:0][31:0]      words_i,
  output logic [Words-1:0][31:0]           line_o,
  output logic [Words-1:0][3:0]            bytes_o       // that are written
);

  logic [OffsetBits-3:0] word;

  always_comb begin : scatter
    line_o  = '0;
    bytes_o = '0;
    word    = '0;
    for (int unsigned lane = 0; lane < Lanes; lane++) begin
      if (lanes_i[lane]) begin
        word = offset_i[lane][OffsetBits-1:2];
        unique case (size_log2_i)
          3'd0: begin
            line_o[word][8*offset_i[lane][1:0]+:8] = words_i[lane][0][7:0];
            bytes_o[word][offset_i[lane][1:0]]     = 1'b1;
          end
          3'd1: begin
            line_o[word][16*offset_i[lane][1]+:16] = words_i[lane][0][15:0];
            bytes_o[word][2*offset_i[lane][1]+:2]  = 2'b11;
          end
          3'd2: begin
            line_o[word]  = words_i[lane][0];
            bytes_o[word] = 4'b1111;
          end
          3'd3: begin
            for (int unsigned w = 0; w < 2; w++) begin
              line_o[{word[OffsetBits-3:1], 1'(w)}]  = words_i[lane][w];
              bytes_o[{word[OffsetBits-3:1], 1'(w)}] = 4'b1111;
            end
          end
          default: begin
            for (int unsigned w = 0; w < 4; w++) begin
              line_o[{word[OffsetBits-3:2], 2'(w)}]  = words_i[lane][w];
              bytes_o[{word[OffsetBits-3:2], 2'(w)}] = 4'b1111;
            end
          end
        endcase
      end
    end
  end

endmodule
