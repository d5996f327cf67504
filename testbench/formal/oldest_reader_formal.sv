// The instructions that are not read as a queue in the order of issue, with what one collector that
// the solver chooses holds, and the last read of a bank.
module oldest_reader_formal
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
#(
  parameter  int unsigned IssueWidth    = 2,
  parameter  int unsigned NumCollectors = DefaultCollectors,
  localparam int unsigned CollectorBits = $clog2(NumCollectors)
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input issue_t [IssueWidth-1:0]  issue_i,
  input logic [IssueWidth-1:0]    accept_i,
  input logic [CollectorBits-1:0] collector_i [IssueWidth],
  input logic [NumCollectors-1:0] allocated_i,
  input source_set_t              left_i [NumCollectors],
  input index_t                   base_i [NumWarps],
  input source_set_t              granted_i [NumCollectors],
  input logic [NumCollectors-1:0] hold_i,
  input warp_t                    warp_i,
  input number_t                  number_i [NumSources],
  input address_t                 address_i [NumSources],
  input source_set_t              wanted_i,
  input logic                     stop_i,
  input source_set_t              pending_i,
  input source_set_t              hit_i,
  input slot_t                    slot_i [NumSources],
  input source_set_t              grant_i,
  input logic [CollectorBits-1:0] arrive_collector_i [SttBanks],
  input source_set_t              arrive_sources_i [SttBanks],
  input logic                     conflict_i,
  input logic                     result_wait_i,
  // what the reader keeps
  input logic [NumCollectors-1:0] unread_i,
  input logic [CollectorBits-1:0] head_i,
  input warp_t                    kept_warp_i [NumCollectors],
  input number_t                  kept_number_i [NumCollectors][NumSources],
  input logic [ArrayBits-1:0]     kept_array_i [NumCollectors][NumSources],
  input logic [ArrayRowBits-1:0]  kept_row_i [NumCollectors][NumSources]
);

  typedef logic [CollectorBits-1:0] place_t;
  typedef logic [CollectorBits:0]   count_t;

  place_t                  chosen_q;  // any collector: what the first slot names in reset
  place_t                  first_q;   // the oldest that is not read, or the next place
  count_t                  count_q;   // instructions that are not read
  count_t                  entered [IssueWidth+1];  // of this cycle, by the slots below
  logic [NumCollectors-1:0] entering, queued;  // of this cycle; not read
  warp_t                   warp_q;    // of the chosen collector
  number_t [NumSources-1:0] number_q;
  address_t [NumSources-1:0] source_q;
  source_set_t             left, free, behind;
  logic                    any, reads_all, is_chosen;
  logic [SttBanks-1:0]     noted_q;   // the bank was read
  place_t                  note_collector_q [SttBanks];
  source_set_t             note_sources_q [SttBanks];

  assign any       = count_q != '0;
  assign left      = any ? left_i[first_q] : '0;
  assign free      = left & ~pending_i;
  assign reads_all = any && (left & ~grant_i) == '0;
  assign is_chosen = any && first_q == chosen_q;

  // ---- the queue ----
  always_comb begin : enter
    entering   = '0;
    entered[0] = '0;
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      entered[slot+1] = entered[slot] + count_t'(accept_i[slot]);
      if (accept_i[slot]) entering[collector_i[slot]] = 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : queue
    if (!rst_ni) begin
      first_q <= '0;
      count_q <= '0;
    end else begin
      first_q <= first_q + place_t'(reads_all);
      count_q <= count_q - count_t'(reads_all) + entered[IssueWidth];
    end
  end

  for (genvar slot = 0; slot < IssueWidth; slot++) begin : gen_slot
    place_t place;
    assign place = first_q + place_t'(count_q) + place_t'(entered[slot]);

    always_comb begin : checks
      if (rst_ni) RingOrder : assume (!accept_i[slot] || collector_i[slot] == place);
    end
  end

  always_ff @(posedge clk_i) begin : content
    if (!rst_ni) chosen_q <= collector_i[0];
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      if (rst_ni && accept_i[slot] && collector_i[slot] == chosen_q) begin
        warp_q <= issue_i[slot].warp;
        for (int unsigned s = 0; s < NumSources; s++) begin
          number_q[s] <= number_t'(issue_i[slot].source[s]);
          source_q[s] <= address_t'(base_i[issue_i[slot].warp] + index_t'(issue_i[slot].source[s]));
        end
      end
    end
  end

  // ---- what may be read ----
  for (genvar s = 0; s < NumSources; s++) begin : gen_source
    logic [NumSources-1:0] ahead;  // lower sources that go first

    for (genvar t = 0; t < NumSources; t++) begin : gen_lower
      assign ahead[t] = t < s && free[t] &&
          (address_i[s].array == address_i[t].array ||
           (hit_i[s] && hit_i[t] && slot_i[s][ArrayBits-1:0] == slot_i[t][ArrayBits-1:0]));
    end

    assign behind[s] = ahead != '0;

    always_comb begin : checks
      if (rst_ni) begin
        ChosenIsKept :
        assert (!unread_i[chosen_q] ||
                (kept_warp_i[chosen_q] == warp_q && kept_number_i[chosen_q][s] == number_q[s] &&
                 {kept_row_i[chosen_q][s], kept_array_i[chosen_q][s]} == source_q[s]));
        SourcesOfTheOldest :
        assert (!is_chosen || (number_i[s] == number_q[s] && address_i[s] == source_q[s]));
      end
    end
  end

  for (genvar c = 0; c < NumCollectors; c++) begin : gen_collector
    place_t after;  // instructions that are not read and are older than the one here
    assign after     = place_t'(c) - first_q;
    assign queued[c] = count_t'(after) < count_q;

    always_comb begin : checks
      if (rst_ni) begin
        UnreadAreQueued : assert (unread_i[c] == queued[c]);
        GrantedTells : assert (granted_i[c] == (after == '0 ? grant_i : '0));
        HoldsAllButOldest : assert (hold_i[c] == (queued[c] && after != '0));
      end
    end
  end

  // ---- data under way ----
  for (genvar k = 0; k < SttBanks; k++) begin : gen_bank
    always_ff @(posedge clk_i or negedge rst_ni) begin : noted
      if (!rst_ni) noted_q[k] <= 1'b0;
      else if (grant_i != '0 && warp_i[0] == 1'(k)) noted_q[k] <= 1'b1;
    end

    always_ff @(posedge clk_i) begin : note
      if (grant_i != '0 && warp_i[0] == 1'(k)) begin
        note_collector_q[k] <= first_q;
        note_sources_q[k]   <= grant_i;
      end
    end

    always_comb begin : checks
      if (rst_ni) begin
        ArrivesForTheRead :
        assert (!noted_q[k] || (arrive_collector_i[k] == note_collector_q[k] &&
                                arrive_sources_i[k] == note_sources_q[k]));
      end
    end
  end

  always_comb begin : checks
    if (rst_ni) begin
      PlaceIsRead : assume ((entering & queued) == '0);
      AllocatedTells : assume (allocated_i == entering);
      HeadIsFirst : assert (head_i == first_q);
      CountInRange : assert (32'(count_q) <= NumCollectors);
      OldestAsks : assert (wanted_i == left);
      WarpOfTheOldest : assert (!is_chosen || warp_i == warp_q);
      ReadsWhatMay : assert (grant_i == (stop_i ? '0 : free & ~behind));
      WaitsAreTold :
      assert (conflict_i == (!stop_i && (free & behind) != '0) &&
              result_wait_i == ((left & pending_i) != '0));
      LastOfFullRing :
      cover (32'(count_q) == NumCollectors && reads_all && grant_i != '0 && first_q != '0 &&
             is_chosen && noted_q == '1);
    end
  end

endmodule

bind oldest_reader oldest_reader_formal #(
  .IssueWidth   (IssueWidth),
  .NumCollectors(NumCollectors)
) u_formal (
  .clk_i,
  .rst_ni,
  .issue_i,
  .accept_i,
  .collector_i,
  .allocated_i,
  .left_i,
  .base_i,
  .granted_i         (granted_o),
  .hold_i            (hold_o),
  .warp_i            (warp_o),
  .number_i          (number_o),
  .address_i         (address_o),
  .wanted_i          (wanted_o),
  .stop_i,
  .pending_i,
  .hit_i,
  .slot_i,
  .grant_i           (grant_o),
  .arrive_collector_i(arrive_collector_o),
  .arrive_sources_i  (arrive_sources_o),
  .conflict_i        (conflict_o),
  .result_wait_i     (result_wait_o),
  .unread_i          (unread_q),
  .head_i            (head_q),
  .kept_warp_i       (warp_q),
  .kept_number_i     (number_q),
  .kept_array_i      (array),
  .kept_row_i        (row)
);
