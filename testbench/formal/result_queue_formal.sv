// The result queue against one of its own, with the data of a lane that the solver chooses.
module result_queue_formal
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
#(
  parameter  int unsigned ResultWidth   = 2,
  localparam int unsigned PlaceBits     = $clog2(2 * ResultWidth),
  localparam int unsigned Places        = 2 ** PlaceBits,
  localparam int unsigned LaneIndexBits = $clog2(NumLanes)
) (
  input logic                                           clk_i,
  input logic                                           rst_ni,
  input result_t [ResultWidth-1:0]                      result_i,
  input data_t   [ResultWidth-1:0]                      result_data_i,
  input logic    [ResultWidth-1:0]                      ready_i,
  input index_t                                         base_i [NumWarps],
  input logic                                           valid_i,
  input staged_t                                        oldest_i,
  input data_t                                          oldest_data_i,
  input logic                                           pop_i,
  input logic    [Places-1:0]                           held_i,
  input staged_t                                        held_entry_i [Places],
  input logic    [ResultWidth-1:0]                      accept_i,
  input logic    [ResultWidth-1:0]                      stall_i,
  input logic    [LevelBits-1:0]                        level_i,
  // what the queue keeps
  input logic    [PlaceBits-1:0]                        head_i,
  input logic    [PlaceBits:0]                          count_i,
  input data_t                                          kept_data_i [Places]
);

  localparam int unsigned CountBits = PlaceBits + 1;

  typedef struct packed {
    staged_t             entry;
    logic [LaneBits-1:0] data;  // of the chosen lane
  } item_t;

  logic [LaneIndexBits-1:0] lane_q;  // any: what the data are in the cycle of reset
  logic [CountBits-1:0]     count_q, stay;
  logic [PlaceBits-1:0]     left_q;                // results that left, modulo Places
  logic [CountBits-1:0]     ahead [ResultWidth];  // results that are older than that of the port
  item_t                    item_q [Places];       // by how many entered before it, modulo Places
  item_t                    enters [ResultWidth];

  assign stay = count_q - CountBits'(pop_i);

  for (genvar p = 0; p < ResultWidth; p++) begin : gen_port
    index_t index;
    assign index = base_i[result_i[p].warp] + index_t'(result_i[p].register);

    assign enters[p].entry.warp    = result_i[p].warp;
    assign enters[p].entry.number  = result_i[p].register[NumberBits-1:0];
    assign enters[p].entry.address = index[AddressBits-1:0];
    assign enters[p].entry.mask    = result_i[p].mask;
    assign enters[p].data          = result_data_i[p][lane_q];

    if (p == 0) begin : gen_first
      assign ahead[p] = stay;
    end else begin : gen_next
      assign ahead[p] = ahead[p-1] + CountBits'(accept_i[p-1]);
    end

    always_comb begin : checks
      if (rst_ni) begin
        ReadyIsFree : assert (ready_i[p] == (Places - 32'(count_q) > p));
        AcceptedOrStalled :
        assert (accept_i[p] == (result_i[p].valid && ready_i[p]) &&
                stall_i[p] == (result_i[p].valid && !ready_i[p]));
        NoOverflow : assert (!accept_i[p] || 32'(ahead[p]) < Places);
      end
    end
  end

  always_ff @(posedge clk_i) begin : choice
    if (!rst_ni) lane_q <= LaneIndexBits'(result_data_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : number
    if (!rst_ni) begin
      count_q <= '0;
      left_q  <= '0;
    end else begin
      count_q <= ahead[ResultWidth-1] + CountBits'(accept_i[ResultWidth-1]);
      left_q  <= left_q + PlaceBits'(pop_i);
    end
  end

  for (genvar e = 0; e < Places; e++) begin : gen_item
    logic [PlaceBits-1:0] behind;  // results that are older than the one that is or was here
    assign behind = PlaceBits'(e) - left_q;

    always_ff @(posedge clk_i) begin : queue
      for (int unsigned p = 0; p < ResultWidth; p++) begin
        if (accept_i[p] && left_q + PlaceBits'(pop_i) + ahead[p][PlaceBits-1:0] == PlaceBits'(e))
          item_q[e] <= enters[p];
      end
    end

    always_comb begin : checks
      if (rst_ni) begin
        HeldAreKept :
        assert (32'(count_q) <= 32'(behind) || (held_i[e] && held_entry_i[e] == item_q[e].entry));
        DataAreKept :
        assert (32'(count_q) <= 32'(behind) || kept_data_i[e][lane_q] == item_q[e].data);
        OthersAreNotHeld : assert (32'(count_q) > 32'(behind) || !held_i[e]);
      end
    end
  end

  always_comb begin : checks
    if (rst_ni) begin
      NoUnderflow : assume (!pop_i || count_q != '0);
      NothingLost : assert (valid_i == (count_q != '0));
      OldestFirst :
      assert (!valid_i || {oldest_i, oldest_data_i[lane_q]} == item_q[left_q]);
      LevelIsHeld : assert (level_i == LevelBits'(count_q));
      CountsAgree : assert (head_i == left_q && count_i == count_q && 32'(count_q) <= Places);
      FullAndPopped : cover (32'(count_q) == Places && pop_i && accept_i == '0 && held_i == '1);
    end
  end

endmodule

bind result_queue result_queue_formal #(
  .ResultWidth(ResultWidth)
) u_formal (
  .clk_i,
  .rst_ni,
  .result_i,
  .result_data_i,
  .ready_i      (result_ready_o),
  .base_i,
  .valid_i      (valid_o),
  .oldest_i     (oldest_o),
  .oldest_data_i(oldest_data_o),
  .pop_i,
  .held_i       (held_o),
  .held_entry_i (held_entry_o),
  .accept_i     (accept_o),
  .stall_i      (stall_o),
  .level_i      (level_o),
  .head_i       (head_q),
  .count_i      (count_q),
  .kept_data_i  (data_q)
);
