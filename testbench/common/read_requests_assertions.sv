// A bank reads for a collector that asks it, and a source that lies there. The cell has no clock of
// its own: these are bound to what instantiates it.
module read_requests_assertions
  import heddle_port_pkg::*;
  import shell_pkg::*;
#(
  parameter  int unsigned NumBanks      = DefaultBanks,
  parameter  int unsigned NumCollectors = DefaultCollectors,
  localparam int unsigned CollectorBits = $clog2(NumCollectors),
  localparam int unsigned BankBits      = $clog2(NumBanks)
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input source_set_t              readable_i [NumCollectors],
  input logic [BankBits-1:0]      bank_i [NumCollectors][NumSources],
  input logic [NumCollectors-1:0] request_i [NumBanks],
  input logic [CollectorBits-1:0] winner_i [NumBanks],
  input logic [NumBanks-1:0]      grant_i,
  input source_t                  source_i [NumBanks]
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      for (int unsigned b = 0; b < NumBanks; b++) begin
        if (grant_i[b]) begin
          GrantHadRequest :
          assert (request_i[b][winner_i[b]])
          else $error("GrantHadRequest: bank %0d granted collector %0d", b, winner_i[b]);
          GrantedSourceReadable :
          assert (readable_i[winner_i[b]][source_i[b]] &&
                  bank_i[winner_i[b]][source_i[b]] == BankBits'(b))
          else $error("GrantedSourceReadable: bank %0d collector %0d source %0d", b, winner_i[b],
                      source_i[b]);
        end
      end
    end
  end

endmodule
