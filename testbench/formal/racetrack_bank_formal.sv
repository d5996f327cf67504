// A bank against racetracks that stand apart: their place counted from the shifts that the macro is
// told, and the data of one place, any, as it was written.
module racetrack_bank_formal
  import shell_pkg::*;
  import racetrack_pkg::*;
#(
  parameter  int unsigned Rows    = 128,
  parameter  int unsigned Ports   = 8,
  localparam int unsigned Offsets = Rows / Ports,
  localparam int unsigned Domains = Rows + Offsets - 1
) (
  input logic         clk_i,
  input logic         rst_ni,
  input timing_t      timing_i,
  input logic         staged_i,
  input logic         write_valid_i,
  input place_t       write_place_i,
  input logic         write_mask_i,
  input logic         write_data_i,
  input logic         read_valid_i,
  input place_t       read_place_i,
  input target_t      read_target_i,
  input logic         read_pop_i,
  input logic         write_pop_i,
  input logic         covered_i,
  input logic         covered_data_i,
  input logic         request_i,
  input logic         served_i,
  input logic         deliver_i,
  input target_t      deliver_target_i,
  input logic         deliver_data_i,
  input bank_action_e starts_i,
  input logic         forward_i,
  input position_t    position_i,
  // what the macro is told, and what it keeps
  input logic         shift_i,
  input logic         up_i,
  input logic [0:0][0:0] track_i [Domains],
  input logic         read_data_i,
  // what the bank keeps
  input bank_action_e action_i,
  input logic [7:0]   left_i,
  input target_t      target_i,
  input logic         forward_data_i,
  input logic         on_way_i
);

  localparam int unsigned PortShift = $clog2(Offsets);

  place_t       watched_q;      // any place: what is asked for in the cycle of reset
  logic         known_q;        // it was written
  logic         value_q;        // with this
  logic [4:0]   track_q;        // shifts up less shifts down
  logic [8:0]   until_out_q;    // cycles until the data of the read under way are out
  logic         of_watched_q;   // that read is of the place watched, which was known
  logic         expected_q;     // its data
  target_t      reader_q;       // and who asked
  logic         released_q;     // served for a step of a way that is not yet at its end
  logic [8:0]   until_free_q;   // cycles until what is under way is over
  logic         forwarded_q;    // what comes out now was forwarded
  logic         has_target, aligned, reads, writes;
  place_t       place;
  logic [7:0]   lowest, domain;

  assign has_target = write_valid_i || (read_valid_i && !staged_i);
  assign place      = write_valid_i ? write_place_i : read_place_i;
  assign aligned    = track_q == 5'(place % PlaceBits'(Offsets));
  assign reads      = starts_i == BankRead;
  assign writes     = starts_i == BankWrite;
  // where the domain of the place watched lies now
  assign lowest     = 8'((watched_q >> PortShift) << PortShift) + 8'(Offsets - 1);
  assign domain     = lowest + 8'(watched_q % PlaceBits'(Offsets)) - 8'(track_q);

  always_ff @(posedge clk_i) begin : data
    if (!rst_ni) watched_q <= read_place_i;
    if (writes && write_mask_i && write_place_i == watched_q) value_q <= write_data_i;
    if (reads || forward_i) reader_q <= read_target_i;
    if (forward_i) expected_q <= covered_data_i;
    else if (reads) expected_q <= value_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) begin
      known_q      <= 1'b0;
      track_q      <= '0;
      until_out_q  <= '0;
      until_free_q <= '0;
      of_watched_q <= 1'b0;
      released_q   <= 1'b0;
      forwarded_q  <= 1'b0;
    end else begin
      forwarded_q <= forward_i;
      known_q    <= known_q || (writes && write_mask_i && write_place_i == watched_q);
      released_q <= has_target && !reads && !writes &&
                    (released_q || (shift_i && served_i && timing_i.shift_release));
      if (shift_i) track_q <= up_i ? track_q + 5'd1 : track_q - 5'd1;
      unique case (starts_i)
        BankRead:  until_free_q <= 9'(timing_i.read) - 9'd1;
        BankWrite: until_free_q <= 9'(timing_i.write) - 9'd1;
        BankShift: until_free_q <= 9'(timing_i.shift) - 9'd1;
        default:   if (until_free_q != '0) until_free_q <= until_free_q - 9'd1;
      endcase
      if (forward_i) until_out_q <= 9'd1;
      else if (reads) until_out_q <= 9'(timing_i.read);
      else if (until_out_q != '0) until_out_q <= until_out_q - 9'd1;
      if (forward_i) of_watched_q <= 1'b1;
      else if (reads) of_watched_q <= known_q && read_place_i == watched_q;
    end
  end

  for (genvar d = 0; d < Domains; d++) begin : gen_domain
    always_comb begin : checks
      if (rst_ni) begin
        DomainKept : assert (!known_q || 32'(domain) != d || track_i[d] == value_q);
      end
    end
  end

  always_comb begin : checks
    if (rst_ni) begin
      CyclesPositive :
      assume (timing_i.read != '0 && timing_i.write != '0 && timing_i.shift != '0);
      CoveredByAWrite : assume (!covered_i || write_valid_i);
      TrackInRange : assert (32'(track_q) < Offsets);
      PositionIsTrack : assert (5'(position_i) == track_q);
      AccessAligned : assert (!(reads || writes) || aligned);
      AccessServed : assert (!(reads || writes) || (served_i && has_target));
      WritesFirst : assert (!reads || !(write_valid_i || staged_i));
      ShiftTowards :
      assert (!shift_i ||
              (!aligned && up_i == (track_q < 5'(place % PlaceBits'(Offsets)))));
      ShiftAllowed : assert (!shift_i || served_i || released_q || timing_i.preshift);
      AsksForPlace :
      assert (request_i || !has_target || (released_q && (!aligned || until_free_q != '0)));
      OneAtATime : assert (starts_i == BankIdle || until_free_q == '0);
      LeftAgrees : assert (9'(left_i) == until_free_q);
      ForwardCovered : assert (!forward_i || (read_valid_i && covered_i && !staged_i));
      TakenWhenServed :
      assert (read_pop_i == (reads || forward_i) && write_pop_i == writes);
      DeliveryOnTime : assert (deliver_i == (until_out_q == 9'd1));
      ToTheReader : assert (!deliver_i || deliver_target_i == reader_q);
      DataAsWritten : assert (!deliver_i || !of_watched_q || deliver_data_i == expected_q);
      LeftIsReading :
      assert ((until_out_q > 9'd1) == (left_i != '0 && action_i == BankRead));
      LeftCounts : assert (until_out_q <= 9'd1 || until_out_q == 9'(left_i) + 9'd1);
      ReadHolds :
      assert (until_out_q == '0 || !of_watched_q || forwarded_q || read_data_i == expected_q);
      ForwardHolds : assert (!forwarded_q || forward_data_i == expected_q);
      TargetHolds : assert (until_out_q == '0 || target_i == reader_q);
      OnWayIsReleased : assert (!on_way_i || released_q || !has_target);
      ReadAfterShift : cover (deliver_i && of_watched_q && !forwarded_q && track_q > 5'd2);
    end
  end

endmodule

bind racetrack_bank racetrack_bank_formal #(
  .Rows (Rows),
  .Ports(Ports)
) u_formal (
  .clk_i,
  .rst_ni,
  .timing_i,
  .staged_i,
  .write_valid_i,
  .write_place_i,
  .write_mask_i,
  .write_data_i,
  .read_valid_i,
  .read_place_i,
  .read_target_i,
  .read_pop_i      (read_pop_o),
  .write_pop_i     (write_pop_o),
  .covered_i,
  .covered_data_i,
  .request_i       (request_o),
  .served_i,
  .deliver_i       (deliver_o),
  .deliver_target_i(deliver_target_o),
  .deliver_data_i  (deliver_data_o),
  .starts_i        (starts_o),
  .forward_i       (forward_o),
  .position_i      (position_q),
  .shift_i         (u_macro.shift_i),
  .up_i            (u_macro.up_i),
  .track_i         (u_macro.gen_moving.track_q),
  .read_data_i     (u_macro.gen_moving.read_data_q),
  .action_i        (action_q),
  .left_i          (left_q),
  .target_i        (target_q),
  .forward_data_i  (forward_data_q),
  .on_way_i        (on_way_q)
);
