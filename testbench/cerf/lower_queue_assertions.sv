// Nothing is lost on the way to L2, and what is offered stays until it is taken.
module lower_queue_assertions
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input logic               clk_i,
  input logic               rst_ni,
  input logic               push_i,
  input lower_kind_e        push_kind_i,
  input lower_t             entry_i,        // that it takes
  input logic               room_i,
  input logic               evicted_i,
  input lower_t             evicted_entry_i,
  input lower_kind_e        kind_i [LowerEntries],
  input logic [LowerEntries-1:0] ready_i,
  input mem_lower_request_t request_i,
  input logic               lower_ready_i
);

  mem_lower_request_t request_q;
  logic               stays_q;
  logic [1:0]         due_q;          // a write-back was put in one and two cycles ago
  lower_t             due_entry_q [2];

  always_ff @(posedge clk_i or negedge rst_ni) begin : cycle_before
    if (!rst_ni) begin
      stays_q   <= 1'b0;
      due_q     <= '0;
      request_q <= '0;
    end else begin
      stays_q   <= request_i.valid && !lower_ready_i;
      request_q <= request_i;
      due_q     <= {due_q[0], push_i && push_kind_i == LowerWriteBack};
    end
  end

  always_ff @(posedge clk_i) begin : entries
    due_entry_q[0] <= entry_i;
    due_entry_q[1] <= due_entry_q[0];
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      PushOnlyWithRoom :
      assert (!push_i || room_i)
      else $error("PushOnlyWithRoom: the queue to L2 is full");
      OfferedStays :
      assert (!stays_q || request_i == request_q)
      else $error("OfferedStays: %h became %h", request_q, request_i);
      LineOnlyForWriteBack :
      assert (!evicted_i || (kind_i[evicted_entry_i] == LowerWriteBack &&
                             !ready_i[evicted_entry_i]))
      else $error("LineOnlyForWriteBack: entry %0d", evicted_entry_i);
      LineComesWhenDue :
      assert (evicted_i == due_q[1] && (!evicted_i || evicted_entry_i == due_entry_q[1]))
      else $error("LineComesWhenDue: %b for entry %0d, due %b",
                  evicted_i, evicted_entry_i, due_q[1]);
    end
  end

endmodule
