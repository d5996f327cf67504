// Requests on their way to L2, in order.
//
// At most one is put in each cycle. Its place is taken in the tagging stage; the data of a
// write-back arrive two cycles later, and the head waits for them.
module lower_queue
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  // from the tagging stage
  input  logic         push_i,
  input  lower_kind_e  kind_i,
  input  mshr_t        id_i,
  input  line_t        line_i,
  input  bytes_t       byte_mask_i,
  input  data_t        data_i,        // of a bypass write
  output logic         room_o,
  output lower_t       entry_o,       // place of the request put in
  // from the data banks: the line of a write-back
  input  logic         evicted_i,
  input  lower_t       evicted_entry_i,
  input  data_t        evicted_data_i,
  // to L2
  output mem_lower_request_t lower_request_o,
  output data_t        lower_request_data_o,
  input  logic         lower_ready_i,
  // to the memory unit, the events
  output logic         popped_o,
  output logic         empty_o,
  output logic [3:0]   level_o
);

  logic [LowerEntries-1:0] ready_q;
  lower_kind_e             kind_q  [LowerEntries];
  mshr_t                   id_q    [LowerEntries];
  line_t                   line_q  [LowerEntries];
  bytes_t                  bytes_q [LowerEntries];
  data_t                   data_q  [LowerEntries];
  lower_t                  head_q, tail_q;
  logic [LowerBits:0]      count_q;
  logic                    offered, pop;

  assign offered = count_q != '0 && ready_q[head_q];
  assign pop     = offered && lower_ready_i;
  assign room_o  = count_q != (LowerBits + 1)'(LowerEntries);
  assign entry_o = tail_q;

  always_comb begin : head
    lower_request_o           = '0;
    lower_request_o.valid     = offered;
    lower_request_o.kind      = kind_q[head_q];
    lower_request_o.id        = 8'(id_q[head_q]);
    lower_request_o.line      = {line_q[head_q], OffsetBits'(0)};
    lower_request_o.byte_mask = bytes_q[head_q];
  end

  assign lower_request_data_o = data_q[head_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      ready_q <= '0;
      head_q  <= '0;
      tail_q  <= '0;
      count_q <= '0;
    end else begin
      count_q <= count_q + (LowerBits + 1)'(push_i) - (LowerBits + 1)'(pop);
      if (pop) head_q <= head_q + lower_t'(1);
      if (evicted_i) ready_q[evicted_entry_i] <= 1'b1;
      if (push_i) begin
        tail_q          <= tail_q + lower_t'(1);
        ready_q[tail_q] <= kind_i != LowerWriteBack;
      end
    end
  end

  always_ff @(posedge clk_i) begin : payload
    if (push_i) begin
      kind_q[tail_q]  <= kind_i;
      id_q[tail_q]    <= id_i;
      line_q[tail_q]  <= line_i;
      bytes_q[tail_q] <= byte_mask_i;
      if (kind_i == LowerBypassWrite) data_q[tail_q] <= data_i;
    end
    if (evicted_i) data_q[evicted_entry_i] <= evicted_data_i;
  end

  assign popped_o = pop;
  assign empty_o  = count_q == '0;
  assign level_o  = 4'(count_q);

endmodule
