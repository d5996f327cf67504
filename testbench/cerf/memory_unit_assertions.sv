// Requests are of one line of global or local memory and are performed once, in order.
module memory_unit_assertions
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input logic         clk_i,
  input logic         rst_ni,
  input mem_request_t head_i,
  input line_t        line_i,
  input logic         lookup_i,
  input logic         pending_i,
  input logic         joins_i,
  input logic         selected_i,
  input logic         done_i
);

  logic one_line;

  always_comb begin : lines
    one_line = 1'b1;
    for (int unsigned lane = 0; lane < NumLanes; lane++) begin
      if (head_i.mask[lane] && head_i.address[lane][31:OffsetBits] != line_i) one_line = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni && head_i.valid) begin
      SpaceIsCached :
      assert (head_i.space != MemShared && head_i.kind != MemFence && head_i.mask != '0)
      else $error("SpaceIsCached: space %0d, kind %0d, lanes %h",
                  head_i.space, head_i.kind, head_i.mask);
      OneLineARequest :
      assert (one_line)
      else $error("OneLineARequest: T%0d", head_i.tag);
      NotARegister :
      assert (line_i[LineAddressBits-1:IndexBits] != RegisterPrefix)
      else $error("NotARegister: line %h is a register's", line_i);
    end
    if (rst_ni) begin
      DoneOnlyLookedUp :
      assert (!done_i || selected_i)
      else $error("DoneOnlyLookedUp: carried out without a look-up");
      LookedUpOnlyOffered :
      assert (!selected_i || lookup_i)
      else $error("LookedUpOnlyOffered: looked up without a request");
      NotWhileOnItsWay :
      assert (!(lookup_i && pending_i && !joins_i))
      else $error("NotWhileOnItsWay: line %h is on its way", line_i);
    end
  end

endmodule
