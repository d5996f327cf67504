# Heddle: the front door. `make` or `make help` lists the targets.

DESIGN ?= ltrf
KERNEL ?= all
SIZE ?= smoke
# How much of the experiments `make report` and `make claims` run.
SCALE ?= smoke
# The paper of `make claims`; all of them when empty.
PAPER ?=
SEED ?= 1
WAVES ?=
RESULTS ?= results
FUZZ_SECONDS ?= 60
# Mutants of `make mutate`.
N ?= 30
# Designs of test-all; all when empty.
DESIGNS ?=
# Names of the designs that are there, with bars between.
empty :=
THERE = $(subst $(empty) $(empty),|,$(sort $(patsubst rtl/%/design.toml,%,$(wildcard rtl/*/design.toml))))
# The part of test-all that runs, such as 3/8; all of it when empty.
PART ?=
# What `make waves` shows when no kernel is named: one whose first cycles say something of the design.
WAVES_OF = $(if $(filter osm% ucm%,$(DESIGN)),matrixmul --waves-from 1600,vectoradd)
# More arguments for heddle, such as ARGS='--set register_file.bank_cycles=3 --max-registers 16'.
ARGS ?=

CARGO ?= cargo
HEDDLE = target/release/heddle
RUN = --design $(DESIGN) --kernel $(KERNEL) --size $(SIZE) --seed $(SEED) --results $(RESULTS)

.DEFAULT_GOAL := help
.PHONY: help tools build cosim sim waves test test-all fuzz lint formal flow synth second-sim mutate mutants planted nightly coverage fidelity bench claims report notebook workloads registers pictures sheet sheet-check gpu-check doctor clean

help: ## this list
	@echo "Heddle: register files and on-chip caches of GPUs, as RTL in the loop with real kernels"
	@echo
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20
	@echo
	@echo "  DESIGN=$(THERE)  KERNEL=all|name,name  SIZE=smoke|small|paper  SEED=n  WAVES=vcd|fst"
	@echo "  now: DESIGN=$(DESIGN) KERNEL=$(KERNEL) SIZE=$(SIZE) SEED=$(SEED); more in ARGS='...', see \`$(HEDDLE) cosim --help\`"

tools: ## fetch the pinned tools that are missing (Verilator) into build/tools
	@scripts/tools.sh

build: tools ## build the program target/release/heddle
	@$(CARGO) build --release --locked --package heddle

cosim: build ## run kernels with the RTL in the loop, everything checked
	@$(HEDDLE) cosim $(RUN) $(if $(WAVES),--waves $(WAVES)) $(ARGS)

sim: build ## run kernels with the cycle model alone
	@$(HEDDLE) sim $(RUN) $(ARGS)

waves: build ## run a kernel, write a waveform window and its saved views, say how to open them
	@$(HEDDLE) cosim --design $(DESIGN) --kernel $(if $(filter all,$(KERNEL)),$(WAVES_OF),$(KERNEL)) --size $(SIZE) \
		--seed $(SEED) --results $(RESULTS) --waves $(or $(WAVES),vcd) $(ARGS)

test: tools ## all tests: crates, designs in lock-step, planted bugs, random kernels, bad input
	@scripts/tools.sh lint
	@scripts/test.sh

test-all: build ## all tests, the ignored ones, every kernel in size small on DESIGNS (all), also with 16 registers; goes on where it stopped; PART=3/8: a part
	@scripts/test-all.sh $(if $(PART),--part $(PART)) $(RESULTS) $(DESIGNS)

fuzz: ## feed random bytes to every reader of files for FUZZ_SECONDS, 60 when left out
	@scripts/fuzz.sh $(FUZZ_SECONDS)

lint: tools ## rustfmt, clippy and the RTL under Verilator, slang and verible
	@scripts/tools.sh lint
	@$(CARGO) fmt --all --check
	@rustfmt --check rust/heddle-designs/src/*/mod.rs
	@scripts/lint-rtl.py
	@scripts/diagrams.py --check
	@scripts/designs.py --check
	@scripts/planted-models.py --check
	@scripts/figures.py --check
	@$(CARGO) clippy --release --locked --workspace --all-targets -- -D warnings

formal: ## prove properties of RTL modules, of all or of BLOCK alone, and write docs/signoff-formal.md; ARGS=--check holds it instead
	@scripts/tools.sh formal
	@scripts/formal.py $(BLOCK) $(ARGS)

flow: ## show that no data reach a control output of any design whose RTL has changed, and write docs/signoff-flow.md; ARGS=--check holds it instead, ARGS=cerf is of one
	@scripts/tools.sh formal
	@scripts/flow.py $(ARGS)

synth: ## area, memories and longest path of the blocks of the RTL, of all or of BLOCK alone, against the kept ones; ARGS=--write keeps these
	@scripts/synth.py $(BLOCK) $(ARGS)

second-sim: build ## replay recorded kernels into netlists that yosys makes of five designs, and into those of planted bugs; ARGS=sttram: of one
	@scripts/tools.sh formal
	@scripts/second-sim.py $(ARGS)

mutate: build ## change N tokens of the RTL of DESIGN, one at a time, and see which changes kernels and port bench find; goes on where it stopped
	@scripts/tools.sh lint
	@$(if $(findstring --prove,$(ARGS)),scripts/tools.sh formal)
	@$(HEDDLE) mutate $(DESIGN) -n $(N) --kernel $(KERNEL) --results $(RESULTS) $(ARGS)

mutants: build ## change 30 tokens of the RTL of every design, drawn by the commit; fails where kernels and port bench find less than 85 % of them
	@scripts/tools.sh lint
	@scripts/mutants.py $(ARGS)

planted: tools ## plant faults into the models around the RTL, one at a time, and see that tests find them; ARGS=ID: this one
	@scripts/planted-models.py $(ARGS)

nightly: build ## what is too long for every change: 300 mutants of each of DESIGNS (all) with proofs, second-sim, planted and test-all; mutants and tests go on where they stopped
	@scripts/tools.sh lint
	@scripts/tools.sh formal
	@scripts/nightly.sh $(RESULTS) $(DESIGNS)

coverage: build ## which lines, branches and control signals of the RTL of DESIGN the kernels and the port bench reach; ARGS=--holes: what they do not
	@$(HEDDLE) coverage $(DESIGN) --kernel $(KERNEL) --results $(RESULTS) $(ARGS)

fidelity: build ## micro-traces against the cycles of other machines, and the bounds of presets without any; fails beyond a limit
	@$(HEDDLE) fidelity $(ARGS)
	@$(if $(ARGS),:,$(HEDDLE) fidelity -p fermi && $(HEDDLE) fidelity -p maxwell)

bench: build ## speed of functional runs, model and co-simulation per CPU second; fails where one is too slow
	@$(CARGO) run --release --locked --quiet --package heddle-bench

claims: build ## run what the verdicts on the claims of PAPER=cerf|hybrid|ltrf|osm|racetrack need, at SCALE, and print them; all papers without one
	@$(HEDDLE) claims --measure --scale $(SCALE) --results $(RESULTS) $(if $(PAPER),--only $(PAPER)) $(ARGS)

report: build ## run the experiments at SCALE=smoke|claims|paper, as far as results are missing, and draw the page RESULTS/report.html
	@scripts/report.sh $(SCALE) $(RESULTS) $(ARGS)

notebook: build ## run experiments/osm-cache.toml into build/notebook and docs/examples/results.ipynb on its results; holds the figure
	@scripts/tools.sh notebook
	@$(HEDDLE) sweep experiments/osm-cache.toml --resume --quiet --results build/notebook >/dev/null
	@scripts/notebook.py build/notebook

workloads: ## compile the CUDA sources and show that they give the PTX in the tree, and the table of registers
	@scripts/make-workloads.sh --check
	@scripts/registers.sh --check

registers: ## write docs/registers.md: registers of every kernel beside those that ptxas gives
	@scripts/registers.sh

pictures: build ## draw docs/diagrams, a prefetch of ltrf from a waveform, and the bars of docs/results.svg
	@scripts/diagrams.py
	@scripts/prefetch.py
	@scripts/bars.py

sheet: ## measure the kernels whose character sheet is stale, in size paper, and write docs/characters
	@$(CARGO) run --release --locked --quiet --package heddle-characters -- measure

sheet-check: ## hold the character sheets against the programs and the published values
	@$(CARGO) run --release --locked --quiet --package heddle-characters -- check

gpu-check: ## run the committed PTX on this machine's GPU, against the golden machine; not run without one (the program's exit code is then 77, make's 2)
	@$(CARGO) run --release --locked --quiet --package heddle-gpu

doctor: ## tools found, versions, what is missing and how to get it; builds nothing
	@scripts/doctor.sh

clean: ## delete everything that was built
	rm -rf target build results
