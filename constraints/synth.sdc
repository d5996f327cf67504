# Constraints of a block, in the subset that OpenSTA 2.0.17 reads. scripts/synth_flow.py sets, in nanoseconds: `period`,
# `before` and `after` (what of the cycle passes outside the block, before its inputs and after its outputs), `access`
# (of a memory), `hold`, `release` (of the reset); the `load` of an output in picofarads; and the lists of ports
# `inputs`, `memory_outputs`, `outputs`, `clocks`, `resets`.
if {[llength $clocks] > 0} {
  create_clock -name clk -period $period [get_ports $clocks]
} else {
  create_clock -name clk -period $period
}
if {[llength $inputs] > 0} {
  set_input_delay -max $before -clock clk [get_ports $inputs]
  set_input_delay -min $hold -clock clk [get_ports $inputs]
}
if {[llength $memory_outputs] > 0} {
  set_input_delay -max $access -clock clk [get_ports $memory_outputs]
  set_input_delay -min $hold -clock clk [get_ports $memory_outputs]
}
# Reset is released in step with the clock outside: recovery and removal are checked against it.
if {[llength $resets] > 0} {
  set_input_delay -max $before -clock clk [get_ports $resets]
  set_input_delay -min $release -clock clk [get_ports $resets]
}
if {[llength $outputs] > 0} {
  set_output_delay -max $after -clock clk [get_ports $outputs]
  set_output_delay -min [expr 0 - $hold] -clock clk [get_ports $outputs]
  set_load $load [get_ports $outputs]
}
