// A bank accesses what lies at its ports and nothing else, writes before it reads, shifts towards
// its request, and its read data come when they are due.
//
// Where the racetracks stand is counted here from the shifts, apart from the bank's own position.
module racetrack_bank_assertions
  import racetrack_pkg::*;
#(
  parameter int unsigned Offsets = 16
) (
  input logic         clk_i,
  input logic         rst_ni,
  input timing_t      timing_i,
  input bank_action_e starts_i,
  input logic         up_i,
  input logic         free_i,
  input logic         served_i,
  input logic         request_i,
  input logic         target_i,
  input logic         staged_i,
  input logic         write_valid_i,
  input logic         forward_i,
  input logic         covered_i,
  input position_t    offset_i,
  input position_t    position_i,
  input logic         deliver_i
);

  int unsigned track_q;  // shifts up less shifts down
  logic [8:0]  until_delivery_q, until_free_q;
  logic        released_q;  // served for a step of the way that is not yet at its end

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) begin
      track_q          <= 0;
      until_delivery_q <= '0;
      until_free_q     <= '0;
      released_q       <= 1'b0;
    end else begin
      released_q <= timing_i.shift_release && target_i &&
                    (released_q || (starts_i == BankShift && served_i)) &&
                    !(starts_i inside {BankRead, BankWrite});
      if (starts_i == BankShift) track_q <= up_i ? track_q + 1 : track_q - 1;
      if (forward_i) until_delivery_q <= 9'd1;
      else if (starts_i == BankRead) until_delivery_q <= 9'(timing_i.read);
      else if (until_delivery_q != '0) until_delivery_q <= until_delivery_q - 9'd1;
      unique case (starts_i)
        BankRead:  until_free_q <= 9'(timing_i.read) - 9'd1;
        BankWrite: until_free_q <= 9'(timing_i.write) - 9'd1;
        BankShift: until_free_q <= 9'(timing_i.shift) - 9'd1;
        default:   if (until_free_q != '0) until_free_q <= until_free_q - 9'd1;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      PositionIsTrack :
      assert (32'(position_i) == track_q)
      else $error("PositionIsTrack: position %0d, the racetracks stand at %0d",
                  position_i, track_q);
      TrackInRange :
      assert (track_q < Offsets)
      else $error("TrackInRange: the racetracks stand at %0d of %0d", track_q, Offsets);
      StartOnlyFree :
      assert (starts_i == BankIdle || until_free_q == '0)
      else $error("StartOnlyFree: an action begins %0d cycles too early", until_free_q);
      FreeOnTime :
      assert (free_i == (until_free_q == '0))
      else $error("FreeOnTime: free %b with %0d cycles to go", free_i, until_free_q);
      AccessAligned :
      assert (!(starts_i inside {BankRead, BankWrite}) || 32'(offset_i) == track_q)
      else $error("AccessAligned: offset %0d wanted, %0d at the ports", offset_i, track_q);
      AccessServed :
      assert (!(starts_i inside {BankRead, BankWrite}) || served_i)
      else $error("AccessServed: an access without service");
      ShiftTowards :
      assert (starts_i != BankShift || up_i == (32'(offset_i) > track_q))
      else $error("ShiftTowards: from %0d away from %0d", track_q, offset_i);
      ShiftAllowed :
      assert (starts_i != BankShift || served_i || released_q || timing_i.preshift)
      else $error("ShiftAllowed: a shift without service or preshift");
      ReleasedGoesOn :
      assert (!released_q || !target_i || !free_i || 32'(offset_i) == track_q ||
              starts_i == BankShift)
      else $error("ReleasedGoesOn: from %0d no step towards %0d", track_q, offset_i);
      AsksForPlace :
      assert (request_i || !target_i ||
              (released_q && (!free_i || 32'(offset_i) != track_q)))
      else $error("AsksForPlace: offset %0d wanted, %0d at the ports, no request",
                  offset_i, track_q);
      WritesFirst :
      assert (starts_i != BankRead || !(write_valid_i || staged_i))
      else $error("WritesFirst: a read passes a result of its bank");
      ForwardCovered :
      assert (!forward_i || (covered_i && !staged_i))
      else $error("ForwardCovered: forwarded without the whole register");
      OneDelivery :
      assert (!forward_i || until_delivery_q <= 9'd1)
      else $error("OneDelivery: forwarded while a read is under way");
      DeliveryOnTime :
      assert (deliver_i == (until_delivery_q == 9'd1))
      else $error("DeliveryOnTime: delivery %b with %0d cycles to go", deliver_i, until_delivery_q);
      CoveredByAWrite :
      assert (!covered_i || write_valid_i)
      else $error("CoveredByAWrite: a read is covered by no buffered result");
      CyclesPositive :
      assert (timing_i.read != '0 && timing_i.write != '0 && timing_i.shift != '0)
      else $error("CyclesPositive: read, write and shift take at least one cycle");
    end
  end

endmodule
