// The write buffers between words: rust/heddle-portbench/tests/hybrid_buffers.rs drives the inputs
// at random and compares the outputs, which are registered here: many of them depend on the inputs
// of their cycle.
module write_buffers_bench
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [5:0][31:0]   in_i,
  input  data_t              data_i,
  // of the cycle that ends with the clock edge
  output logic [22:0][31:0]  out_o,
  output data_t              write_data_o [SttBanks],
  output data_t              read_data_o [Buffers][ArraysPerBank]
);

  index_t              base [NumWarps];
  staged_t             oldest;
  number_t             number [NumSources];
  source_set_t         hit, buffered;
  slot_t               hit_slot [NumSources];
  mask_t               read_mask [NumSources];
  data_t               read_data [Buffers][ArraysPerBank];
  logic                pop;
  logic [SttBanks-1:0] write, from_buffer;
  address_t            write_address [SttBanks];
  mask_t               write_mask [SttBanks];
  data_t               write_data [SttBanks];
  logic [Buffers-1:0]  free, filling, draining, upper_on;
  warp_t               owner [Buffers];
  count_t              count [Buffers];
  count_t              drained [Buffers];
  buffer_cycle_t       happened;

  // 16 registers a warp; those of odd warps in the upper half.
  for (genvar w = 0; w < NumWarps; w++) begin : gen_base
    assign base[w] = index_t'((w % 2) * 512 + (w / 2) * 16);
  end

  assign oldest.warp    = in_i[2][5:0];
  assign oldest.number  = in_i[2][13:8];
  assign oldest.address = address_t'(base[in_i[2][5:0]] + index_t'(in_i[2][13:8]));
  assign oldest.mask    = in_i[3];
  for (genvar s = 0; s < NumSources; s++) begin : gen_number
    assign number[s] = in_i[4+s/4][8*(s%4)+:NumberBits];
  end

  write_buffers u_buffers (
    .clk_i,
    .rst_ni,
    .gating_i       (in_i[0][0]),
    .wakeup_cycles_i(in_i[0][15:8]),
    .base_i         (base),
    .open_i         (in_i[1][1:0]),
    .close_i        (in_i[1][3:2]),
    .drop_i         (in_i[1][5:4]),
    .youngest_i     (in_i[1][6]),
    .command_warp_i (in_i[1][13:8]),
    .staged_i       (in_i[1][16]),
    .oldest_i       (oldest),
    .oldest_data_i  (data_i),
    .pop_o          (pop),
    .number_i       (number),
    .hit_o          (hit),
    .hit_slot_o     (hit_slot),
    .grant_i        (in_i[5][21:16]),
    .buffered_o     (buffered),
    .read_mask_o    (read_mask),
    .read_data_o    (read_data),
    .bank_open_i    (in_i[1][18:17]),
    .write_o        (write),
    .from_buffer_o  (from_buffer),
    .write_address_o(write_address),
    .write_mask_o   (write_mask),
    .write_data_o   (write_data),
    .free_o         (free),
    .filling_o      (filling),
    .draining_o     (draining),
    .owner_o        (owner),
    .count_o        (count),
    .drained_o      (drained),
    .upper_on_o     (upper_on),
    .cycle_o        (happened)
  );

  always_ff @(posedge clk_i) begin : words
    out_o[0] <= {4'b0, from_buffer, write, 2'b0, buffered, 2'b0, hit, 7'b0, pop};
    for (int unsigned s = 0; s < NumSources; s++) out_o[1+s] <= 32'(hit_slot[s]);
    for (int unsigned s = 0; s < NumSources; s++) out_o[7+s] <= read_mask[s];
    out_o[13] <= {20'b0, upper_on, draining, filling, free, 4'b0};
    out_o[14] <= {1'b0, count[1], 1'b0, count[0], 2'b0, owner[1], 2'b0, owner[0]};
    out_o[15] <= {8'b0, happened.period, 1'b0, drained[1], 1'b0, drained[0]};
    out_o[16] <= {18'b0, happened.waits_bank, happened.waits_full, happened.waits_power,
                  happened.look_up, happened.wakes, happened.append, happened.merge,
                  happened.write, happened.write_back};
    out_o[17] <= happened.lost[31:0];
    out_o[18] <= happened.lost[63:32];
    for (int unsigned k = 0; k < SttBanks; k++) begin
      out_o[19+k] <= 32'(write_address[k]);
      out_o[21+k] <= write_mask[k];
    end
    write_data_o <= write_data;
    read_data_o  <= read_data;
  end

endmodule
