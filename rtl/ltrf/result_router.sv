// Result queues: takes results at any time and sends each to where its register is.
//
// Every port has a queue of QueueDepth results. The oldest result of a queue that has no location
// yet is looked up in the warp control block, one a port and cycle: the register is in the cache,
// or not. The location is pinned from then on: the transfer allocator neither writes such a
// register back nor fetches it until the result went. A look-up is repeated while the register is
// moving: while a fetch of it is under way or starts, or its write-back starts. A write-back under
// way needs no wait: the result follows it through the same lane. A result also waits for older
// ones of the same register in other queues. The oldest result of a queue goes to its cache bank
// (behind fills) or into the inbound lane of its main bank.
module result_router import heddle_port_pkg::*, ltrf_pkg::*; #(
  parameter int unsigned ResultWidth = 2,
  parameter int unsigned NumPending  = 5  // fetches of a lane that are not in it yet, at most
) (
  input  logic                                          clk_i,
  input  logic                                          rst_ni,
  input  result_t     [ResultWidth-1:0]                 result_i,
  input  data_t       [ResultWidth-1:0]                 result_data_i,
  output logic        [ResultWidth-1:0]                 result_ready_o,
  input  index_t      [ResultWidth-1:0]                 result_base_i,   // of result_i's warps
  // look-up
  output warp_t       [ResultWidth-1:0]                 lookup_warp_o,
  output reg_t        [ResultWidth-1:0]                 lookup_register_o,
  output index_t      [ResultWidth-1:0]                 lookup_index_o,
  input  logic        [ResultWidth-1:0]                 lookup_hit_i,
  input  cache_bank_t [ResultWidth-1:0]                 lookup_bank_i,
  input  slot_t       [ResultWidth-1:0]                 lookup_slot_i,
  output logic        [ResultWidth-1:0]                 lookup_o,
  output logic        [ResultWidth-1:0]                 located_o,  // in the cache, pinned
  // registers that are moving
  input  logic        [NumCacheBanks-1:0]               write_back_i,
  input  slot_t       [NumCacheBanks-1:0]               write_back_slot_i,
  input  logic        [NumMainBanks-1:0]                read_i,
  input  row_t        [NumMainBanks-1:0]                read_row_i,
  input  logic        [NumMainBanks-1:0][NumPending-1:0] pending_i,
  input  row_t        [NumMainBanks-1:0][NumPending-1:0] pending_row_i,
  input  logic        [NumMainBanks-1:0]                outbound_busy_i,
  input  row_t        [NumMainBanks-1:0]                outbound_busy_row_i,
  input  logic        [NumMainBanks-1:0]                outbound_valid_i,
  input  row_t        [NumMainBanks-1:0]                outbound_row_i,
  // ways out
  input  logic        [NumCacheBanks-1:0]               cache_free_i,
  input  logic        [NumMainBanks-1:0]                inbound_free_i,
  output logic        [ResultWidth-1:0]                 to_cache_o,
  output logic        [ResultWidth-1:0]                 to_main_o,
  output location_t   [ResultWidth-1:0]                 head_location_o,
  output index_t      [ResultWidth-1:0]                 head_index_o,
  output lanes_t      [ResultWidth-1:0]                 head_mask_o,
  output data_t       [ResultWidth-1:0]                 head_data_o,
  output queue_view_t [ResultWidth-1:0][QueueDepth-1:0] queue_o,
  output pin_t        [ResultWidth-1:0][QueueDepth-1:0] pin_o,
  output logic        [ResultWidth-1:0]                 wait_o
);

  localparam int unsigned PortBits = (ResultWidth > 1) ? $clog2(ResultWidth) : 1;

  typedef logic [QueueBits-1:0]      place_t;
  typedef logic [QueueCountBits-1:0] count_t;
  // One bit for each entry of each queue.
  typedef logic [ResultWidth-1:0][QueueDepth-1:0] entries_t;

  result_entry_t entry_q    [ResultWidth][QueueDepth];
  location_t     location_q [ResultWidth][QueueDepth];
  // the pinned register of an entry with a location, decoded for the transfer allocator
  logic [NumSlots-1:0]      pin_slot_q [ResultWidth][QueueDepth];
  logic [NumCacheBanks-1:0] pin_bank_q [ResultWidth][QueueDepth];
  entries_t                 pin_main_q;
  // older results of the same register elsewhere
  entries_t      after_q    [ResultWidth][QueueDepth];
  data_t         data_q     [ResultWidth][QueueDepth];
  place_t        head_q     [ResultWidth];
  count_t        count_q    [ResultWidth];
  count_t        located_q  [ResultWidth];  // the oldest ones, that have a location
  logic          ready_q    [ResultWidth];
  logic [PortBits-1:0] turn_q;

  logic   [ResultWidth-1:0] accept, leave, looking, moving, found;
  place_t                   look   [ResultWidth];
  place_t                   tail   [ResultWidth];
  count_t                   count_d [ResultWidth];

  index_t look_index [ResultWidth];

  always_comb begin : look_up
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      look[p]              = head_q[p] + place_t'(located_q[p]);
      tail[p]              = head_q[p] + place_t'(count_q[p]);
      looking[p]           = located_q[p] != count_q[p] && after_q[p][look[p]] == '0;
      look_index[p]        = entry_q[p][look[p]].index;
      lookup_warp_o[p]     = entry_q[p][look[p]].warp;
      lookup_register_o[p] = entry_q[p][look[p]].reg_no;
      lookup_index_o[p]    = look_index[p];
    end
  end

  // The register of a look-up is moving.
  always_comb begin : find_moves
    moving = '0;
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      if (looking[p]) begin
        if (lookup_hit_i[p] && write_back_i[lookup_bank_i[p]] &&
            write_back_slot_i[lookup_bank_i[p]] == lookup_slot_i[p]) begin
          moving[p] = 1'b1;
        end
        if (read_i[look_index[p].bank] &&
            read_row_i[look_index[p].bank] == look_index[p].row) begin
          moving[p] = 1'b1;
        end
        for (int unsigned k = 0; k < NumPending; k++) begin
          if (pending_i[look_index[p].bank][k] &&
              pending_row_i[look_index[p].bank][k] == look_index[p].row) begin
            moving[p] = 1'b1;
          end
        end
        if (outbound_busy_i[look_index[p].bank] &&
            outbound_busy_row_i[look_index[p].bank] == look_index[p].row) begin
          moving[p] = 1'b1;
        end
        if (outbound_valid_i[look_index[p].bank] &&
            outbound_row_i[look_index[p].bank] == look_index[p].row) begin
          moving[p] = 1'b1;
        end
      end
    end
  end

  assign found     = looking & ~moving;
  assign lookup_o  = looking;
  assign located_o = found & lookup_hit_i;

  // The oldest result of each queue leaves, if its way is free.
  logic [NumCacheBanks-1:0] cache_left;
  logic [NumMainBanks-1:0]  inbound_left;
  logic [PortBits-1:0]      port;

  always_comb begin : heads
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      head_location_o[p] = location_q[p][head_q[p]];
      head_index_o[p]    = entry_q[p][head_q[p]].index;
      head_mask_o[p]     = entry_q[p][head_q[p]].mask;
      head_data_o[p]     = data_q[p][head_q[p]];
    end
  end

  always_comb begin : send
    to_cache_o   = '0;
    to_main_o    = '0;
    cache_left   = cache_free_i;
    inbound_left = inbound_free_i;
    port         = '0;
    for (int unsigned k = 0; k < ResultWidth; k++) begin
      port = PortBits'((32'(turn_q) + k) % ResultWidth);
      if (located_q[port] != '0) begin
        if (head_location_o[port].hit) begin
          to_cache_o[port] = cache_left[head_location_o[port].cache_bank];
          if (to_cache_o[port]) cache_left[head_location_o[port].cache_bank] = 1'b0;
        end else begin
          to_main_o[port] = inbound_left[head_index_o[port].bank];
          if (to_main_o[port]) inbound_left[head_index_o[port].bank] = 1'b0;
        end
      end
    end
  end

  assign leave = to_cache_o | to_main_o;

  always_comb begin : view
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      wait_o[p] = count_q[p] != '0 && !leave[p];
      for (int unsigned e = 0; e < QueueDepth; e++) begin
        // Distance from the head, modulo the depth.
        queue_o[p][e].valid    = count_t'(place_t'(place_t'(e) - head_q[p])) < count_q[p];
        queue_o[p][e].leaving  = leave[p] && head_q[p] == place_t'(e);
        queue_o[p][e].warp     = entry_q[p][e].warp;
        queue_o[p][e].reg_no   = entry_q[p][e].reg_no;
        pin_o[p][e]            = '{slot: pin_slot_q[p][e], cache_bank: pin_bank_q[p][e],
                                   main: pin_main_q[p][e], index: entry_q[p][e].index};
      end
    end
  end

  always_comb begin : handshake
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      result_ready_o[p] = ready_q[p];
      accept[p]         = result_i[p].valid && ready_q[p];
      count_d[p]        = count_q[p] + count_t'(accept[p]) - count_t'(leave[p]);
    end
  end

  // Older results of the register of an arriving one, in the other queues; and entries that leave.
  entries_t same [ResultWidth];
  entries_t leaving_entry;

  always_comb begin : find_older
    leaving_entry = '0;
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      same[p] = '0;
      for (int unsigned q = 0; q < ResultWidth; q++) begin
        for (int unsigned e = 0; e < QueueDepth; e++) begin
          leaving_entry[q][e] = queue_o[q][e].leaving;
          if (q != p && accept[p]) begin
            same[p][q][e] = queue_o[q][e].valid && !queue_o[q][e].leaving &&
                            queue_o[q][e].warp == result_i[p].warp &&
                            queue_o[q][e].reg_no == result_i[p].register;
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      turn_q     <= '0;
      head_q     <= '{default: '0};
      count_q    <= '{default: '0};
      located_q  <= '{default: '0};
      ready_q    <= '{default: 1'b1};
      pin_slot_q <= '{default: '{default: '0}};
      pin_main_q <= '0;
    end else begin
      turn_q <= (32'(turn_q) == ResultWidth - 1) ? '0 : turn_q + PortBits'(1);
      for (int unsigned p = 0; p < ResultWidth; p++) begin
        if (leave[p]) begin
          head_q[p]                <= head_q[p] + place_t'(1);
          pin_slot_q[p][head_q[p]] <= '0;
          pin_main_q[p][head_q[p]] <= 1'b0;
        end
        if (found[p]) begin
          if (lookup_hit_i[p]) pin_slot_q[p][look[p]][lookup_slot_i[p]] <= 1'b1;
          else pin_main_q[p][look[p]] <= 1'b1;
        end
        count_q[p]   <= count_d[p];
        located_q[p] <= located_q[p] + count_t'(found[p]) - count_t'(leave[p]);
        ready_q[p]   <= count_d[p] < count_t'(QueueDepth);
      end
    end
  end

  always_ff @(posedge clk_i) begin : storage
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      for (int unsigned e = 0; e < QueueDepth; e++) begin
        if (leaving_entry != '0) after_q[p][e] <= after_q[p][e] & ~leaving_entry;
      end
      if (accept[p]) begin
        entry_q[p][tail[p]] <= '{warp: result_i[p].warp, reg_no: result_i[p].register,
                                 mask: result_i[p].mask,
                                 index: index_t'(result_base_i[p] + 16'(result_i[p].register))};
        after_q[p][tail[p]] <= same[p];
        data_q[p][tail[p]]  <= result_data_i[p];
      end
      if (found[p]) begin
        location_q[p][look[p]] <= '{hit: lookup_hit_i[p],
                                    cache_bank: lookup_bank_i[p], slot: lookup_slot_i[p]};
        pin_bank_q[p][look[p]] <= NumCacheBanks'(1) << lookup_bank_i[p];
      end
    end
  end

endmodule
