// Instructions enter places whose instruction has been read. Sources are read only when nothing
// stands in their way, each from an array of its own.
module oldest_reader_assertions
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
#(
  parameter  int unsigned IssueWidth    = 2,
  parameter  int unsigned NumCollectors = DefaultCollectors,
  localparam int unsigned CollectorBits = $clog2(NumCollectors)
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [IssueWidth-1:0]    accept_i,
  input logic [CollectorBits-1:0] collector_i [IssueWidth],
  input logic [NumCollectors-1:0] unread_i,
  input logic        stop_i,
  input source_set_t wanted_i,
  input source_set_t pending_i,
  input source_set_t grant_i,
  input address_t    address_i [NumSources]
);

  array_set_t used;
  logic       used_twice;
  logic [NumCollectors-1:0] entered;

  always_comb begin : places
    entered = '0;
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      if (accept_i[slot]) entered[collector_i[slot]] = 1'b1;
    end
  end

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
      PlaceIsRead :
      assert ((entered & unread_i) == '0)
      else $error("PlaceIsRead: collectors %b are not read", entered & unread_i);
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
