// Each byte of the line against the lanes one after the other.
module lane_scatter_formal
  import heddle_port_pkg::*;
#(
  parameter  int unsigned Lanes      = NumLanes,
  parameter  int unsigned Words      = LineBytes / 4,
  localparam int unsigned OffsetBits = $clog2(4 * Words)
) (
  input logic [Lanes-1:0]                 lanes_i,
  input logic [2:0]                       size_log2_i,
  input logic [Lanes-1:0][OffsetBits-1:0] offset_i,
  input logic [Lanes-1:0][3:0][31:0]      words_i,
  input logic [Words-1:0][31:0]           line_i,
  input logic [Words-1:0][3:0]            bytes_i
);

  localparam int unsigned Bytes = 4 * Words;

  logic [Bytes-1:0]      written, twice;
  logic [Bytes-1:0][7:0] value;
  logic [4:0]            size;  // bytes a lane

  assign size = size_log2_i < 3'd4 ? 5'd1 << size_log2_i : 5'd16;

  for (genvar k = 0; k < Bytes; k++) begin : gen_byte
    always_comb begin : in_order
      logic [15:0][7:0] own;
      written[k] = 1'b0;
      twice[k]   = 1'b0;
      value[k]   = '0;
      for (int unsigned l = 0; l < Lanes; l++) begin
        own = words_i[l];
        if (lanes_i[l] && 32'(offset_i[l] ^ OffsetBits'(k)) < 32'(size)) begin
          twice[k]   = written[k];
          written[k] = 1'b1;
          value[k]   = own[4'(k)&4'(size-5'd1)];
        end
      end
    end
  end

  always_comb begin : checks
    WrittenBytes : assert (bytes_i == written);
    HighestStands : assert (line_i == value);
    LastHalfTwice :
    cover (size_log2_i == 3'd1 && twice[Bytes-1] && written[Bytes-1] && value[Bytes-1] != '0);
  end

endmodule

bind lane_scatter lane_scatter_formal #(
  .Lanes(Lanes),
  .Words(Words)
) u_formal (
  .lanes_i,
  .size_log2_i,
  .offset_i,
  .words_i,
  .line_i (line_o),
  .bytes_i(bytes_o)
);
