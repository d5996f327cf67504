// What the lanes of a store write, put where it belongs in the words of a line.
//
// Lanes access 1 to 16 bytes, aligned to their size. Of lanes that write the same byte the highest
// one stands. Offsets are taken bit by bit, each bit as a vector over the lanes, so that the lanes
// of a byte are a row of vector operations.
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

  localparam int unsigned IndexBits = (Lanes > 1) ? $clog2(Lanes) : 1;
  localparam int unsigned Reach     = 1 << IndexBits;

  // ---- the lanes of each byte ----
  // Lanes whose offset has, in one bit, what a byte with 0 or 1 there needs: either, where the bit
  // lies within an access.
  logic [Lanes-1:0] agree [OffsetBits][2];

  for (genvar b = 0; b < OffsetBits; b++) begin : gen_bit
    logic [Lanes-1:0] ones;
    logic             any;

    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      assign ones[l] = offset_i[l][b];
    end

    assign any         = b < 4 && 3'(b) < size_log2_i;
    assign agree[b][0] = ~ones | {Lanes{any}};
    assign agree[b][1] = ones | {Lanes{any}};
  end

  // ---- what each lane has for the four bytes of a word, by the word's place in 16 bytes ----
  logic [Lanes-1:0][3:0][31:0] aligned;

  always_comb begin : align
    for (int unsigned l = 0; l < Lanes; l++) begin
      unique case (size_log2_i)
        3'd0:    aligned[l] = {16{words_i[l][0][7:0]}};
        3'd1:    aligned[l] = {8{words_i[l][0][15:0]}};
        3'd2:    aligned[l] = {4{words_i[l][0]}};
        3'd3:    aligned[l] = {2{words_i[l][1:0]}};
        default: aligned[l] = words_i[l];
      endcase
    end
  end

  // The highest lane of a set that is not empty.
  function automatic logic [IndexBits-1:0] highest(logic [Lanes-1:0] lanes);
    logic [Reach-1:0] left, upper;
    left = Reach'(lanes);
    for (int unsigned k = IndexBits; k > 0; k--) begin
      upper        = left >> (1 << (k - 1));
      highest[k-1] = upper != '0;
      left         = (upper != '0) ? upper : left;
    end
  endfunction

  // ---- words ----
  for (genvar w = 0; w < Words; w++) begin : gen_word
    logic [Lanes-1:0] of_word, of_byte [4];

    always_comb begin : lanes
      of_word = lanes_i;
      for (int unsigned b = 2; b < OffsetBits; b++) of_word &= agree[b][w[b-2]];
    end

    for (genvar i = 0; i < 4; i++) begin : gen_byte
      assign of_byte[i] = of_word & agree[0][i[0]] & agree[1][i[1]];
    end

    always_comb begin : bytes
      line_o[w]  = '0;
      bytes_o[w] = '0;
      if (of_word != '0) begin
        for (int unsigned i = 0; i < 4; i++) begin
          if (of_byte[i] != '0) begin
            bytes_o[w][i]     = 1'b1;
            line_o[w][8*i+:8] = aligned[highest(of_byte[i])][w[1:0]][8*i+:8];
          end
        end
      end
    end
  end

endmodule
