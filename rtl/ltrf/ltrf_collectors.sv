// The operand collectors: look operands up, read them from the cache banks, hand instructions out.
//
// A collector holds, besides what the baseline's holds, the warp offset and the cache bank of every
// operand (figure 11, right). After its allocation it looks its operands up, two a cycle at most
// (TablePorts); collectors of the same warp share the ports, and the one that comes first in
// rotating order has them. An operand whose register has a result queued waits. Then every operand
// asks for its cache bank; per bank write-backs go first, then one collector in rotating order. The
// data reach the collector one cycle after the read. A register named twice is looked up and read
// twice.
module ltrf_collectors import heddle_port_pkg::*, ltrf_pkg::*; #(
  parameter int unsigned IssueWidth  = 2,
  parameter int unsigned ResultWidth = 2
) (
  input  logic                                            clk_i,
  input  logic                                            rst_ni,
  input  issue_t      [IssueWidth-1:0]                    issue_i,
  output logic        [IssueWidth-1:0]                    issue_ready_o,
  output operands_t   [IssueWidth-1:0]                    operands_o,
  output data_t       [IssueWidth-1:0][NumSources-1:0]    operand_data_o,
  input  logic        [IssueWidth-1:0]                    operands_ready_i,
  // look-up
  output warp_t       [NumCollectors-1:0]                 lookup_warp_o,
  output logic        [NumCollectors-1:0][TablePorts-1:0] lookup_valid_o,
  output reg_t        [NumCollectors-1:0][TablePorts-1:0] lookup_register_o,
  input  cache_bank_t [NumCollectors-1:0][TablePorts-1:0] lookup_bank_i,
  input  slot_t       [NumCollectors-1:0]                 lookup_slot_i,
  input  queue_view_t [ResultWidth-1:0][QueueDepth-1:0]   queue_i,
  // cache banks
  input  logic        [NumCacheBanks-1:0]                 cache_taken_i,   // read by a write-back
  output logic        [NumCacheBanks-1:0]                 read_o,
  output slot_t       [NumCacheBanks-1:0]                 read_slot_o,
  input  data_t       [NumCacheBanks-1:0]                 read_data_i,
  // events
  output logic        [NumCollectors-1:0]                 allocated_o,
  output logic        [NumCollectors-1:0]                 dispatched_o,
  output logic        [NumCacheBanks-1:0]                 conflict_o
);

  typedef logic [NumSources-1:0] sources_t;

  logic        valid_q    [NumCollectors];
  logic [TagBits-1:0] tag_q [NumCollectors];
  warp_t       warp_q     [NumCollectors];
  slot_t       slot_q     [NumCollectors];
  sources_t    used_q     [NumCollectors];
  sources_t    look_q     [NumCollectors];  // to be looked up
  sources_t    read_q     [NumCollectors];  // to be read
  sources_t    missing_q  [NumCollectors];  // data not there yet
  reg_t        register_q [NumCollectors][NumSources];
  cache_bank_t bank_q     [NumCollectors][NumSources];
  data_t       data_q     [NumCollectors][NumSources];

  // ---- look-up ----
  collector_t                                turn_q;
  logic     [NumWarps-1:0]                   warp_served;
  sources_t [NumCollectors-1:0]              looked;
  source_t  [NumCollectors-1:0][TablePorts-1:0] look_source;
  collector_t                                lc;
  logic                                      queued;
  logic     [1:0]                            ports_used;

  always_comb begin : look_up
    warp_served       = '0;
    looked            = '0;
    look_source       = '0;
    lookup_valid_o    = '0;
    lookup_register_o = '0;
    lc                = '0;
    queued            = 1'b0;
    ports_used        = '0;
    for (int unsigned k = 0; k < NumCollectors; k++) begin
      lc = turn_q + collector_t'(k);
      if (look_q[lc] != '0 && !warp_served[warp_q[lc]]) begin
        ports_used = '0;
        for (int unsigned s = 0; s < NumSources; s++) begin
          if (look_q[lc][s] && ports_used != 2'(TablePorts)) begin
            queued = 1'b0;
            for (int unsigned p = 0; p < ResultWidth; p++) begin
              for (int unsigned e = 0; e < QueueDepth; e++) begin
                if (queue_i[p][e].valid && !queue_i[p][e].leaving &&
                    queue_i[p][e].warp == warp_q[lc] &&
                    queue_i[p][e].reg_no == register_q[lc][s]) begin
                  queued = 1'b1;
                end
              end
            end
            if (!queued) begin
              looked[lc][s]                        = 1'b1;
              lookup_valid_o[lc][ports_used[0]]    = 1'b1;
              lookup_register_o[lc][ports_used[0]] = register_q[lc][s];
              look_source[lc][ports_used[0]]       = source_t'(s);
              ports_used                           = ports_used + 2'd1;
              warp_served[warp_q[lc]]              = 1'b1;
            end
          end
        end
      end
    end
  end

  always_comb begin : look_up_warps
    for (int unsigned c = 0; c < NumCollectors; c++) begin
      lookup_warp_o[c] = warp_q[c];
    end
  end

  // ---- cache read: one collector a bank ----
  logic       [NumCacheBanks-1:0][NumCollectors-1:0] request;
  source_t                                           request_source [NumCacheBanks][NumCollectors];
  logic       [NumCacheBanks-1:0]                    bank_valid;
  collector_t [NumCacheBanks-1:0]                    winner;

  always_comb begin : requests
    request = '0;
    for (int unsigned b = 0; b < NumCacheBanks; b++) begin
      for (int unsigned c = 0; c < NumCollectors; c++) request_source[b][c] = '0;
    end
    for (int unsigned c = 0; c < NumCollectors; c++) begin
      if (read_q[c] != '0) begin
        for (int unsigned s = NumSources; s > 0; s--) begin
          if (read_q[c][s-1]) begin
            request[bank_q[c][s-1]][c]        = 1'b1;
            request_source[bank_q[c][s-1]][c] = source_t'(s - 1);
          end
        end
      end
    end
  end

  for (genvar b = 0; b < NumCacheBanks; b++) begin : gen_banks
    logic [NumCollectors-1:0] grant;

    rr_arbiter #(.Width(NumCollectors)) u_arbiter (
      .clk_i,
      .rst_ni,
      .request_i(request[b]),
      .advance_i(!cache_taken_i[b]),
      .valid_o  (bank_valid[b]),
      .grant_o  (grant),
      .index_o  (winner[b])
    );

    assign read_o[b]      = bank_valid[b] && !cache_taken_i[b];
    assign read_slot_o[b] = slot_q[winner[b]];
    assign conflict_o[b]  = bank_valid[b] && (cache_taken_i[b] || (request[b] & ~grant) != '0);
  end

  sources_t [NumCollectors-1:0] read_granted;

  always_comb begin : grants
    read_granted = '0;
    for (int unsigned b = 0; b < NumCacheBanks; b++) begin
      if (read_o[b]) read_granted[winner[b]][request_source[b][winner[b]]] = 1'b1;
    end
  end

  // ---- data, one cycle after the read ----
  logic       [NumCacheBanks-1:0] arriving_q;
  collector_t arriving_collector_q [NumCacheBanks];
  source_t    arriving_source_q    [NumCacheBanks];
  sources_t [NumCollectors-1:0] arrived;

  always_comb begin : arrivals
    arrived = '0;
    for (int unsigned b = 0; b < NumCacheBanks; b++) begin
      if (arriving_q[b]) arrived[arriving_collector_q[b]][arriving_source_q[b]] = 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : arrive
    if (!rst_ni) arriving_q <= '0;
    else arriving_q <= read_o;
  end

  always_ff @(posedge clk_i) begin : collect
    for (int unsigned b = 0; b < NumCacheBanks; b++) begin
      if (read_o[b]) begin
        arriving_collector_q[b] <= winner[b];
        arriving_source_q[b]    <= request_source[b][winner[b]];
      end
      if (arriving_q[b]) data_q[arriving_collector_q[b]][arriving_source_q[b]] <= read_data_i[b];
    end
  end

  // ---- dispatch: rotating order, one instruction for each free output ----
  collector_t                    dispatch_q;  // first in order
  logic       [IssueWidth-1:0]   output_valid_q, output_load;
  logic [TagBits-1:0]            output_tag_q    [IssueWidth];
  data_t                         output_data_q   [IssueWidth][NumSources];
  collector_t [IssueWidth-1:0]   output_from;
  collector_t                    dispatch_d, dc;

  always_comb begin : dispatch
    output_load  = '0;
    output_from  = '0;
    dispatched_o = '0;
    dispatch_d   = dispatch_q;
    dc           = '0;
    for (int unsigned o = 0; o < IssueWidth; o++) begin
      if (!output_valid_q[o] || operands_ready_i[o]) begin
        for (int unsigned k = 0; k < NumCollectors; k++) begin
          dc = dispatch_q + collector_t'(k);
          if (!output_load[o] && valid_q[dc] && missing_q[dc] == '0 && !dispatched_o[dc]) begin
            output_load[o]   = 1'b1;
            output_from[o]   = dc;
            dispatched_o[dc] = 1'b1;
            dispatch_d       = dc + collector_t'(1);
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : outputs
    if (!rst_ni) begin
      output_valid_q <= '0;
      dispatch_q     <= '0;
    end else begin
      dispatch_q <= dispatch_d;
      for (int unsigned o = 0; o < IssueWidth; o++) begin
        if (output_load[o]) output_valid_q[o] <= 1'b1;
        else if (operands_ready_i[o]) output_valid_q[o] <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin : output_payload
    for (int unsigned o = 0; o < IssueWidth; o++) begin
      if (output_load[o]) begin
        output_tag_q[o] <= tag_q[output_from[o]];
        for (int unsigned s = 0; s < NumSources; s++) begin
          if (used_q[output_from[o]][s]) output_data_q[o][s] <= data_q[output_from[o]][s];
        end
      end
    end
  end

  always_comb begin : output_ports
    for (int unsigned o = 0; o < IssueWidth; o++) begin
      operands_o[o].valid = output_valid_q[o];
      operands_o[o].tag   = output_tag_q[o];
      for (int unsigned s = 0; s < NumSources; s++) operand_data_o[o][s] = output_data_q[o][s];
    end
  end

  // ---- allocation: the lowest free collectors, one for each accepted slot ----
  logic       [IssueWidth-1:0] ready_q, ready_d, accept;
  collector_t [IssueWidth-1:0] target;
  logic       [NumCollectors-1:0] busy;
  logic       [CollectorBits:0]   free_count;

  always_comb begin : allocate
    allocated_o = '0;
    accept      = '0;
    target      = '0;
    for (int unsigned c = 0; c < NumCollectors; c++) busy[c] = valid_q[c];
    for (int unsigned i = 0; i < IssueWidth; i++) begin
      accept[i] = issue_i[i].valid && ready_q[i];
      if (accept[i]) begin
        for (int unsigned c = NumCollectors; c > 0; c--) begin
          if (!busy[c-1]) target[i] = collector_t'(c - 1);
        end
        busy[target[i]]        = 1'b1;
        allocated_o[target[i]] = 1'b1;
      end
    end
    free_count = '0;
    for (int unsigned c = 0; c < NumCollectors; c++) begin
      if (!busy[c] || dispatched_o[c]) free_count = free_count + 1'b1;
    end
    for (int unsigned i = 0; i < IssueWidth; i++) begin
      ready_d[i] = free_count > (CollectorBits+1)'(i);
    end
  end

  assign issue_ready_o = ready_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      ready_q <= '1;
      turn_q  <= '0;
      for (int unsigned c = 0; c < NumCollectors; c++) begin
        valid_q[c]   <= 1'b0;
        look_q[c]    <= '0;
        read_q[c]    <= '0;
        missing_q[c] <= '0;
      end
    end else begin
      ready_q <= ready_d;
      turn_q  <= turn_q + collector_t'(1);
      for (int unsigned c = 0; c < NumCollectors; c++) begin
        if (valid_q[c]) begin
          if (dispatched_o[c]) valid_q[c] <= 1'b0;
          look_q[c]    <= look_q[c] & ~looked[c];
          read_q[c]    <= (read_q[c] | looked[c]) & ~read_granted[c];
          missing_q[c] <= missing_q[c] & ~arrived[c];
        end
      end
      for (int unsigned i = 0; i < IssueWidth; i++) begin
        if (accept[i]) begin
          valid_q[target[i]]   <= 1'b1;
          look_q[target[i]]    <= issue_i[i].source_valid;
          read_q[target[i]]    <= '0;
          missing_q[target[i]] <= issue_i[i].source_valid;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin : payload
    for (int unsigned i = 0; i < IssueWidth; i++) begin
      if (accept[i]) begin
        tag_q[target[i]]  <= issue_i[i].tag;
        warp_q[target[i]] <= issue_i[i].warp;
        used_q[target[i]] <= issue_i[i].source_valid;
        for (int unsigned s = 0; s < NumSources; s++) begin
          register_q[target[i]][s] <= issue_i[i].source[s];
        end
      end
    end
    for (int unsigned c = 0; c < NumCollectors; c++) begin
      for (int unsigned p = 0; p < TablePorts; p++) begin
        if (lookup_valid_o[c][p]) begin
          bank_q[c][look_source[c][p]] <= lookup_bank_i[c][p];
          slot_q[c]                    <= lookup_slot_i[c];
        end
      end
    end
  end

endmodule
