# Scan Lab's front door: `make` says what there is. tools/run does it all; CMake builds.
#
# make ends with 0 or 2, as GNU make does. What the command itself ended with is the number after
# "Error" in make's last line; tools/run and build/grader/grade end with it: see their help.

settings := LAB SRC BACKEND CASE SEED SEEDS RESIDENT ORDER OUTPUT UNSAFE BLOCKS SUBMISSIONS FULL AGAIN
commands := grade grade-all test bench plots demo-deadlock hint reset simt clean

# What each command takes; a setting that no command of this call takes is refused, not ignored.
settings_grade := LAB SRC BACKEND CASE SEED RESIDENT ORDER OUTPUT UNSAFE
settings_grade-all := SUBMISSIONS LAB BACKEND UNSAFE
settings_test := FULL SEEDS
settings_bench := BACKEND
settings_demo-deadlock := BACKEND RESIDENT ORDER BLOCKS SEED
settings_hint := LAB AGAIN
settings_reset := LAB
asked := $(filter $(commands),$(MAKECMDGOALS))
taken := $(if $(asked),$(foreach command,$(asked),$(settings_$(command))),$(settings))

words := $(foreach word,$(MAKEOVERRIDES),$(if $(findstring =,$(word)),$(word)))
given := $(foreach word,$(words),$(firstword $(subst =, ,$(word))))
unknown := $(filter-out $(settings) CC CFLAGS SHELL,$(given))
ifneq ($(unknown),)
  $(error unknown setting $(unknown); there are: $(settings) (make LAB=04 grade))
endif
useless := $(filter-out $(taken),$(filter $(settings),$(given)))
ifneq ($(useless),)
  $(error make $(asked) takes no $(useless)$(if $(taken),; it takes: $(taken)))
endif
export $(settings)

.NOTPARALLEL:
.PHONY: help $(commands)
help $(commands):
	@$(dir $(lastword $(MAKEFILE_LIST)))tools/run $@

.DEFAULT:
	@echo "make: there is no command '$@'; there are: $(commands) (make help says more)" >&2; exit 2
