// As many registers get a cache bank as there are that ask, unused banks, and room in the cycle.
module bank_matcher_assertions import ltrf_pkg::*; (
  input logic                           clk_i,
  input logic                           rst_ni,
  input logic [NumColumns-1:0]          ask_i,
  input logic [NumCacheBanks-1:0]       unused_i,
  input logic [CacheBankBits:0]         most_i,
  input logic [NumColumns-1:0]          take_i,
  input logic [NumCacheBanks-1:0]       taken_i
);

  int unsigned expected;

  always_comb begin : count
    expected = $countones(ask_i);
    if ($countones(unused_i) < expected) expected = $countones(unused_i);
    if (32'(most_i) < expected) expected = 32'(most_i);
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      DecodeWidthInRange :
      assert (most_i != '0 && most_i <= (CacheBankBits+1)'(NumColumns))
      else $error("DecodeWidthInRange: %0d registers a cycle, expected 1 to %0d", most_i,
                  NumColumns);
      AllThatFit :
      assert ($countones(take_i) == expected && $countones(taken_i) == expected)
      else $error("AllThatFit: %0d registers, %0d banks, expected %0d", $countones(take_i),
                  $countones(taken_i), expected);
      TakeOnlyAsked :
      assert ((take_i & ~ask_i) == '0 && (taken_i & ~unused_i) == '0)
      else $error("TakeOnlyAsked: registers %b of %b, banks %b of %b", take_i, ask_i, taken_i,
                  unused_i);
    end
  end

endmodule
