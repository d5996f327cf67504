// What the buffer of requests must be seen to do: empty, full, all waiting, a younger request
// served before an older one that waits, a line that comes as its request begins to wait, and
// lines for which one request and several have waited.
module request_buffer_covers
  import osm_pkg::*;
(
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic                   accept_i,
  input logic                   finish_i,
  input logic [NumRequests-1:0] in_use_i,
  input logic [NumRequests-1:0] candidates_i,  // that do not wait
  input logic [NumRequests-1:0] older_i,       // than the one that is served, in lower places
  input logic                   wait_lines_i,
  input logic                   comes_now_i,
  input logic [NumRequests-1:0] active_i,      // that do not wait for lines
  input way_set_t               awaited_i [NumRequests],
  input logic                   wake_i,
  input way_t                   wake_class_i
);

  logic                   full;
  logic [NumRequests-1:0] woken;  // that wait for the line that comes

  assign full = in_use_i == '1;

  for (genvar r = 0; r < NumRequests; r++) begin : gen_woken
    assign woken[r] = wake_i && in_use_i[r] && !active_i[r] && awaited_i[r][wake_class_i];
  end

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  Empty : cover property (in_use_i == '0);
  Full : cover property (full);
  IntoEmpty : cover property (accept_i && in_use_i == '0);
  LastLeaves : cover property (finish_i && !accept_i && $onehot(in_use_i));
  InAndOut : cover property (accept_i && finish_i);
  AllWait : cover property (in_use_i != '0 && candidates_i == '0);
  YoungerOvertakes : cover property (candidates_i != '0 && (older_i & in_use_i) != '0);
  BeginsToWait : cover property (wait_lines_i && !comes_now_i);
  ComesAsItBeginsToWait : cover property (wait_lines_i && comes_now_i);
  WakesOne : cover property ($onehot(woken));
  WakesSeveral : cover property ($countones(woken) > 1);

endmodule
