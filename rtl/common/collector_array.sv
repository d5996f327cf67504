// Control state of the operand collectors; their data lie in operand_store.
//
// A collector holds one instruction from its issue until operand_dispatch takes it. Each source
// has two bits: `pending` until its read is granted, `missing` until the data arrive. When a source
// can be read, and where, says the design: it grants any sources of any collectors. Sources that
// name the same register are read one by one.
//
// An instruction takes the lowest free collector; with InOrder, collectors are a ring in the order
// of issue, and an instruction waits until the next place of it is free.
module collector_array
  import heddle_port_pkg::*;
  import shell_pkg::*;
#(
  parameter  int unsigned IssueWidth    = 2,
  parameter  int unsigned NumCollectors = DefaultCollectors,
  parameter  int unsigned NumPorts      = DefaultBanks,  // operands that may arrive at once
  parameter  bit          InOrder       = 1'b0,
  localparam int unsigned CollectorBits = $clog2(NumCollectors)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  // from the SM's issue stage
  input  issue_t [IssueWidth-1:0]  issue_i,
  output logic [IssueWidth-1:0]    issue_ready_o,
  // to the design: the instructions that enter, and the reads that are left
  output logic [IssueWidth-1:0]    accept_o,
  output logic [CollectorBits-1:0] collector_o [IssueWidth],  // meaningful where accept_o
  output source_set_t              pending_o [NumCollectors],
  // from the design: reads that begin, and data of earlier ones
  input  source_set_t              granted_i [NumCollectors],
  input  logic [NumPorts-1:0]      deliver_i,
  input  logic [CollectorBits-1:0] deliver_collector_i [NumPorts],
  input  source_t                  deliver_source_i [NumPorts],
  // to and from dispatch
  output logic [NumCollectors-1:0] complete_o,
  input  logic [NumCollectors-1:0] dispatch_i,
  output logic [TagBits-1:0]       tag_o [NumCollectors],
  output source_set_t              sources_o [NumCollectors],
  // to the events
  output logic [NumCollectors-1:0] allocated_o,
  output logic [NumCollectors-1:0] in_use_o,
  output logic [IssueWidth-1:0]    stall_o
);

  logic [NumCollectors-1:0] valid_q, valid_d;
  logic [IssueWidth-1:0]    ready_q, ready_d;
  logic [TagBits-1:0]       tag_q     [NumCollectors];
  source_set_t              sources_q [NumCollectors];
  source_set_t              pending_q [NumCollectors];
  source_set_t              pending_d [NumCollectors];
  source_set_t              missing_q [NumCollectors];
  source_set_t              missing_d [NumCollectors];

  // ---- allocation ----
  for (genvar slot = 0; slot < IssueWidth; slot++) begin : gen_slot
    assign accept_o[slot] = issue_i[slot].valid && ready_q[slot];
    assign stall_o[slot]  = issue_i[slot].valid && !ready_q[slot];
  end

  assign valid_d = (valid_q & ~dispatch_i) | allocated_o;

  if (InOrder) begin : gen_ring
    logic [CollectorBits-1:0] tail_q, tail_d;
    logic                     all_free;

    always_comb begin : allocate
      tail_d      = tail_q;
      allocated_o = '0;
      for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
        collector_o[slot] = tail_d;
        if (accept_o[slot]) begin
          allocated_o[tail_d] = 1'b1;
          tail_d              = tail_d + CollectorBits'(1);
        end
      end
    end

    // A slot is ready when its place from the tail on is free, and those before it.
    always_comb begin : places
      all_free = 1'b1;
      for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
        all_free      = all_free && !valid_d[tail_d+CollectorBits'(slot)];
        ready_d[slot] = all_free;
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin : tail
      if (!rst_ni) begin
        tail_q <= '0;
      end else begin
        tail_q <= tail_d;
      end
    end
  end else begin : gen_lowest
    logic [CollectorBits:0] free_count;

    lowest_picks #(
      .Width(NumCollectors),
      .Picks(IssueWidth)
    ) u_allocate (
      .set_i  (~valid_q),
      .take_i (accept_o),
      .index_o(collector_o),
      .taken_o(allocated_o)
    );

    assign free_count = (CollectorBits + 1)'($countones(~valid_d));

    for (genvar slot = 0; slot < IssueWidth; slot++) begin : gen_ready
      assign ready_d[slot] = free_count > (CollectorBits + 1)'(slot);
    end
  end

  // ---- sources ----
  always_comb begin : next_sources
    missing_d = missing_q;
    for (int unsigned c = 0; c < NumCollectors; c++) pending_d[c] = pending_q[c] & ~granted_i[c];
    for (int unsigned p = 0; p < NumPorts; p++) begin
      if (deliver_i[p]) missing_d[deliver_collector_i[p]][deliver_source_i[p]] = 1'b0;
    end
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      if (accept_o[slot]) begin
        pending_d[collector_o[slot]] = issue_i[slot].source_valid;
        missing_d[collector_o[slot]] = issue_i[slot].source_valid;
      end
    end
  end

  for (genvar c = 0; c < NumCollectors; c++) begin : gen_complete
    assign complete_o[c] = valid_q[c] && missing_q[c] == '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      valid_q   <= '0;
      ready_q   <= '1;
      pending_q <= '{default: '0};
      missing_q <= '{default: '0};
    end else begin
      valid_q   <= valid_d;
      ready_q   <= ready_d;
      pending_q <= pending_d;
      missing_q <= missing_d;
    end
  end

  always_ff @(posedge clk_i) begin : payload
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      if (accept_o[slot]) begin
        tag_q[collector_o[slot]]     <= issue_i[slot].tag;
        sources_q[collector_o[slot]] <= issue_i[slot].source_valid;
      end
    end
  end

  assign issue_ready_o = ready_q;
  assign pending_o     = pending_q;
  assign tag_o         = tag_q;
  assign sources_o     = sources_q;
  assign in_use_o      = valid_q;

endmodule
