// The bytes that the lanes of a store write, put where they belong in the line.
//
// Where lanes write the same byte the highest lane wins.
module lane_scatter
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input  waiting_t    store_i,
  input  lane_words_t words_i,
  output bytes_t      byte_mask_o,
  output data_t       line_o
);

  logic [NumLanes-1:0][3:0] word_mask;  // bytes written, by word of the line

  always_comb begin : scatter
    line_o    = '0;
    word_mask = '0;
    for (int unsigned lane = 0; lane < NumLanes; lane++) begin
      if (store_i.mask[lane]) begin
        unique case (store_i.size_log2)
          3'd0: begin
            line_o[store_i.offset[lane][6:2]][8*store_i.offset[lane][1:0]+:8] =
                words_i[lane][0][7:0];
            word_mask[store_i.offset[lane][6:2]][store_i.offset[lane][1:0]]   = 1'b1;
          end
          3'd1: begin
            line_o[store_i.offset[lane][6:2]][16*store_i.offset[lane][1]+:16] =
                words_i[lane][0][15:0];
            word_mask[store_i.offset[lane][6:2]][2*store_i.offset[lane][1]+:2] = 2'b11;
          end
          3'd2: begin
            line_o[store_i.offset[lane][6:2]]    = words_i[lane][0];
            word_mask[store_i.offset[lane][6:2]] = 4'b1111;
          end
          3'd3: begin
            for (int unsigned w = 0; w < 2; w++) begin
              line_o[{store_i.offset[lane][6:3], 1'(w)}]    = words_i[lane][w];
              word_mask[{store_i.offset[lane][6:3], 1'(w)}] = 4'b1111;
            end
          end
          default: begin
            for (int unsigned w = 0; w < 4; w++) begin
              line_o[{store_i.offset[lane][6:4], 2'(w)}]    = words_i[lane][w];
              word_mask[{store_i.offset[lane][6:4], 2'(w)}] = 4'b1111;
            end
          end
        endcase
      end
    end
  end

  assign byte_mask_o = word_mask;

endmodule
