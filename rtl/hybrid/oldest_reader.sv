// Reads the sources of the instructions one after the other, in the order of issue.
//
// The collectors are a ring. The oldest instruction that is not read asks for all its sources at
// once; those that share an array of its bank, or an array of the write buffer, wait for the lower
// one. So does a source whose register has a result that is not yet written. The next instruction
// follows when all reads have begun. An instruction without sources may leave before an older one
// whose data are under way, but not before its turn to be read.
module oldest_reader
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
#(
  parameter  int unsigned IssueWidth    = 2,
  parameter  int unsigned NumCollectors = DefaultCollectors,
  localparam int unsigned CollectorBits = $clog2(NumCollectors)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  // from the SM's issue stage, the collectors and the command port
  input  issue_t [IssueWidth-1:0]  issue_i,
  input  logic [IssueWidth-1:0]    accept_i,
  input  logic [CollectorBits-1:0] collector_i [IssueWidth],
  input  logic [NumCollectors-1:0] allocated_i,
  input  source_set_t              left_i [NumCollectors],  // reads that have not begun
  input  index_t                   base_i [NumWarps],
  // to the collectors
  output source_set_t              granted_o [NumCollectors],
  output logic [NumCollectors-1:0] hold_o,
  // the instruction that is read
  output warp_t                    warp_o,
  output number_t                  number_o [NumSources],
  output address_t                 address_o [NumSources],
  output source_set_t              wanted_o,
  input  logic                     stop_i,     // no read may begin
  input  source_set_t              pending_i,  // sources with a result that is not yet written
  input  source_set_t              hit_i,      // sources that lie in the write buffer
  input  slot_t                    slot_i [NumSources],
  output source_set_t              grant_o,
  // reads under way, by bank
  output logic [CollectorBits-1:0] arrive_collector_o [SttBanks],
  output source_set_t              arrive_sources_o [SttBanks],
  // to the events
  output logic                     conflict_o,    // a source waits for a lower one
  output logic                     result_wait_o  // one waits for a result that is not yet written
);

  logic [NumCollectors-1:0] unread_q;
  logic [CollectorBits-1:0] head_q;
  warp_t                    warp_q   [NumCollectors];
  number_t                  number_q [NumCollectors][NumSources];
  logic [ArrayBits-1:0]     array    [NumCollectors][NumSources];
  logic [ArrayRowBits-1:0]  row      [NumCollectors][NumSources];
  logic [CollectorBits-1:0] note_collector_q [SttBanks];
  source_set_t              note_sources_q   [SttBanks];
  logic                     unused_beyond;  // registers of odd warps lie beyond one bank

  source_locations #(
    .IssueWidth   (IssueWidth),
    .NumCollectors(NumCollectors),
    .NumBanks     (ArraysPerBank),
    .IndexBits    (AddressBits)
  ) u_locations (
    .clk_i,
    .interleaved_i(1'b0),
    .issue_i,
    .accept_i,
    .collector_i,
    .base_i,
    .bank_o  (array),
    .row_o   (row),
    .beyond_o(unused_beyond)
  );

  // ---- the oldest instruction ----
  source_set_t eligible, behind;
  logic        passes;

  assign warp_o        = warp_q[head_q];
  assign number_o      = number_q[head_q];
  assign wanted_o      = unread_q[head_q] ? left_i[head_q] : '0;
  assign eligible      = wanted_o & ~pending_i;
  assign grant_o       = stop_i ? '0 : eligible & ~behind;
  assign passes        = unread_q[head_q] && (left_i[head_q] & ~grant_o) == '0;
  assign conflict_o    = (eligible & behind) != '0 && !stop_i;
  assign result_wait_o = (wanted_o & pending_i) != '0;

  for (genvar s = 0; s < NumSources; s++) begin : gen_address
    assign address_o[s] = '{row: row[head_q][s], array: array[head_q][s]};
  end

  always_comb begin : conflicts
    behind = '0;
    for (int unsigned s = 1; s < NumSources; s++) begin
      for (int unsigned t = 0; t < s; t++) begin
        if (eligible[t] &&
            (address_o[s].array == address_o[t].array ||
             (hit_i[s] && hit_i[t] && slot_i[s][ArrayBits-1:0] == slot_i[t][ArrayBits-1:0]))) begin
          behind[s] = 1'b1;
        end
      end
    end
  end

  for (genvar c = 0; c < NumCollectors; c++) begin : gen_collector
    assign granted_o[c] = (head_q == CollectorBits'(c)) ? grant_o : '0;
    assign hold_o[c]    = unread_q[c] && head_q != CollectorBits'(c);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      unread_q <= '0;
      head_q   <= '0;
    end else begin
      unread_q <= (unread_q & ~(NumCollectors'(passes) << head_q)) | allocated_i;
      head_q   <= head_q + CollectorBits'(passes);
    end
  end

  always_ff @(posedge clk_i) begin : payload
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      if (accept_i[slot]) begin
        warp_q[collector_i[slot]] <= issue_i[slot].warp;
        for (int unsigned s = 0; s < NumSources; s++) begin
          number_q[collector_i[slot]][s] <= number_t'(issue_i[slot].source[s]);
        end
      end
    end
  end

  // A bank takes no access before the data under way are out, so one note a bank is enough.
  always_ff @(posedge clk_i) begin : notes
    if (grant_o != '0) begin
      note_collector_q[warp_o[0]] <= head_q;
      note_sources_q[warp_o[0]]   <= grant_o;
    end
  end

  assign arrive_collector_o = note_collector_q;
  assign arrive_sources_o   = note_sources_q;

endmodule
