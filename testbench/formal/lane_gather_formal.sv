// The bytes of each lane, one by one, by their numbers in the line.
module lane_gather_formal
  import heddle_port_pkg::*;
#(
  parameter  int unsigned Lanes      = NumLanes,
  parameter  int unsigned Words      = LineBytes / 4,
  localparam int unsigned OffsetBits = $clog2(4 * Words)
) (
  input logic                             enable_i,
  input logic [2:0]                       size_log2_i,
  input logic [Lanes-1:0][OffsetBits-1:0] offset_i,
  input logic [Words-1:0][31:0]           line_i,
  input logic [Lanes-1:0][3:0][31:0]      words_i
);

  logic [4*Words-1:0][7:0] line;
  logic [4:0]              size;  // bytes a lane

  assign line = line_i;
  assign size = size_log2_i < 3'd4 ? 5'd1 << size_log2_i : 5'd16;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [15:0][7:0]      bytes;
    logic [OffsetBits-1:0] first;  // byte of the access, aligned

    assign bytes = words_i[l];
    assign first = offset_i[l] & ~OffsetBits'(size - 5'd1);

    for (genvar b = 0; b < 16; b++) begin : gen_byte
      always_comb begin : checks
        BytesOfLine :
        assert (!enable_i || b >= 32'(size) || bytes[b] == line[first+OffsetBits'(b)]);
        ZeroAbove : assert ((enable_i && b < 32'(size)) || bytes[b] == '0);
      end
    end
  end

  always_comb begin : checks
    LastHalf : cover (enable_i && size_log2_i == 3'd1 && offset_i[0] == '1 && words_i[0][0] != '0);
  end

endmodule

bind lane_gather lane_gather_formal #(
  .Lanes(Lanes),
  .Words(Words)
) u_formal (
  .enable_i,
  .size_log2_i,
  .offset_i,
  .line_i,
  .words_i(words_o)
);
