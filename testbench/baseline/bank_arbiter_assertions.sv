// One access a bank, results before reads, and only one collector wins.
module bank_arbiter_assertions #(
  parameter  int unsigned NumCollectors = shell_pkg::DefaultCollectors,
  localparam int unsigned CollectorBits = $clog2(NumCollectors)
) (
  input logic           clk_i,
  input logic           rst_ni,
  input logic           bank_ready_i,
  input logic           write_queued_i,
  input logic [NumCollectors-1:0] request_i,
  input logic [NumCollectors-1:0] winner_i,
  input logic [CollectorBits-1:0] collector_i,
  input logic           write_grant_i,
  input logic           read_grant_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      GrantOneHot :
      assert ($onehot0(winner_i))
      else $error("GrantOneHot: %b", winner_i);
      GrantOnlyRequested :
      assert (!read_grant_i || request_i[collector_i])
      else $error("GrantOnlyRequested: collector %0d of %b", collector_i, request_i);
      SinglePort :
      assert (!(write_grant_i && read_grant_i))
      else $error("SinglePort: read and write granted together");
      GrantOnlyFreeBank :
      assert (bank_ready_i || !(write_grant_i || read_grant_i))
      else $error("GrantOnlyFreeBank: access to an occupied bank");
      NoReadBeforeOlderWrite :
      assert (!(read_grant_i && write_queued_i))
      else $error("NoReadBeforeOlderWrite: read granted while a result is queued");
      FreeBankServes :
      assert (!bank_ready_i || write_grant_i || read_grant_i ||
              (!write_queued_i && request_i == '0))
      else $error("FreeBankServes: a free bank left a request unserved");
    end
  end

endmodule
