// The banks, the data of the requests, and the way between them.
//
// Banks are read in the cycle of the decision. In the cycle after it words move between banks and
// lanes, atomic operations on integers are computed, and banks, request data, queue and ring are
// written. What comes from off chip is written then too, so no store is decided on beside it. Sums
// of floating-point numbers come out of their adders five cycles later and are written then.
module data_path
  import heddle_port_pkg::*;
  import osm_pkg::*;
#(
  parameter  int unsigned Sets      = 1,
  parameter  int unsigned Lanes     = NumLanes,
  localparam int unsigned SetBits   = (Sets > 1) ? $clog2(Sets) : 1,
  localparam int unsigned IndexBits = SetBits + WayBits,
  localparam int unsigned RowBits   = $clog2(Sets * NumWays)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // a request comes
  input  logic                   accept_i,
  input  request_index_t         accept_index_i,
  input  logic [Lanes-1:0][MaxWords-1:0][31:0] accept_data_i,
  // the decision of this cycle
  input  action_e                action_i,
  input  logic                   writes_back_i,  // line_i leaves with dirty bytes
  input  logic                   here_i,  // of a store that goes through: its line is in the cache
  input  logic [1:0]             kind_i,
  input  logic [3:0]             atomic_i,
  input  logic [2:0]             size_log2_i,
  input  address_t [Lanes-1:0]   address_i,
  input  request_index_t         request_index_i,
  input  logic [Lanes-1:0]       lanes_i,
  // of additions of floating-point numbers: what moves on, see addition_stages
  input  logic [5:0]             move_i,
  input  logic [3:0][3:0]        step_i,
  input  float_format_e          sum_format_i,
  input  bank_set_t              banks_i,
  input  logic [IndexBits-1:0]   row_i [NumBanks],
  input  logic [IndexBits-1:0]   line_i,
  // what comes from off chip, and the bytes of its line that it brings
  input  logic                   fill_i,
  input  logic [IndexBits-1:0]   fill_line_i,
  input  byte_set_t              fill_bytes_i,
  input  line_data_t             fill_data_i,
  // the cycle after the decision
  output line_data_t             line_data_o,
  output logic [Lanes-1:0][MaxWords-1:0][31:0] answer_data_o
);

  // ---- the decision, one cycle later ----
  logic                pass_q, fill_q, store_q, through_q, return_q;
  logic [1:0]          kind_q;
  logic [3:0]          atomic_q;
  logic [2:0]          size_log2_q;
  logic [Lanes-1:0][LineBits-1:0] offset_q;  // byte of its line that a lane accesses
  request_index_t      index_q;
  logic [Lanes-1:0]    lanes_q;
  logic [RowBits-1:0]  row_q [NumBanks];
  byte_set_t           fill_bytes_q;
  line_data_t          fill_data_q;
  logic                loads, adds;

  assign adds = kind_i == MemAtomic && adds_floats(atomic_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin : stage
    if (!rst_ni) begin
      pass_q   <= 1'b0;
      fill_q   <= 1'b0;
      store_q  <= 1'b0;
      return_q <= 1'b0;
    end else begin
      pass_q   <= action_i == ActPass;
      fill_q   <= fill_i;
      store_q  <= (action_i == ActPass && kind_i != MemRead && !adds) ||
                  (action_i == ActThrough && here_i);
      return_q <= action_i == ActReturn;
    end
  end

  always_ff @(posedge clk_i) begin : stage_payload
    through_q <= action_i == ActThrough;
    if (action_i inside {ActPass, ActRelease, ActThrough, ActReturn}) begin
      kind_q      <= kind_i;
      atomic_q    <= atomic_i;
      size_log2_q <= size_log2_i;
      for (int unsigned l = 0; l < Lanes; l++) offset_q[l] <= address_i[l][LineBits-1:0];
      index_q     <= request_index_i;
      lanes_q     <= lanes_i;
    end
    if (fill_i) fill_bytes_q <= fill_bytes_i;
    if (fill_i || action_i == ActReturn) fill_data_q <= fill_data_i;
    for (int unsigned b = 0; b < NumBanks; b++) begin
      row_q[b] <= fill_i ? RowBits'(fill_line_i) : RowBits'(row_i[b]);
    end
  end

  assign loads = (pass_q && kind_q != MemWrite) || return_q;

  // ---- additions, stage by stage; the words are in the adders ----
  logic [2:0]          sum_size_q [5];
  logic [Lanes-1:0]    sum_lanes_q [5];
  logic [RowBits-1:0]  sum_row_q [5][NumBanks];
  logic [Lanes-1:0][LineBits-1:0] sum_offset_q [5];
  logic                sums;  // are written

  assign sums = move_i[5];

  always_ff @(posedge clk_i) begin : additions
    if (move_i[0]) begin
      sum_size_q[0]   <= size_log2_q;
      sum_lanes_q[0]  <= lanes_q;
      sum_row_q[0]    <= row_q;
      sum_offset_q[0] <= offset_q;
    end
    for (int unsigned k = 1; k < 5; k++) begin
      if (move_i[k]) begin
        sum_size_q[k]   <= sum_size_q[k-1];
        sum_lanes_q[k]  <= sum_lanes_q[k-1];
        sum_row_q[k]    <= sum_row_q[k-1];
        sum_offset_q[k] <= sum_offset_q[k-1];
      end
    end
  end

  // ---- banks ----
  bank_set_t               read;
  line_data_t              bank_data, write_data, routed_data;
  logic [NumBanks-1:0][3:0] write_bytes, routed_bytes;

  always_comb begin : reads
    read = '0;
    if (action_i == ActPass && kind_i != MemWrite) read = banks_i;
    if (writes_back_i) read = '1;
  end

  for (genvar b = 0; b < NumBanks; b++) begin : gen_bank
    assign write_bytes[b] = fill_q ? fill_bytes_q[4*b+:4] :
                            (store_q || sums) ? routed_bytes[b] : '0;
    assign write_data[b]  = fill_q ? fill_data_q[b] : routed_data[b];

    shared_bank #(
      .Rows(Sets * NumWays)
    ) u_bank (
      .clk_i,
      .read_i       (read[b]),
      .read_row_i   ((action_i == ActPass) ? RowBits'(row_i[b]) : RowBits'(line_i)),
      .read_data_o  (bank_data[b]),
      .write_bytes_i(write_bytes[b]),
      .write_row_i  (sums ? sum_row_q[4][b] : row_q[b]),
      .write_data_i (write_data[b])
    );
  end

  assign line_data_o = through_q ? routed_data : bank_data;

  // ---- lanes ----
  logic [Lanes-1:0][MaxWords-1:0][31:0] data_q [NumRequests];
  logic [Lanes-1:0][MaxWords-1:0][31:0] held, loaded, stored;

  assign held = data_q[index_q];

  lane_gather #(
    .Lanes(Lanes)
  ) u_gather (
    .enable_i   (loads),
    .size_log2_i(size_log2_q),
    .offset_i   (offset_q),
    .line_i     (return_q ? fill_data_q : bank_data),
    .words_o    (loaded)
  );

  lane_scatter #(
    .Lanes(Lanes)
  ) u_scatter (
    .lanes_i    (sums ? sum_lanes_q[4] : lanes_q),
    .size_log2_i(sums ? sum_size_q[4] : size_log2_q),
    .offset_i   (sums ? sum_offset_q[4] : offset_q),
    .words_i    (stored),
    .line_o     (routed_data),
    .bytes_o    (routed_bytes)
  );

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [63:0] result, sum, written;

    atomic_unit u_atomic (
      .operation_i(atomic_q),
      .size_log2_i(size_log2_q),
      .old_i      (loaded[l][1:0]),
      .operand_i  (held[l][1:0]),
      .swap_i     (held[l][3:2]),
      .new_o      (result)
    );

    float_unit u_float (
      .clk_i,
      .take_i   (move_i[0]),
      .old_i    (loaded[l][1:0]),
      .operand_i(held[l][1:0]),
      .step_i,
      .format_i (sum_format_i),
      .sum_o    (sum)
    );

    assign written = sums ? sum : (kind_q == MemAtomic) ? result : held[l][1:0];

    assign stored[l][1:0] = written;
    assign stored[l][3:2] = held[l][3:2];

    for (genvar w = 0; w < MaxWords; w++) begin : gen_answer
      assign answer_data_o[l][w] = (loads && lanes_q[l]) ? loaded[l][w] : held[l][w];
    end
  end

  always_ff @(posedge clk_i) begin : request_data
    if (loads) data_q[index_q] <= answer_data_o;
    if (accept_i) data_q[accept_index_i] <= accept_data_i;
  end

endmodule
