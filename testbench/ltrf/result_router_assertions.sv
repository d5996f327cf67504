// Result queues never overflow, and results of one register keep their order.
module result_router_assertions import ltrf_pkg::*; #(
  parameter int unsigned ResultWidth = 2
) (
  input logic                                                 clk_i,
  input logic                                                 rst_ni,
  input logic        [ResultWidth-1:0]                        accept_i,
  input logic        [ResultWidth-1:0]                        leave_i,
  input logic        [ResultWidth-1:0]                        to_cache_i,
  input logic        [ResultWidth-1:0]                        to_main_i,
  input logic        [QueueCountBits-1:0]                     count_i [ResultWidth],
  input logic        [QueueCountBits-1:0]                     located_i [ResultWidth],
  input logic        [QueueBits-1:0]                          head_i [ResultWidth],
  input location_t   [ResultWidth-1:0]                        head_location_i,
  input index_t      [ResultWidth-1:0]                        head_index_i,
  input logic        [NumCacheBanks-1:0]                      cache_free_i,
  input logic        [NumMainBanks-1:0]                       inbound_free_i,
  input logic        [ResultWidth-1:0]                        lookup_hit_i,
  input logic        [ResultWidth-1:0]                        found_i,
  input index_t                                               look_index_i [ResultWidth],
  input pin_t        [ResultWidth-1:0][QueueDepth-1:0]        pin_i
);

  logic [ResultWidth-1:0][QueueDepth-1:0] pinned;  // entries with a pin
  pin_t [ResultWidth-1:0]                 head;

  always_comb begin : pins
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      head[p] = pin_i[p][head_i[p]];
      for (int unsigned e = 0; e < QueueDepth; e++) begin
        pinned[p][e] = pin_i[p][e].main || pin_i[p][e].slot != '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      for (int unsigned p = 0; p < ResultWidth; p++) begin
        QueueOverflow :
        assert (!accept_i[p] || count_i[p] < QueueCountBits'(QueueDepth))
        else $error("QueueOverflow: port %0d", p);
        LeaveLocated :
        assert (!leave_i[p] || located_i[p] != '0)
        else $error("LeaveLocated: port %0d", p);
        LocatedQueued :
        assert (located_i[p] <= count_i[p])
        else $error("LocatedQueued: port %0d", p);
        OnePinALocation :
        assert (QueueCountBits'($countones(pinned[p])) == located_i[p])
        else $error("OnePinALocation: port %0d, entries %b", p, pinned[p]);
        PinOfLocation :
        assert (located_i[p] == '0 ||
                (head_location_i[p].hit ?
                 !head[p].main && head[p].slot == NumSlots'(1) << head_location_i[p].slot &&
                 head[p].cache_bank == NumCacheBanks'(1) << head_location_i[p].cache_bank :
                 head[p].main && head[p].slot == '0))
        else $error("PinOfLocation: port %0d pins slots %b, cache banks %b", p, head[p].slot,
                    head[p].cache_bank);
        ResultIntoFreeBank :
        assert (!to_cache_i[p] || cache_free_i[head_location_i[p].cache_bank])
        else $error("ResultIntoFreeBank: port %0d", p);
        ResultIntoFreeLane :
        assert (!to_main_i[p] || inbound_free_i[head_index_i[p].bank])
        else $error("ResultIntoFreeLane: port %0d", p);
        for (int unsigned q = p + 1; q < ResultWidth; q++) begin
          OneResultABank :
          assert (!(to_cache_i[p] && to_cache_i[q]) ||
                  head_location_i[p].cache_bank != head_location_i[q].cache_bank)
          else $error("OneResultABank: ports %0d and %0d", p, q);
          OneResultALane :
          assert (!(to_main_i[p] && to_main_i[q]) || head_index_i[p].bank != head_index_i[q].bank)
          else $error("OneResultALane: ports %0d and %0d", p, q);
        end
      end
    end
  end

  // Two results of one register with locations agree on where the register is.
  always_ff @(posedge clk_i) begin : agreement
    if (rst_ni && found_i != '0) begin
      for (int unsigned p = 0; p < ResultWidth; p++) begin
        if (found_i[p]) begin
          for (int unsigned q = 0; q < ResultWidth; q++) begin
            for (int unsigned e = 0; e < QueueDepth; e++) begin
              LocationsAgree :
              assert (!(pinned[q][e] && pin_i[q][e].index == look_index_i[p]) ||
                      pin_i[q][e].main == !lookup_hit_i[p])
              else $error("LocationsAgree: warp register %0d", look_index_i[p]);
            end
          end
        end
      end
    end
  end

endmodule
