// Which results that are accepted and not yet written somebody waits for: a read of the same
// register, and the command of a warp that leaves.
module queued_results
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
#(
  parameter int unsigned ResultWidth = 2,
  parameter int unsigned Places      = 4
) (
  // the result queue, and what enters it in this cycle
  input  logic    [Places-1:0]      held_i,
  input  staged_t                   held_entry_i [Places],
  input  result_t [ResultWidth-1:0] result_i,
  input  logic    [ResultWidth-1:0] accept_i,
  // which of these registers of a warp have a result in the queue
  input  warp_t                     reader_warp_i,
  input  number_t                   reader_number_i [NumSources],
  output source_set_t               pending_o,
  // whether this warp has a result there or brings one in this cycle
  input  warp_t                     leaving_warp_i,
  output logic                      leaving_o
);

  always_comb begin : find
    pending_o = '0;
    leaving_o = 1'b0;
    for (int unsigned e = 0; e < Places; e++) begin
      for (int unsigned s = 0; s < NumSources; s++) begin
        if (held_i[e] && held_entry_i[e].warp == reader_warp_i &&
            held_entry_i[e].number == reader_number_i[s]) begin
          pending_o[s] = 1'b1;
        end
      end
      if (held_i[e] && held_entry_i[e].warp == leaving_warp_i) leaving_o = 1'b1;
    end
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      if (accept_i[p] && result_i[p].warp == leaving_warp_i) leaving_o = 1'b1;
    end
  end

endmodule
