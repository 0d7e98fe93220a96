# SPDX-License-Identifier: Apache-2.0
# driftprobe: `make help` lists what can be made. Everything that is built lies below build/.

VERSION := 0.1.0
HOST    := $(shell uname -m)
ARCH    ?= $(HOST)
PREFIX  ?= /usr/local
B       := build/$(ARCH)
HOSTCC  ?= gcc
Q       := $(if $(V),,@)
say      = $(if $(V),,@printf '%-7s %s\n' '$(1)' '$(2)';)

SOURCES  := $(filter-out %.bpf.c,$(wildcard probe/*.c probe/*/*.c collectors/*.c upload/*.c bpf/*.c))
TESTS    := $(wildcard tests/unit/test_*.c)
FUZZERS  := $(wildcard tests/fuzz/fuzz_*.c)
WARN     := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2 \
	    -Wpointer-arith -Wwrite-strings -Wundef
CPPFLAGS := -I. -Iprobe -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -DDRIFTPROBE_VERSION='"$(VERSION)"'

# The shipped binary: static-pie against the pinned libraries (packaging/deps.sh says how they are built).
DEPS     := $(CURDIR)/$(B)/deps
CC_x86_64  := $(if $(filter x86_64,$(HOST)),gcc,x86_64-linux-gnu-gcc)
CC_aarch64 := $(if $(filter aarch64,$(HOST)),gcc,aarch64-linux-gnu-gcc)
STRIP_x86_64  := $(patsubst %gcc,%strip,$(CC_x86_64))
STRIP_aarch64 := $(patsubst %gcc,%strip,$(CC_aarch64))
LD_x86_64  := -Wl,-z,pack-relative-relocs
ARCH_aarch64 := -mno-outline-atomics
CC       := $(CC_$(ARCH)) -specs $(CURDIR)/$(B)/musl/specs
CFLAGS   := -std=gnu11 -Os -g -pipe $(WARN) -ffunction-sections -fdata-sections -fPIE -fstack-protector-strong \
	    -fno-asynchronous-unwind-tables -fno-unwind-tables $(ARCH_$(ARCH)) -isystem $(DEPS)/include \
	    -DMBEDTLS_USER_CONFIG_FILE='"mbedtls_user.h"' -DCURL_STATICLIB
LDFLAGS  := -static-pie -Wl,--gc-sections,-z,relro,-z,now,-z,noseparate-code,-z,noexecstack $(LD_$(ARCH))
LIBS     := -L$(DEPS)/lib -lcurl -lmbedtls -lsqlite3 -lzstd -lcap -lbpf -lelf -lz
OBJECTS  := $(SOURCES:%.c=$(B)/obj/%.o)

# Unit tests: the host's compiler and Debian's -dev packages, so that sanitizers can look on.
T        := $(if $(SAN),build/san,build/test)
SANFLAGS := $(if $(SAN),-fsanitize=address -fsanitize=undefined -fno-sanitize-recover=undefined)
TCFLAGS  := -std=gnu11 -O1 -g $(WARN) $(SANFLAGS) -fno-omit-frame-pointer
# The library versions need every library's headers: only the whole binary has them.
TSOURCES := $(filter-out probe/main.c probe/cmd/libraries.c,$(SOURCES))
TOBJECTS := $(TSOURCES:%.c=$(T)/obj/%.o)
TLIBS    := -lcmocka -lsqlite3 -lzstd -lcap

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all help tools setup demo check unit fuzz bench size lint format install clean distclean docs FORCE fuzz-tools lint-tools

all: build/driftprobe ## build build/driftprobe for this machine, or build/ARCH/driftprobe with ARCH=aarch64

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 20
	@echo "Variables: ARCH= DESTDIR= PREFIX= DEPS_MIRROR=URL DEPS_DIR=DIR SAN=1 V=1 FUZZ_SECONDS="

ifeq ($(ARCH),$(HOST))
build/driftprobe: $(B)/driftprobe
	$(Q)cp -f $< $@
else
.PHONY: build/driftprobe
build/driftprobe: $(B)/driftprobe
endif

tools:
	@sh packaging/tools.sh check $(ARCH) build

FOR ?= demo
setup: ## install the missing build packages (Debian; as root or with sudo), and what FOR="san fuzz lint" needs
	@sh packaging/tools.sh install $(ARCH) build $(FOR) $(if $(SAN),san)

build/src/chosen: packaging/deps.lock packaging/fetch.sh | tools
	$(Q)bash packaging/fetch.sh build/src

# deps.sh itself knows which library is out of date; deps/built changes only when one was.
$(B)/deps/checked: build/src/chosen build/place packaging/deps.sh $(wildcard packaging/config/*)
	$(Q)HOSTCC='$(HOSTCC)' bash packaging/deps.sh $(ARCH) build
	$(Q)touch $@

$(B)/deps/built: $(B)/deps/checked
	@:

# The compiler's specs hold the place where this tree lies: a moved tree needs them anew.
build/place: FORCE
	@mkdir -p build
	@echo '$(CURDIR)' | cmp -s - $@ || echo '$(CURDIR)' >$@

# A source that comes or goes changes what is linked, also when no object is newer.
$(B)/sources $(T)/sources build/fuzz/sources: FORCE
	@mkdir -p $(@D)
	@echo '$(SOURCES)' | cmp -s - $@ || echo '$(SOURCES)' >$@

$(B)/obj/%.o: %.c $(B)/deps/built Makefile
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(B)/driftprobe.debug: $(OBJECTS) $(B)/sources
	$(call say,LINK,$@)$(CC) $(LDFLAGS) -Wl,-Map=$(B)/driftprobe.map -o $@ $(OBJECTS) $(LIBS)

$(B)/driftprobe: $(B)/driftprobe.debug
	$(Q)$(STRIP_$(ARCH)) -o $@ $<

BUDGET_x86_64 := 2097152
size: $(B)/driftprobe ## bytes by library and object; fails when the x86-64 binary is over 2 MiB
	@sh packaging/size.sh $(B)/driftprobe.map $(B)/driftprobe $(BUDGET_$(ARCH))

demo: setup ## profile this machine and a bubblewrap sandbox, and show what differs
	$(Q)$(MAKE) --no-print-directory all
	@sh packaging/demo.sh build/driftprobe build/demo

check: setup ## install what the tests need and run them all (SAN=1: under sanitizers)
	$(Q)bash tests/install
	$(Q)$(MAKE) --no-print-directory all unit SAN=$(SAN)
	$(Q)$(if $(SAN),UNIT=build/san/unit DRIFTPROBE=$(CURDIR)/build/san/driftprobe )bash tests/run

unit: $(TESTS:tests/unit/%.c=$(T)/unit/%) $(if $(SAN),build/san/driftprobe) ## build the unit tests

$(T)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call say,HOSTCC,$<)$(HOSTCC) $(CPPFLAGS) $(TCFLAGS) -MMD -MP -c -o $@ $<

$(T)/driftprobe.a: $(TOBJECTS) $(T)/sources
	$(Q)rm -f $@ && ar rcs $@ $(TOBJECTS)

$(T)/unit/%: tests/unit/%.c $(T)/driftprobe.a Makefile
	@mkdir -p $(@D)
	$(call say,HOSTCC,$<)$(HOSTCC) $(CPPFLAGS) $(TCFLAGS) -MMD -MP -MF $@.d -o $@ $< $(T)/driftprobe.a $(TLIBS)

# The whole binary under sanitizers. It links dynamically, which no sandbox test would bear: host tests only.
build/san/driftprobe: $(SOURCES:%.c=build/san/obj/%.o) $(T)/sources
	$(call say,LINK,$@)$(HOSTCC) $(SANFLAGS) -o $@ $(filter %.o,$^) -lcurl -lmbedtls -lmbedx509 -lmbedcrypto -lsqlite3 -lzstd \
		-lcap -lbpf -lelf -lz

# Fuzzers: one program per file; seeds of fuzz_NAME.c are in tests/fuzz/corpus/NAME, finds go to build/fuzz.
FUZZ_SECONDS ?= 20
FFLAGS   := -std=gnu11 -g -O1 -fno-omit-frame-pointer -fno-sanitize-recover=undefined
FOBJECTS := $(TSOURCES:%.c=build/fuzz/obj/%.o)

build/fuzz/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call say,CLANG,$<)clang $(CPPFLAGS) $(FFLAGS) -fsanitize=fuzzer-no-link,address,undefined -MMD -MP -c -o $@ $<

build/fuzz/driftprobe.a: $(FOBJECTS) build/fuzz/sources
	$(Q)rm -f $@ && ar rcs $@ $(FOBJECTS)

build/fuzz/fuzz_%: tests/fuzz/fuzz_%.c build/fuzz/driftprobe.a Makefile
	$(call say,CLANG,$<)clang $(CPPFLAGS) $(FFLAGS) -fsanitize=fuzzer,address,undefined -MMD -MP -MF $@.d -o $@ $< \
		build/fuzz/driftprobe.a -lsqlite3 -lzstd -lcap

fuzz-tools:
	@sh packaging/tools.sh check $(HOST) host fuzz

fuzz: fuzz-tools ## run each fuzzer for FUZZ_SECONDS
	$(Q)$(if $(FUZZERS),$(MAKE) --no-print-directory $(FUZZERS:tests/fuzz/%.c=build/fuzz/%))
	$(Q)for f in $(FUZZERS:tests/fuzz/fuzz_%.c=%); do \
		seeds=tests/fuzz/corpus/$$f; [ -d $$seeds ] || seeds=; \
		mkdir -p build/fuzz/corpus/$$f && echo "FUZZ    $$f" && \
		build/fuzz/fuzz_$$f -max_total_time=$(FUZZ_SECONDS) -rss_limit_mb=2048 -print_final_stats=1 \
			-artifact_prefix=build/fuzz/$$f- build/fuzz/corpus/$$f $$seeds || exit 1; \
	done

bench: all ## time collect beside facter, inxi and neofetch
	$(Q)bash tests/bench/run build/driftprobe

LINTED := $(wildcard probe/*.[ch] probe/*/*.[ch] collectors/*.[ch] upload/*.[ch] bpf/*.[ch] tests/unit/*.[ch] tests/fuzz/*.[ch])
# One stamp for each source: the test object is remade whenever a header of it changes.
build/lint/%.tidy: build/test/obj/%.o .clang-tidy
	@mkdir -p $(@D)
	$(call say,TIDY,$*.c)clang-tidy --quiet $*.c -- -std=gnu11 $(CPPFLAGS) && touch $@

lint-tools:
	@sh packaging/tools.sh check $(HOST) build host lint

lint: lint-tools ## formatting, clang-tidy, cppcheck, shellcheck
	$(Q)clang-format --dry-run -Werror $(LINTED)
	$(Q)$(MAKE) --no-print-directory SAN= $(TSOURCES:%.c=build/lint/%.tidy)
	$(Q)cppcheck --quiet --error-exitcode=1 --inline-suppr --suppressions-list=packaging/cppcheck.txt \
		--enable=warning,performance,portability --std=c11 $(CPPFLAGS) $(TSOURCES)
	$(Q)shellcheck packaging/*.sh

format: ## apply .clang-format
	$(Q)clang-format -i $(LINTED)

# Manual and completions come out of the command tables, so out of a binary that runs here.
docs: build/driftprobe
	@mkdir -p build/docs
	$(Q)build/driftprobe help --man >build/docs/driftprobe.1
	$(Q)for s in bash zsh fish; do build/driftprobe help --completion $$s >build/docs/$$s || exit 1; done

install: $(B)/driftprobe ## install below DESTDIR and PREFIX
	$(Q)$(MAKE) --no-print-directory ARCH=$(HOST) docs
	install -D -m 755 $(B)/driftprobe $(DESTDIR)$(PREFIX)/bin/driftprobe
	install -D -m 644 build/docs/driftprobe.1 $(DESTDIR)$(PREFIX)/share/man/man1/driftprobe.1
	install -D -m 644 build/docs/bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/driftprobe
	install -D -m 644 build/docs/zsh $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_driftprobe
	install -D -m 644 build/docs/fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/driftprobe.fish

clean: ## remove what was built from our own sources
	$(Q)rm -rf build/*/obj build/*/sources build/*/driftprobe* build/driftprobe build/test build/san build/fuzz build/lint \
		build/docs build/demo

distclean: ## remove build/ whole, the libraries too
	$(Q)rm -rf build

-include $(OBJECTS:.o=.d) $(TOBJECTS:.o=.d) $(TESTS:tests/unit/%.c=$(T)/unit/%.d)
-include $(SOURCES:%.c=build/san/obj/%.d) $(FOBJECTS:.o=.d) $(FUZZERS:tests/fuzz/%.c=build/fuzz/%.d)
