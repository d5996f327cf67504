// What the cache asks of the off-chip memory, from the cycle after the decision on.
//
// A write-back has the data of its line in that cycle, so that is when requests enter the queue. A
// victim with dirty bytes leaves in the cycle in which the line that takes its way is fetched: the
// write-back goes first, the fetch a cycle behind it, and no other request is decided on between.
module lower_stage
  import heddle_port_pkg::*;
  import osm_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,
  // the decision of this cycle
  input  action_e            action_i,
  input  logic               fetches_i,
  input  logic               writes_back_i,
  input  fill_t              fill_id_i,
  input  request_index_t     request_index_i,
  input  logic               atomic_i,       // what goes past
  input  number_t            wanted_i,
  input  number_t            victim_i,
  input  sector_set_t        sectors_i,
  input  byte_set_t          dirty_bytes_i,
  input  byte_set_t          store_bytes_i,
  output logic               room_o,         // for one request
  output logic               room_for_two_o,
  // the cycle after it
  input  line_data_t         data_i,
  // to the off-chip memory
  output mem_lower_request_t request_o,
  output line_data_t         data_o,
  input  logic               ready_i,
  output logic               empty_o
);

  mem_lower_request_t asked, leaves, staged_q, behind_q;
  logic               stage, staged_valid_q, behind_valid_q, queue_empty;
  logic [3:0]         count;  // in the queue
  byte_set_t          wanted_bytes;

  assign wanted_bytes = bytes_of(sectors_i);
  assign stage        = fetches_i || writes_back_i || action_i inside {ActThrough, ActPast};

  always_comb begin : request
    asked.valid     = 1'b1;
    asked.kind      = LowerFill;
    asked.id        = '0;
    asked.line      = address_of(wanted_i);
    asked.byte_mask = wanted_bytes;
    case (action_i)
      ActThrough: begin
        asked.kind      = LowerBypassWrite;
        asked.byte_mask = store_bytes_i;
      end
      ActPast: begin
        asked.kind        = atomic_i ? LowerAtomic : LowerBypassRead;
        asked.id          = LowerIdBits'(request_index_i);
        asked.id[AwayBit] = 1'b1;
      end
      default: asked.id = LowerIdBits'(fill_id_i);
    endcase
    leaves           = asked;
    leaves.kind      = LowerWriteBack;
    leaves.id        = '0;
    leaves.line      = address_of(victim_i);
    leaves.byte_mask = dirty_bytes_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      staged_valid_q <= 1'b0;
      behind_valid_q <= 1'b0;
    end else begin
      staged_valid_q <= behind_valid_q || stage;
      behind_valid_q <= fetches_i && writes_back_i;
    end
  end

  always_ff @(posedge clk_i) begin : payload
    staged_q <= behind_valid_q ? behind_q : writes_back_i ? leaves : asked;
    behind_q <= asked;
  end

  assign room_o         = !behind_valid_q && count + 4'(staged_valid_q) < 4'(LowerDepth);
  assign room_for_two_o = !behind_valid_q && count + 4'(staged_valid_q) < 4'(LowerDepth - 1);
  // one that is behind has one before it
  assign empty_o        = queue_empty && !staged_valid_q;

  lower_queue #(
    .Depth(LowerDepth)
  ) u_lower (
    .clk_i,
    .rst_ni,
    .push_i      (staged_valid_q),
    .request_i   (staged_q),
    .late_i      (1'b0),
    .data_i,
    .place_o     (),
    .room_o      (),
    .fill_i      (1'b0),
    .fill_place_i('0),
    .fill_data_i ('0),
    .request_o,
    .data_o,
    .ready_i,
    .popped_o    (),
    .empty_o     (queue_empty),
    .count_o     (count)
  );

endmodule
