// The queue to L2 gets the row of one write-back at a time, two cycles after its request; the
// address of a register there is the one that `locate` has at its place.
module lower_side_assertions
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input logic          clk_i,
  input logic          rst_ni,
  input logic          interleaved_i,
  input logic          push_i,
  input line_t         line_i,          // of the request, a register by its place
  input line_t         memory_line_i,
  input lower_kind_e   kind_i,
  input lower_t        entry_i,         // that it takes
  input tag_bank_set_t written_back_i,
  input logic          late_i,
  input lower_t        late_entry_i
);

  tag_bank_t bank;  // of the warp register that the address belongs to
  row_t      row;

  locate #(
    .NumBanks (NumTagBanks),
    .IndexBits(IndexBits)
  ) u_place (
    .base_i    (shell_pkg::index_t'(memory_line_i[IndexBits-1:0])),
    .register_i('0),
    .interleaved_i,
    .bank_o    (bank),
    .row_o     (row),
    .beyond_o  ()
  );

  logic [1:0] due_q;            // a write-back was put in one and two cycles ago
  lower_t     due_entry_q [2];

  always_ff @(posedge clk_i or negedge rst_ni) begin : due
    if (!rst_ni) due_q <= '0;
    else due_q <= {due_q[0], push_i && kind_i == LowerWriteBack};
  end

  always_ff @(posedge clk_i) begin : entries
    due_entry_q[0] <= entry_i;
    due_entry_q[1] <= due_entry_q[0];
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      OneWriteBackACycle :
      assert ($onehot0(written_back_i))
      else $error("OneWriteBackACycle: %b give a row to the queue", written_back_i);
      AddressOfItsPlace :
      assert (!(push_i && is_register(line_i)) ||
              (is_register(memory_line_i) && {row, bank} == line_i[IndexBits-1:0]))
      else $error("AddressOfItsPlace: place %h has the address %h", line_i, memory_line_i);
      LineComesWhenDue :
      assert (late_i == due_q[1] && (!late_i || late_entry_i == due_entry_q[1]))
      else $error("LineComesWhenDue: %b for entry %0d, due %b", late_i, late_entry_i, due_q[1]);
    end
  end

endmodule
