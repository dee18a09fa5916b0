# Scan Lab's front door: `make` says what there is. Everything is done by tools/run; CMake builds.
#
# GNU make ends with 2 whatever status a recipe failed with, and grade's 1, 3 and 4 mean different things. So a command that fails
# leaves an object which ends the program that loads it with that status (tools/make_exit), and make loads it.
# Where it cannot (a processor other than x86-64 and arm64, a build/ that is mounted noexec), make ends with 2.

settings := LAB SRC BACKEND CASE SEED SEEDS RESIDENT ORDER BLOCKS SUBMISSIONS
commands := grade grade-all test bench plots demo-deadlock hint reset simt

# What each command takes; one that is given and that no command of this call takes is refused, not passed over.
settings_grade := LAB SRC BACKEND CASE SEED RESIDENT ORDER
settings_grade-all := SUBMISSIONS LAB BACKEND
settings_test := SEEDS
settings_bench := BACKEND
settings_plots :=
settings_demo-deadlock := BACKEND RESIDENT ORDER BLOCKS SEED
settings_hint := LAB
settings_reset := LAB
settings_simt :=
asked := $(filter $(commands),$(MAKECMDGOALS))
taken := $(if $(asked),$(foreach command,$(asked),$(settings_$(command))),$(settings))

unknown := $(foreach word,$(MAKEOVERRIDES),$(if $(findstring =,$(word)),$(filter-out $(settings:%=%=%) CC=% CFLAGS=% SHELL=%,$(word))))
ifneq ($(strip $(unknown)),)
  $(error unknown setting $(strip $(unknown)); there are: $(settings) (make LAB=04 grade))
endif
given := $(foreach word,$(MAKEOVERRIDES),$(firstword $(subst =, ,$(word))))
useless := $(filter-out $(taken),$(filter $(settings),$(given)))
ifneq ($(strip $(useless)),)
  $(error make $(asked) takes no $(strip $(useless))$(if $(taken),; it takes: $(taken)))
endif
export $(settings)

exit_object := build/exit.so
dry_run := $(findstring n,$(firstword -$(MAKEFLAGS)))

.PHONY: help clean $(commands) $(commands:%=run-%)
help:
	@tools/run help

$(commands): %: run-%
	@$(if $(dry_run),,$(eval -load ./$(exit_object)(end)))[ ! -e $(exit_object) ]

$(commands:%=run-%): run-%:
	@rm -f $(exit_object); EXIT_OBJECT=$(exit_object) tools/run $*

clean:
	rm -rf build

.DEFAULT:
	@echo "make: there is no command '$@'; there are: $(commands) clean (make help says more)" >&2; exit 2
