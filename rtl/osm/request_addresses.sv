// The addresses of the lanes of the requests in request_buffer, off chip and aligned to the access.
module request_addresses
  import heddle_port_pkg::*;
  import osm_pkg::*;
#(
  parameter int unsigned Lanes = NumLanes
) (
  input  logic                   clk_i,
  // a request comes
  input  logic                   accept_i,
  input  request_index_t         accept_index_i,
  input  logic                   shared_i,      // addresses are those of its CTA's shared memory
  input  logic [CtaSlotBits-1:0] cta_slot_i,
  input  logic [2:0]             size_log2_i,
  input  address_t [Lanes-1:0]   address_i,
  // of the one that is served, and of the one that returns
  input  request_index_t         index_i,
  output address_t [Lanes-1:0]   address_o,
  input  request_index_t         return_index_i,
  output address_t [Lanes-1:0]   returned_o
);

  address_t [Lanes-1:0] address_q [NumRequests];
  address_t [Lanes-1:0] address;

  for (genvar l = 0; l < Lanes; l++) begin : gen_address
    assign address[l] = shared_i ? {SharedSpace[31:CtaSlotBits+BlockBits], cta_slot_i,
                                    address_i[l][BlockBits-1:0]}
                                 : address_i[l];
  end

  always_ff @(posedge clk_i) begin : payload
    if (accept_i) begin
      for (int unsigned l = 0; l < Lanes; l++) begin
        address_q[accept_index_i][l] <= (address[l] >> size_log2_i) << size_log2_i;
      end
    end
  end

  assign address_o  = address_q[index_i];
  assign returned_o = address_q[return_index_i];

endmodule
