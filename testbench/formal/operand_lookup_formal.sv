// Which operands are looked up: each property of all collectors and sources at once.
module operand_lookup_formal import heddle_port_pkg::*, ltrf_pkg::*; #(
  parameter int unsigned IssueWidth  = 2,
  parameter int unsigned ResultWidth = 2
) (
  input logic                                            clk_i,
  input logic                                            rst_ni,
  input issue_t      [IssueWidth-1:0]                    issue_i,
  input logic        [IssueWidth-1:0]                    accept_i,
  input collector_t                                      collector_i [IssueWidth],
  input warp_t       [NumCollectors-1:0]                 lookup_warp_i,
  input logic        [NumCollectors-1:0][TablePorts-1:0] lookup_valid_i,
  input reg_t        [NumCollectors-1:0][TablePorts-1:0] lookup_register_i,
  input cache_bank_t [NumCollectors-1:0][TablePorts-1:0] lookup_bank_i,
  input queue_view_t [ResultWidth-1:0][QueueDepth-1:0]   queue_i,
  input source_set_t                                     waits_i [NumCollectors],
  input cache_bank_t                                     bank_i [NumCollectors][NumSources],
  input reg_t                                            register_i [NumCollectors][NumSources],
  input source_set_t [NumCollectors-1:0]                 looked_i,
  input collector_t                                      turn_i
);

  source_set_t [NumCollectors-1:0]                    queued, could, again;
  logic        [NumCollectors-1:0]                    enters, looks;
  source_set_t [NumCollectors-1:0]                    port;      // by which a source is looked up
  source_set_t [NumCollectors-1:0]                    wrong_register, not_lowest;
  logic        [NumCollectors-1:0][NumCollectors-1:0] same, sooner, twins, late, reason;
  source_set_t [NumCollectors-1:0]                    waited_q, looked_q, forgotten, wrong_bank;
  cache_bank_t [NumCollectors-1:0][NumSources-1:0]    found_q;

  for (genvar c = 0; c < NumCollectors; c++) begin : gen_collector
    for (genvar s = 0; s < NumSources; s++) begin : gen_source
      always_comb begin : results
        queued[c][s] = 1'b0;
        for (int unsigned p = 0; p < ResultWidth; p++) begin
          for (int unsigned e = 0; e < QueueDepth; e++) begin
            if (queue_i[p][e].valid && !queue_i[p][e].leaving &&
                queue_i[p][e].warp == lookup_warp_i[c] &&
                queue_i[p][e].reg_no == register_i[c][s]) begin
              queued[c][s] = 1'b1;
            end
          end
        end
      end

      assign could[c][s] = waits_i[c][s] && !queued[c][s];
      if (s == 0) begin : gen_lowest
        assign port[c][s]       = 1'b0;
        assign not_lowest[c][s] = could[c][s] && looks[c] && !looked_i[c][s];
      end else begin : gen_higher
        assign port[c][s]       = looked_i[c][s-1:0] != '0;
        assign not_lowest[c][s] = could[c][s] && looks[c] && !looked_i[c][s] &&
                                  $countones(looked_i[c][s-1:0]) != TablePorts;
      end
      assign wrong_register[c][s] = looked_i[c][s] &&
          !(lookup_valid_i[c][port[c][s]] &&
            lookup_register_i[c][port[c][s]] == register_i[c][s]);
      assign again[c][s]          = looked_q[c][s] && waits_i[c][s];
      assign forgotten[c][s]      = waited_q[c][s] && !looked_q[c][s] && !waits_i[c][s];
      assign wrong_bank[c][s]     = looked_q[c][s] && bank_i[c][s] != found_q[c][s];

      always_ff @(posedge clk_i) begin : answer
        found_q[c][s] <= lookup_bank_i[c][port[c][s]];
      end
    end

    always_comb begin : entering
      enters[c] = 1'b0;
      for (int unsigned i = 0; i < IssueWidth; i++) begin
        if (accept_i[i] && collector_i[i] == collector_t'(c)) enters[c] = 1'b1;
      end
    end

    assign looks[c] = lookup_valid_i[c] != '0;
    for (genvar o = 0; o < NumCollectors; o++) begin : gen_other
      assign same[c][o]   = o != c && lookup_warp_i[o] == lookup_warp_i[c];
      assign sooner[c][o] = collector_t'(collector_t'(o) - turn_i) <
                            collector_t'(collector_t'(c) - turn_i);
      assign twins[c][o]  = same[c][o] && looks[c] && looks[o];
      assign late[c][o]   = same[c][o] && looks[c] && could[o] != '0 && sooner[c][o];
      assign reason[c][o] = same[c][o] && could[o] != '0 && sooner[c][o];
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin : past
      if (!rst_ni) begin
        waited_q[c] <= '0;
        looked_q[c] <= '0;
      end else begin
        waited_q[c] <= enters[c] ? '0 : waits_i[c];
        looked_q[c] <= enters[c] ? '0 : looked_i[c];
      end
    end
  end

  logic [NumCollectors-1:0] idle;

  always_comb begin : without_reason
    for (int unsigned c = 0; c < NumCollectors; c++) begin
      idle[c] = could[c] != '0 && !looks[c] && reason[c] == '0;
    end
  end

  always_comb begin : checks
    if (rst_ni) begin
      NotBehindAResult : assert ((looked_i & ~could) == '0);
      OneCollectorAWarp : assert (twins == '0);
      FirstInTurn : assert (late == '0);
      WaitsForItsWarp : assert (idle == '0);
      LowestSources : assert (not_lowest == '0);
      PortNamesRegister : assert (wrong_register == '0);
      LookedUpOnce : assert (again == '0);
      NotForgotten : assert (forgotten == '0);
      BankOfItsTable : assert (wrong_bank == '0);
      SecondPortAfterWait :
      cover ((looked_i[0] & port[0] & waited_q[0]) != '0 && reason[1][0] && !looks[1]);
    end
  end

endmodule

bind operand_lookup operand_lookup_formal #(
  .IssueWidth (IssueWidth),
  .ResultWidth(ResultWidth)
) u_formal (
  .clk_i,
  .rst_ni,
  .issue_i,
  .accept_i,
  .collector_i,
  .lookup_warp_i    (lookup_warp_o),
  .lookup_valid_i   (lookup_valid_o),
  .lookup_register_i(lookup_register_o),
  .lookup_bank_i,
  .queue_i,
  .waits_i          (waits_o),
  .bank_i           (bank_o),
  .register_i       (register_q),
  .looked_i         (looked),
  .turn_i           (turn_q)
);
