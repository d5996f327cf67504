// What is put into the queue to L2, written bank by bank and kind by kind.
module lower_queue_input_formal
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input logic          room_i,
  input tag_bank_set_t push_i,
  input logic          evict_i [NumTagBanks],
  input line_t         evicted_i [NumTagBanks],
  input logic          refills_i [NumTagBanks],
  input line_t         line_i [NumTagBanks],
  input op_e           access_op_i,
  input line_t         access_line_i,
  input bytes_t        access_bytes_i,
  input lower_kind_e   past_kind_i,
  input mshr_t         mshr_i,
  input tag_bank_set_t pushed_i,
  input lower_kind_e   kind_i,
  input mshr_t         id_i,
  input line_t         queued_line_i,
  input bytes_t        byte_mask_i
);

  logic [NumTagBanks-1:0] evicts, refills;
  lower_kind_e            access_kind;

  always_comb begin : access
    if (access_op_i == OpStore) access_kind = LowerBypassWrite;
    else if (access_op_i == OpBypass) access_kind = past_kind_i;
    else access_kind = LowerFill;
  end

  for (genvar b = 0; b < NumTagBanks; b++) begin : gen_bank
    logic lower;  // a lower bank asks
    assign evicts[b]  = evict_i[b];
    assign refills[b] = refills_i[b];
    if (b == 0) begin : gen_first
      assign lower = 1'b0;
    end else begin : gen_next
      assign lower = push_i[b-1:0] != '0;
    end

    always_comb begin : checks
      OnePushed : assert (pushed_i[b] == (room_i && push_i[b] && !lower));
      WriteBackQueued :
      assert (!(pushed_i[b] && evicts[b]) ||
              (kind_i == LowerWriteBack && queued_line_i == evicted_i[b] && byte_mask_i == '1));
      RefillQueued :
      assert (!(pushed_i[b] && refills[b] && !evicts[b]) ||
              (kind_i == LowerFill && queued_line_i == line_i[b] && byte_mask_i == '1));
    end
  end

  always_comb begin : checks
    AccessQueued :
    assert ((pushed_i & (evicts | refills)) != '0 ||
            (kind_i == access_kind && queued_line_i == access_line_i));
    StoreBytes :
    assert ((pushed_i & (evicts | refills)) != '0 ||
            byte_mask_i == (access_kind == LowerBypassWrite ? access_bytes_i : '1));
    AnsweredById :
    assert (id_i == ((kind_i == LowerWriteBack || kind_i == LowerBypassWrite) ? '0 : mshr_i));
    SecondBankWrites : cover (pushed_i == tag_bank_set_t'(2) && evicts[1] && push_i[NumTagBanks-1]);
  end

endmodule

bind lower_queue_input lower_queue_input_formal u_formal (
  .room_i,
  .push_i,
  .evict_i,
  .evicted_i,
  .refills_i,
  .line_i,
  .access_op_i,
  .access_line_i,
  .access_bytes_i,
  .past_kind_i,
  .mshr_i,
  .pushed_i     (pushed_o),
  .kind_i       (kind_o),
  .id_i         (id_o),
  .queued_line_i(line_o),
  .byte_mask_i  (byte_mask_o)
);
