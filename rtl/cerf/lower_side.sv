// The way to L2: which tag bank puts a request into the queue, the queue, and the rows of lines and
// registers on their way out, which the data banks deliver after their request.
module lower_side
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               interleaved_i,  // how registers lie, as locate says
  // from the tag banks
  input  tag_bank_set_t      push_i,
  input  logic               evict_i [NumTagBanks],
  input  line_t              evicted_i [NumTagBanks],
  input  logic               refills_i [NumTagBanks],
  input  line_t              line_i [NumTagBanks],
  output logic               room_o,
  output tag_bank_set_t      pushed_o,
  output line_t              line_o,
  output lower_t             entry_o,
  // from the memory side
  input  access_t            access_i,
  input  lower_kind_e        past_kind_i,
  input  mshr_t              mshr_i,
  // from the data banks
  input  target_e            target_i [NumTagBanks],
  input  lower_t             row_entry_i [NumTagBanks],
  input  data_t              row_data_i [NumTagBanks],
  // to L2
  output mem_lower_request_t lower_request_o,
  output data_t              lower_request_data_o,
  input  logic               lower_ready_i,
  output logic               popped_o,
  // to the end of a kernel and the events
  output logic               empty_o,
  output logic [3:0]         level_o
);

  mem_lower_request_t lower_request;
  line_t              memory_line;  // of a register, its reg-mem address
  logic [LowerBits:0] level;
  lower_kind_e   kind;
  mshr_t         id;
  bytes_t        bytes;
  logic          late;
  tag_bank_set_t written_back;  // data banks that deliver the row of a write-back
  tag_bank_t     late_bank;
  lower_t        late_entry;
  data_t         late_data;

  lower_queue_input u_push (
    .room_i        (room_o),
    .push_i,
    .evict_i,
    .evicted_i,
    .refills_i,
    .line_i,
    .access_op_i   (access_i.op),
    .access_line_i (access_i.line),
    .access_bytes_i(access_i.bytes),
    .past_kind_i,
    .mshr_i,
    .pushed_o,
    .kind_o        (kind),
    .id_o          (id),
    .line_o,
    .byte_mask_o   (bytes)
  );

  for (genvar b = 0; b < NumTagBanks; b++) begin : gen_written_back
    assign written_back[b] = target_i[b] == ToLower;
  end

  lowest_bit #(
    .Width(NumTagBanks)
  ) u_late (
    .set_i  (written_back),
    .valid_o(late),
    .bit_o  (),
    .index_o(late_bank)
  );

  assign late_entry = row_entry_i[late_bank];
  assign late_data  = row_data_i[late_bank];

  assign memory_line = is_register(line_o)
      ? {RegisterPrefix, index_at(line_o[IndexBits-1:0], interleaved_i)} : line_o;

  always_comb begin : request
    lower_request           = '0;
    lower_request.kind      = kind;
    lower_request.id        = LowerIdBits'(id);
    lower_request.line      = {memory_line, OffsetBits'(0)};
    lower_request.byte_mask = bytes;
  end

  lower_queue #(
    .Depth(LowerEntries)
  ) u_lower (
    .clk_i,
    .rst_ni,
    .push_i      (pushed_o != '0),
    .request_i   (lower_request),
    .late_i      (kind == LowerWriteBack),
    .data_i      (access_i.data),
    .place_o     (entry_o),
    .room_o,
    .fill_i      (late),
    .fill_place_i(late_entry),
    .fill_data_i (late_data),
    .request_o   (lower_request_o),
    .data_o      (lower_request_data_o),
    .ready_i     (lower_ready_i),
    .popped_o,
    .empty_o,
    .count_o     (level)
  );

  assign level_o = 4'(level);

endmodule
