// A fetch is on its way for as long as was asked for, and none is lost on it.
module fetch_path_assertions #(
  parameter int unsigned Depth = 4
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic [7:0] delay_i,
  input logic       ready_i,
  input logic       read_i,
  input logic       start_i
);

  logic [31:0] now_q;
  logic [31:0] entered_q[$:Depth];  // when each read under way entered

  always_ff @(posedge clk_i) begin : checks
    if (!rst_ni) begin
      now_q <= '0;
      entered_q.delete();
    end else begin
      now_q <= now_q + 32'd1;
      ReadIntoPath :
      assert (!read_i || ready_i)
      else $error("ReadIntoPath: a read enters a way that takes none");
      if (read_i) entered_q.push_back(now_q);
      if (start_i) begin
        StartWasAsked :
        assert (entered_q.size() != 0)
        else $error("StartWasAsked: the bank reads what nobody asked for");
        NotBeforeItsTime :
        assert (now_q - entered_q[0] >= 32'(delay_i))
        else $error("NotBeforeItsTime: after %0d cycles, expected %0d", now_q - entered_q[0],
                    delay_i);
        void'(entered_q.pop_front());
      end
    end
  end

endmodule
