// The sectors of the wanted line that lanes need, and the lanes that need nothing else.
//
// All sectors of a line that a request lacks are fetched together, so that it looks a line up once.
module sector_select
  import heddle_port_pkg::*;
  import osm_pkg::*;
(
  input  logic                    whole_i,   // lines are fetched whole
  input  lane_set_t               needed_i,  // lanes for which a line is needed
  input  address_t [NumLanes-1:0] address_i,
  input  number_t                 wanted_i,
  output lane_set_t               alike_o,   // those that need the wanted line
  output sector_set_t             sectors_o
);

  always_comb begin : select
    sectors_o = {NumSectors{whole_i}};
    for (int unsigned l = 0; l < NumLanes; l++) begin
      alike_o[l] = needed_i[l] && address_i[l][31:LineBits] == wanted_i;
      if (alike_o[l]) sectors_o[address_i[l][LineBits-1:SectorBits]] = 1'b1;
    end
  end

endmodule
