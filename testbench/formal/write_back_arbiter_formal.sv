// Who writes to each bank, by the order that is promised: the oldest result, then the buffer whose
// warp left first, then the other.
module write_back_arbiter_formal
  import shell_pkg::*;
  import hybrid_pkg::*;
(
  input logic [SttBanks-1:0] bank_open_i,
  input logic                late_i,
  input logic                late_bank_i,
  input logic [Buffers-1:0]  entry_i,
  input logic [Buffers-1:0]  entry_bank_i,
  input logic                youngest_i,
  input logic                late_grant_i,
  input logic [Buffers-1:0]  entry_grant_i,
  input logic [SttBanks-1:0] write_i,
  input logic [SttBanks-1:0] from_buffer_i,
  input logic [SttBanks-1:0] buffer_i
);

  for (genvar b = 0; b < SttBanks; b++) begin : gen_bank
    logic late, old, young;  // who wants to write to this bank

    assign late  = late_i && late_bank_i == 1'(b);
    assign old   = entry_i[!youngest_i] && entry_bank_i[!youngest_i] == 1'(b);
    assign young = entry_i[youngest_i] && entry_bank_i[youngest_i] == 1'(b);

    always_comb begin : checks
      WritesWhenOpen : assert (write_i[b] == (bank_open_i[b] && (late || old || young)));
      ResultFirst : assert (!write_i[b] || from_buffer_i[b] == !late);
      FirstLeftFirst :
      assert (!write_i[b] || !from_buffer_i[b] ||
              buffer_i[b] == (old ? !youngest_i : youngest_i));
    end
  end

  for (genvar e = 0; e < Buffers; e++) begin : gen_buffer
    always_comb begin : checks
      EntryGrantTells :
      assert (entry_grant_i[e] == (entry_i[e] && write_i[entry_bank_i[e]] &&
                                   from_buffer_i[entry_bank_i[e]] &&
                                   buffer_i[entry_bank_i[e]] == 1'(e)));
    end
  end

  always_comb begin : checks
    LateGrantTells :
    assert (late_grant_i == (late_i && write_i[late_bank_i] && !from_buffer_i[late_bank_i]));
    BothWrite : cover (write_i == '1 && late_grant_i && entry_i == '1 && entry_grant_i == 2'b01);
  end

endmodule

bind write_back_arbiter write_back_arbiter_formal u_formal (
  .bank_open_i,
  .late_i,
  .late_bank_i,
  .entry_i,
  .entry_bank_i,
  .youngest_i,
  .late_grant_i (late_grant_o),
  .entry_grant_i(entry_grant_o),
  .write_i      (write_o),
  .from_buffer_i(from_buffer_o),
  .buffer_i     (buffer_o)
);
