// Sources are read only when nothing stands in their way, each from an array of its own.
module oldest_reader_assertions
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
(
  input logic        clk_i,
  input logic        rst_ni,
  input logic        stop_i,
  input source_set_t wanted_i,
  input source_set_t pending_i,
  input source_set_t grant_i,
  input address_t    address_i [NumSources]
);

  array_set_t used;
  logic       used_twice;

  always_comb begin : arrays
    used       = '0;
    used_twice = 1'b0;
    for (int unsigned s = 0; s < NumSources; s++) begin
      if (grant_i[s]) begin
        if (used[address_i[s].array]) used_twice = 1'b1;
        used[address_i[s].array] = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      GrantOnlyWanted :
      assert ((grant_i & ~wanted_i) == '0)
      else $error("GrantOnlyWanted: %b of %b", grant_i, wanted_i);
      NoGrantInStop :
      assert (!stop_i || grant_i == '0)
      else $error("NoGrantInStop: sources %b", grant_i);
      ReadSeesResults :
      assert ((grant_i & pending_i) == '0)
      else $error("ReadSeesResults: sources %b pass their results", grant_i & pending_i);
      OneReadAnArray :
      assert (!used_twice)
      else $error("OneReadAnArray: sources %b", grant_i);
    end
  end

endmodule
