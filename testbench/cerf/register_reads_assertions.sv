// A read is parked while it is left, and taken only while it is not.
module register_reads_assertions
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input logic          clk_i,
  input logic          rst_ni,
  input source_set_t   pending_i [NumCollectors],
  input source_set_t   parked_i [NumCollectors],
  input tag_bank_set_t grant_i,
  input tag_bank_set_t park_i,
  input collector_t    winner_i [NumTagBanks],
  input source_t       source_i [NumTagBanks]
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      for (int unsigned b = 0; b < NumTagBanks; b++) begin
        ReadOrParked :
        assert (!(grant_i[b] && park_i[b]))
        else $error("ReadOrParked: bank %0d, collector %0d, source %0d",
                    b, winner_i[b], source_i[b]);
        TakenOnlyOpen :
        assert (!(grant_i[b] || park_i[b]) ||
                (pending_i[winner_i[b]][source_i[b]] && !parked_i[winner_i[b]][source_i[b]]))
        else $error("TakenOnlyOpen: bank %0d, collector %0d, source %0d",
                    b, winner_i[b], source_i[b]);
      end
      for (int unsigned c = 0; c < NumCollectors; c++) begin
        ParkedIsPending :
        assert ((parked_i[c] & ~pending_i[c]) == '0)
        else $error("ParkedIsPending: collector %0d, %b of %b", c, parked_i[c], pending_i[c]);
      end
    end
  end

endmodule
