# Scan Lab's front door: `make` says what there is. tools/run does it all; CMake builds.
#
# make exits with 0 or 2, as GNU make does; tools/run and build/grader/grade say more: --help.

settings := LAB SRC BACKEND CASE SEED SEEDS RESIDENT ORDER OUTPUT ALL FORMAT UNSAFE BLOCKS SUBMISSIONS SHARD MERGE FULL AGAIN LABS COURSE \
    PREFIX DESTDIR
commands := grade watch hint gates reset status simt install deb clean
# A student kit has no tests, and none of these either.
root := $(dir $(lastword $(MAKEFILE_LIST)))
commands += $(if $(wildcard $(root)tools/check),grade-all test bench plots lecture demo-deadlock diff export new-lab student-kit)

# What each command takes; a setting that no command of this call takes is refused, not ignored.
settings_help := ALL
settings_grade := LAB SRC BACKEND CASE SEED RESIDENT ORDER OUTPUT ALL FORMAT UNSAFE COURSE
settings_grade-all := SUBMISSIONS LAB BACKEND SEED SHARD MERGE UNSAFE COURSE
settings_export := FORMAT LAB COURSE UNSAFE
settings_student-kit := LABS COURSE
settings_test := FULL SEEDS
settings_bench := BACKEND
settings_lecture := LAB SRC
settings_demo-deadlock := BACKEND RESIDENT ORDER BLOCKS SEED
settings_hint := LAB AGAIN
settings_gates := LAB
settings_reset := LAB ALL
settings_watch := LAB SRC COURSE
settings_status := SRC
settings_diff := LAB SRC
settings_new-lab := LAB
settings_install := PREFIX DESTDIR
goals := $(or $(MAKECMDGOALS),help)
asked := $(filter help $(commands),$(goals))
taken := $(if $(asked),$(foreach command,$(asked),$(settings_$(command))),$(settings))

words := $(foreach word,$(MAKEOVERRIDES),$(if $(findstring =,$(word)),$(word)))
given := $(foreach word,$(words),$(firstword $(subst =, ,$(word))))
unknown := $(filter-out $(settings) CC CFLAGS SHELL,$(given))
small := $(if $(unknown),$(shell echo $(settings) | tr A-Z a-z))
useless := $(filter-out $(taken),$(filter $(settings),$(given)))
which := $(if $(filter-out $(small),$(unknown)),there are: $(taken),it is written in capital letters: LAB=04)
wrong := $(if $(useless),make $(asked) takes no $(useless)$(if $(taken),; it takes: $(taken)))
refused := $(if $(unknown),unknown setting $(unknown); $(which),$(wrong))
export refused $(settings)

# The commands run while make looks for a file to include, `commands.run`, because it keeps quiet
# about one that cannot be made: below a verdict no "*** Error 1" is to stand. The goals need
# `commands.end`, which the same recipe is to make; so they fail, and make exits with 2, if it did.
run := $(root)tools/run
.PHONY: $(goals)
$(goals): commands.end ; @:
refuse = { bash -c '. $(root)tools/progress.sh && say "$$1"' make "$(1)"; exit 2; }
%.run %.end:
	@$(if $(refused),$(call refuse,make: $$refused),$(foreach goal,$(goals),$(if $(filter help $(commands),$(goal)),$(run) $(goal),\
	    $(call refuse,make: there is no command '$(goal)'; there are: $(commands) (make help says more))) &&) :)
ifeq ($(findstring n,$(firstword -$(MAKEFLAGS))),)
  -include commands.run
endif
