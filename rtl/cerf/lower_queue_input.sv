// Which request to L2 is put into the queue in this cycle: a write-back, a spilled register that is
// fetched, or the load or store looked up.
module lower_queue_input
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input  logic          room_i,
  // from the tag banks
  input  tag_bank_set_t push_i,
  input  logic          evict_i [NumTagBanks],
  input  line_t         evicted_i [NumTagBanks],
  input  logic          refills_i [NumTagBanks],
  input  line_t         line_i [NumTagBanks],    // of the operation
  // the load or store that is looked up
  input  op_e           access_op_i,
  input  line_t         access_line_i,
  input  bytes_t        access_bytes_i,
  input  lower_kind_e   past_kind_i,
  input  mshr_t         mshr_i,         // the one it takes
  output tag_bank_set_t pushed_o,
  output lower_kind_e   kind_o,
  output mshr_t         id_o,           // zero for what is not answered
  output line_t         line_o,
  output bytes_t        byte_mask_o
);

  tag_bank_set_t first;

  lowest_bit #(
    .Width(NumTagBanks)
  ) u_turn (
    .set_i  (push_i),
    .valid_o(),
    .bit_o  (first),
    .index_o()
  );

  assign pushed_o = room_i ? first : '0;

  always_comb begin : choose
    line_o      = access_line_i;
    byte_mask_o = '1;
    unique case (access_op_i)
      OpStore: kind_o = LowerBypassWrite;
      OpBypass: kind_o = past_kind_i;
      default: kind_o = LowerFill;
    endcase
    if (kind_o == LowerBypassWrite) byte_mask_o = access_bytes_i;
    for (int unsigned b = 0; b < NumTagBanks; b++) begin
      if (pushed_o[b] && evict_i[b]) begin
        kind_o      = LowerWriteBack;
        line_o      = evicted_i[b];
        byte_mask_o = '1;
      end else if (pushed_o[b] && refills_i[b]) begin
        kind_o      = LowerFill;
        line_o      = line_i[b];
        byte_mask_o = '1;
      end
    end
    id_o = (kind_o == LowerWriteBack || kind_o == LowerBypassWrite) ? '0 : mshr_i;
  end

endmodule
