// The integrated memory: four tag banks, each in front of the data banks that hold its entries.
//
// Everybody asks at once; each tag bank carries out one operation a cycle and says which.
module integrated_memory
  import heddle_port_pkg::*;
  import cerf_pkg::*;
#(
  parameter int unsigned Ways = 4
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                fair_i,
  // who asks: a line that came back
  input  logic                fill_i,
  input  line_t               fill_line_i,
  input  data_t               fill_data_i,
  // results
  input  tag_bank_set_t       write_i,
  input  index_t              write_place_i [NumTagBanks],
  input  logic [NumLanes-1:0] write_mask_i [NumTagBanks],
  input  data_t               write_data_i [NumTagBanks],
  // a load or store
  input  logic                lookup_i,
  input  logic                joins_i,
  input  access_t             access_i,
  // the end of a warp
  input  tag_bank_set_t       free_i,
  input  exit_group_t         free_group_i,
  input  exit_rows_t          free_rows_i [NumTagBanks],
  output tag_bank_set_t       freed_o,
  // the end of a launch
  input  logic                flush_i,
  input  line_t               flush_line_i,
  // operand reads
  input  collector_set_t      read_i [NumTagBanks],
  input  source_t             read_source_i [NumTagBanks],
  input  index_t              read_place_i [NumTagBanks],
  input  tag_bank_set_t       read_dead_i,
  output collector_t          read_collector_o [NumTagBanks],
  output tag_bank_set_t       read_parks_o,
  // what is carried out
  output op_e                 done_o [NumTagBanks],
  output line_t               line_o [NumTagBanks],
  output logic                hit_o [NumTagBanks],
  output logic                commit_o [NumTagBanks],
  output tag_bank_set_t       selected_o,
  output tag_bank_set_t       lacks_o,
  // to and from the MSHRs and the queue to L2
  output tag_bank_set_t       push_o,
  output logic                evict_o [NumTagBanks],
  output line_t               evicted_o [NumTagBanks],
  output logic                refills_o [NumTagBanks],
  output tag_bank_set_t       refill_start_o,
  output tag_bank_set_t       deposit_o,
  input  tag_bank_set_t       deposited_i,
  input  tag_bank_set_t       pushed_i,
  input  lower_t              entry_i,
  input  logic                room_i,
  input  logic                mshr_free_i,
  // rows that the data banks deliver
  output target_e             target_o [NumTagBanks],
  output collector_t          collector_o [NumTagBanks],
  output source_t             source_o [NumTagBanks],
  output lower_t              entry_o [NumTagBanks],
  output data_t               data_o [NumTagBanks],
  output tag_bank_set_t       busy_o,
  // to the events
  output bank_activity_t      activity_o [NumTagBanks]
);

  for (genvar b = 0; b < NumTagBanks; b++) begin : gen_bank
    logic           row_access, row_write;
    row_t           row;
    bytes_t         row_bytes;
    data_t          row_data;
    target_e        row_target;
    bank_activity_t activity;

    tag_pipe #(
      .Ways(Ways)
    ) u_pipe (
      .clk_i,
      .rst_ni,
      .fair_i,
      .fill_i          (fill_i && bank_of(fill_line_i) == tag_bank_t'(b)),
      .fill_line_i,
      .fill_data_i,
      .write_i         (write_i[b]),
      .write_place_i   (write_place_i[b]),
      .write_mask_i    (write_mask_i[b]),
      .write_data_i    (write_data_i[b]),
      .access_i        (lookup_i && bank_of(access_i.line) == tag_bank_t'(b)),
      .access_op_i     (access_i.op),
      .access_line_i   (access_i.line),
      .access_write_i  (access_i.write),
      .access_joins_i  (joins_i),
      .access_bytes_i  (access_i.bytes),
      .access_data_i   (access_i.data),
      .flush_i         (flush_i && bank_of(flush_line_i) == tag_bank_t'(b)),
      .flush_line_i,
      .read_i          (read_i[b]),
      .read_place_i    (read_place_i[b]),
      .read_dead_i     (read_dead_i[b]),
      .read_collector_o(read_collector_o[b]),
      .done_o          (done_o[b]),
      .selected_o      (selected_o[b]),
      .lacks_o         (lacks_o[b]),
      .hit_o           (hit_o[b]),
      .line_o          (line_o[b]),
      .parks_o         (read_parks_o[b]),
      .free_i          (free_i[b]),
      .free_group_i,
      .free_rows_i     (free_rows_i[b]),
      .freed_o         (freed_o[b]),
      .ended_o         (activity.ended),
      .push_o          (push_o[b]),
      .evict_o         (evict_o[b]),
      .evicted_o       (evicted_o[b]),
      .refills_o       (refills_o[b]),
      .deposit_o       (deposit_o[b]),
      .deposited_i     (deposited_i[b]),
      .pushed_i        (pushed_i[b]),
      .room_i,
      .mshr_free_i,
      .row_access_o    (row_access),
      .row_write_o     (row_write),
      .row_o           (row),
      .row_bytes_o     (row_bytes),
      .row_data_o      (row_data),
      .row_target_o    (row_target),
      .op_o            (activity.op),
      .before_o        (activity.was),
      .placed_o        (activity.placed),
      .away_o          (activity.away),
      .commit_o        (commit_o[b]),
      .wait_write_o    (activity.wait_write),
      .wait_bank_o     (activity.wait_bank),
      .registers_o     (activity.registers),
      .lines_o         (activity.lines)
    );

    data_group u_data (
      .clk_i,
      .rst_ni,
      .access_i   (row_access),
      .write_i    (row_write),
      .row_i      (row),
      .byte_mask_i(row_bytes),
      .data_i     (row_data),
      .target_i   (row_target),
      .collector_i(read_collector_o[b]),
      .source_i   (read_source_i[b]),
      .entry_i,
      .target_o   (target_o[b]),
      .collector_o(collector_o[b]),
      .source_o   (source_o[b]),
      .entry_o    (entry_o[b]),
      .data_o     (data_o[b]),
      .busy_o     (busy_o[b])
    );

    assign refill_start_o[b]  = commit_o[b] && refills_o[b];
    assign activity.hit       = hit_o[b];
    assign activity.evict     = evict_o[b];
    assign activity.commit    = commit_o[b];
    assign activity.refills   = refills_o[b];
    assign activity.dead      = read_dead_i[b];
    assign activity.row       = row;
    assign activity.collector = read_collector_o[b];
    assign activity.source    = read_source_i[b];
    assign activity_o[b]      = activity;
  end

endmodule
