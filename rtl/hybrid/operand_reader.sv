// Control state of the operand collectors, which are read one after the other.
//
// A ring of collectors in the order of issue. The oldest instruction that is not read asks for all
// its sources at once; those that share an array of its bank, or an array of the write buffer, wait
// for the lower one. So does a source whose register has a result that is not yet written. The next
// instruction follows when all reads have begun. Dispatch may take an instruction without sources
// before an older one whose data are under way; its place in the ring is used again when the older
// ones have gone.
module operand_reader
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
#(
  parameter int unsigned IssueWidth = 2
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // from the SM's issue stage
  input  issue_t [IssueWidth-1:0] issue_i,
  output logic   [IssueWidth-1:0] issue_ready_o,
  // from the command unit
  input  index_t                  base_i [NumWarps],
  // the instruction that is read
  output warp_t                   warp_o,
  output number_t                 number_o [NumSources],
  output address_t                address_o [NumSources],
  output source_set_t             wanted_o,
  input  logic                    stop_i,     // no read may begin
  input  source_set_t             pending_i,  // sources with a result that is not yet written
  input  source_set_t             hit_i,      // sources that lie in the write buffer
  input  slot_t                   slot_i [NumSources],
  output source_set_t             grant_o,
  // data that arrive, by bank: sources of a collector
  input  logic [SttBanks-1:0]     arrive_i,
  output collector_t              arrive_collector_o [SttBanks],
  output source_set_t             arrive_sources_o [SttBanks],
  // to and from dispatch
  output collector_set_t          complete_o,
  input  collector_set_t          dispatch_i,
  output logic [TagBits-1:0]      tag_o [NumCollectors],
  output source_set_t             sources_o [NumCollectors],
  // to the events
  output collector_set_t          allocated_o,
  output logic                    conflict_o,  // a source waits for a lower one
  // a source waits for a result that is not yet written
  output logic                    result_wait_o
);

  collector_set_t        valid_q, valid_d, unread_q, unread_d;
  collector_t            head_q, tail_q, tail_d;
  logic [IssueWidth-1:0] ready_q, accept;
  logic [IssueWidth-1:0] free;     // this place from the tail on, and those before it
  logic                  all_free;
  logic [TagBits-1:0]    tag_q     [NumCollectors];
  warp_t                 warp_q    [NumCollectors];
  source_set_t           sources_q [NumCollectors];
  source_set_t           pending_q [NumCollectors];
  source_set_t           pending_d [NumCollectors];
  source_set_t           missing_q [NumCollectors];
  source_set_t           missing_d [NumCollectors];
  number_t               number_q  [NumCollectors][NumSources];
  address_t              address_q [NumCollectors][NumSources];
  collector_t            place [IssueWidth];

  // Reads under way, by bank.
  collector_t  note_collector_q [SttBanks];
  source_set_t note_sources_q   [SttBanks];

  // ---- allocation ----
  always_comb begin : allocate
    tail_d      = tail_q;
    allocated_o = '0;
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      accept[slot] = issue_i[slot].valid && ready_q[slot];
      place[slot]  = tail_d;
      if (accept[slot]) begin
        allocated_o[tail_d] = 1'b1;
        tail_d              = tail_d + collector_t'(1);
      end
    end
  end

  assign valid_d = (valid_q & ~dispatch_i) | allocated_o;

  always_comb begin : places
    all_free = 1'b1;
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      all_free   = all_free && !valid_d[tail_d+collector_t'(slot)];
      free[slot] = all_free;
    end
  end

  // ---- reads ----
  source_set_t eligible, behind;
  logic        reading, passes;

  assign reading       = unread_q[head_q];
  assign warp_o        = warp_q[head_q];
  assign number_o      = number_q[head_q];
  assign address_o     = address_q[head_q];
  assign wanted_o      = reading ? pending_q[head_q] : '0;
  assign eligible      = wanted_o & ~pending_i;
  assign grant_o       = stop_i ? '0 : eligible & ~behind;
  assign passes        = reading && (pending_q[head_q] & ~grant_o) == '0;
  assign conflict_o    = (eligible & behind) != '0;
  assign result_wait_o = (wanted_o & pending_i) != '0;

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

  always_comb begin : next_sources
    pending_d = pending_q;
    missing_d = missing_q;
    unread_d  = unread_q | allocated_o;
    if (passes) unread_d[head_q] = 1'b0;
    pending_d[head_q] = pending_q[head_q] & ~grant_o;
    for (int unsigned b = 0; b < SttBanks; b++) begin
      if (arrive_i[b]) begin
        missing_d[note_collector_q[b]] = missing_d[note_collector_q[b]] & ~note_sources_q[b];
      end
    end
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      if (accept[slot]) begin
        pending_d[place[slot]] = issue_i[slot].source_valid;
        missing_d[place[slot]] = issue_i[slot].source_valid;
      end
    end
  end

  for (genvar c = 0; c < NumCollectors; c++) begin : gen_complete
    assign complete_o[c] = valid_q[c] && missing_q[c] == '0 &&
                           (!unread_q[c] || head_q == collector_t'(c));
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      valid_q  <= '0;
      unread_q <= '0;
      head_q   <= '0;
      tail_q   <= '0;
      ready_q  <= '1;
      for (int unsigned c = 0; c < NumCollectors; c++) begin
        pending_q[c] <= '0;
        missing_q[c] <= '0;
      end
    end else begin
      valid_q   <= valid_d;
      unread_q  <= unread_d;
      head_q    <= head_q + collector_t'(passes);
      tail_q    <= tail_d;
      pending_q <= pending_d;
      missing_q <= missing_d;
      ready_q   <= free;
    end
  end

  always_ff @(posedge clk_i) begin : payload
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      if (accept[slot]) begin
        tag_q[place[slot]]     <= issue_i[slot].tag;
        warp_q[place[slot]]    <= issue_i[slot].warp;
        sources_q[place[slot]] <= issue_i[slot].source_valid;
        for (int unsigned s = 0; s < NumSources; s++) begin
          number_q[place[slot]][s]  <= number_t'(issue_i[slot].source[s]);
          address_q[place[slot]][s] <=
              locate_in_bank(base_i[issue_i[slot].warp], number_t'(issue_i[slot].source[s]));
        end
      end
    end
    // A bank takes no access before the data under way are out, so one note a bank is enough.
    if (grant_o != '0) begin
      note_collector_q[warp_o[0]] <= head_q;
      note_sources_q[warp_o[0]]   <= grant_o;
    end
  end

  assign issue_ready_o      = ready_q;
  assign arrive_collector_o = note_collector_q;
  assign arrive_sources_o   = note_sources_q;
  assign tag_o              = tag_q;
  assign sources_o          = sources_q;

endmodule
