// The bytes that each lane of a load reads, out of the line; bits above the size are zero.
module lane_gather
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input  logic        enable_i,
  input  waiting_t    load_i,
  input  data_t       line_i,
  output lane_words_t words_o
);

  logic [31:0] word;

  always_comb begin : gather
    words_o = '0;
    word    = '0;
    if (enable_i) begin
      for (int unsigned lane = 0; lane < NumLanes; lane++) begin
        word = line_i[load_i.offset[lane][6:2]];
        unique case (load_i.size_log2)
          3'd0: words_o[lane][0] = 32'(word[8*load_i.offset[lane][1:0]+:8]);
          3'd1: words_o[lane][0] = 32'(word[16*load_i.offset[lane][1]+:16]);
          3'd2: words_o[lane][0] = word;
          3'd3: begin
            for (int unsigned w = 0; w < 2; w++) begin
              words_o[lane][w] = line_i[{load_i.offset[lane][6:3], 1'(w)}];
            end
          end
          default: begin
            for (int unsigned w = 0; w < 4; w++) begin
              words_o[lane][w] = line_i[{load_i.offset[lane][6:4], 2'(w)}];
            end
          end
        endcase
      end
    end
  end

endmodule
