// OSM: the conventional register file, and beside it the cache of off-chip shared memory (OSM,
// sections 3 and 4). With Unified the cache holds global and local memory too: UCM.
module osm_top
  import heddle_port_pkg::*;
#(
  parameter int unsigned IssueWidth  = 2,
  parameter int unsigned ResultWidth = 2,
  parameter int unsigned NumBanks    = shell_pkg::DefaultBanks,
  parameter int unsigned RowsPerBank = 128,
  parameter int unsigned SubCores    = 1,
  parameter int unsigned Sets        = 1,
  parameter bit          ReadCounter = 1'b0,
  parameter bit          WordLock    = 1'b0,
  parameter bit          Unified     = 1'b0,
  `include "osm_events.svh"
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  config_t                     config_i,
  // from the SM's issue stage
  input  issue_t    [IssueWidth-1:0]  issue_i,
  output logic      [IssueWidth-1:0]  issue_ready_o,
  // to the SM's dispatch stage
  output operands_t [IssueWidth-1:0]  operands_o,
  output logic      [IssueWidth-1:0][NumSources-1:0][NumLanes-1:0][31:0] operand_data_o,
  input  logic      [IssueWidth-1:0]  operands_ready_i,
  // from the SM's write-back stage
  input  result_t   [ResultWidth-1:0] result_i,
  input  logic      [ResultWidth-1:0][NumLanes-1:0][31:0] result_data_i,
  output logic      [ResultWidth-1:0] result_ready_o,
  // from and to the SM's warp scheduler and CTA launch
  input  command_t                    command_i,
  output logic                        command_ready_o,
  output done_t                       done_o,
  output status_t                     status_o,
  output logic [$bits(events_t)-1:0]  events_o,
  // from the SM's coalescer
  input  mem_request_t                memory_request_i,
  input  logic [NumLanes-1:0][3:0][31:0] memory_request_data_i,
  output logic                        memory_request_ready_o,
  // to the SM's load-store unit
  output mem_response_t               memory_response_o,
  output logic [NumLanes-1:0][3:0][31:0] memory_response_data_o,
  output mem_performed_t              memory_performed_o,
  output logic                        memory_idle_o,
  input  logic                        memory_flush_i,
  // to and from the off-chip memory
  output mem_lower_request_t          lower_request_o,
  output logic [NumLanes-1:0][31:0]   lower_request_data_o,
  input  logic                        lower_ready_i,
  input  mem_lower_response_t         lower_response_i,
  input  logic [NumLanes-1:0][31:0]   lower_response_data_i
);

  `include "osm_config.svh"

  // ---- registers ----
  localparam int unsigned RegisterEventBits = $bits(events_t) - osm_pkg::CacheEventBits;

  logic [RegisterEventBits-1:0] register_events;

  baseline_top #(
    .IssueWidth (IssueWidth),
    .ResultWidth(ResultWidth),
    .NumBanks   (NumBanks),
    .RowsPerBank(RowsPerBank),
    .SubCores   (SubCores)
  ) u_registers (
    .*,
    .events_o(register_events)
  );

  // ---- shared memory ----
  config_t                   settings;
  osm_pkg::osm_config_t      cache_settings;
  logic [osm_pkg::CacheEventBits-1:0] cache_events;

  config_capture u_config (
    .*,
    .config_o(settings)
  );

  assign cache_settings = '{
    size_log2_kb:    settings.cache_size_log2[2:0],
    lock:            settings.reads_to_unlock != '0,
    reads_to_unlock: settings.reads_to_unlock[3:0],
    hit_latency:     settings.hit_latency[5:0],
    sectors:         settings.own[SectorsWord] != '0
  };

  osm_cache #(
    .Sets       (Sets),
    .ReadCounter(ReadCounter),
    .WordLock   (WordLock),
    .Unified    (Unified)
  ) u_cache (
    .*,
    .config_i             (cache_settings),
    .flush_i              (memory_flush_i),
    .request_i            (memory_request_i),
    .request_data_i       (memory_request_data_i),
    .request_ready_o      (memory_request_ready_o),
    .response_o           (memory_response_o),
    .response_data_o      (memory_response_data_o),
    .performed_o          (memory_performed_o),
    .idle_o               (memory_idle_o),
    .events_o             (cache_events)
  );

  // As the manifest has them: those of the register file, then those of the cache.
  assign events_o = {cache_events, register_events};

endmodule
