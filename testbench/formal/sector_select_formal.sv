// The sectors of the wanted line, against the addresses of the lanes that need it.
module sector_select_formal
  import heddle_port_pkg::*;
  import osm_pkg::*;
(
  input logic                    whole_i,
  input lane_set_t               needed_i,
  input address_t [NumLanes-1:0] address_i,
  input number_t                 wanted_i,
  input lane_set_t               alike_i,
  input sector_set_t             sectors_i
);

  lane_set_t needs;  // the wanted line

  for (genvar l = 0; l < NumLanes; l++) begin : gen_lane
    assign needs[l] = needed_i[l] && 32'(address_i[l]) >> LineBits == 32'(wanted_i);
  end

  for (genvar s = 0; s < NumSectors; s++) begin : gen_sector
    lane_set_t here;  // lanes that need this sector

    for (genvar l = 0; l < NumLanes; l++) begin : gen_lane
      assign here[l] = needs[l] &&
                       (32'(address_i[l]) >> SectorBits) % NumSectors == 32'(s);
    end

    always_comb begin : checks
      NeededIsFetched : assert (here == '0 || sectors_i[s]);
      OnlyNeeded : assert (whole_i || here != '0 || !sectors_i[s]);
      WholeLine : assert (!whole_i || sectors_i[s]);
    end
  end

  always_comb begin : checks
    AlikeNeedLine : assert (alike_i == needs);
    AllSectors : cover (!whole_i && sectors_i == '1);
  end

endmodule

bind sector_select sector_select_formal u_formal (
  .whole_i,
  .needed_i,
  .address_i,
  .wanted_i,
  .alike_i  (alike_o),
  .sectors_i(sectors_o)
);
