# SPDX-License-Identifier: Apache-2.0
# driftprobe: `make help` lists what can be made. Everything that is built lies below build/.

VERSION := 0.1.0
HOST    := $(shell uname -m)
ARCH    ?= $(HOST)
PREFIX  ?= /usr/local
BUDGET  := 2097152
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
SANFLAGS := $(if $(SAN),-fsanitize=address$(comma)undefined -fno-sanitize-recover=undefined)
comma    := ,
TCFLAGS  := -std=gnu11 -O1 -g $(WARN) $(SANFLAGS) -fno-omit-frame-pointer
# The library versions need every library's headers: only the whole binary has them.
TSOURCES := $(filter-out probe/main.c probe/cmd/libraries.c,$(SOURCES))
TOBJECTS := $(TSOURCES:%.c=$(T)/obj/%.o)
TLIBS    := -lcmocka -lsqlite3 -lzstd -lcap

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all help tools setup demo check unit fuzz bench size lint format install clean distclean docs

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
	@sh packaging/tools.sh $(ARCH)

setup: ## install the missing build packages (Debian; as root or with sudo)
	@sh packaging/tools.sh $(ARCH) install

build/src/chosen: packaging/deps.lock packaging/fetch.sh | tools
	$(Q)bash packaging/fetch.sh build/src
	$(Q)touch $@

# One stamp for all: deps.sh itself knows which library is out of date.
$(B)/deps/built: build/src/chosen packaging/deps.sh $(wildcard packaging/config/*)
	$(Q)bash packaging/deps.sh $(ARCH) build
	$(Q)touch $@

$(B)/obj/%.o: %.c $(B)/deps/built Makefile
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(B)/driftprobe.debug: $(OBJECTS)
	$(call say,LINK,$@)$(CC) $(LDFLAGS) -Wl,-Map=$(B)/driftprobe.map -o $@ $(OBJECTS) $(LIBS)

$(B)/driftprobe: $(B)/driftprobe.debug
	$(Q)$(STRIP_$(ARCH)) -o $@ $<

size: $(B)/driftprobe ## bytes by library and object; fails over the budget
	@sh packaging/size.sh $(B)/driftprobe.map $(B)/driftprobe $(BUDGET)

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

$(T)/driftprobe.a: $(TOBJECTS)
	$(Q)rm -f $@ && ar rcs $@ $(TOBJECTS)

$(T)/unit/%: tests/unit/%.c $(T)/driftprobe.a Makefile
	@mkdir -p $(@D)
	$(call say,HOSTCC,$<)$(HOSTCC) $(CPPFLAGS) $(TCFLAGS) -MMD -MP -MF $@.d -o $@ $< $(T)/driftprobe.a $(TLIBS)

# The whole binary under sanitizers. It links dynamically, which no sandbox test would bear: host tests only.
build/san/driftprobe: $(SOURCES:%.c=build/san/obj/%.o)
	$(call say,LINK,$@)$(HOSTCC) $(SANFLAGS) -o $@ $^ -lcurl -lmbedtls -lmbedx509 -lmbedcrypto -lsqlite3 -lzstd \
		-lcap -lbpf -lelf -lz

FUZZ_SECONDS ?= 20
build/fuzz/%: tests/fuzz/%.c $(TSOURCES) Makefile
	@mkdir -p $(@D)
	$(call say,CLANG,$<)clang $(CPPFLAGS) -std=gnu11 -g -O1 -fsanitize=fuzzer,address,undefined \
		-fno-sanitize-recover=undefined -o $@ $< $(filter-out probe/cmd/%,$(TSOURCES)) -lsqlite3 -lzstd -lcap

fuzz: $(FUZZERS:tests/fuzz/%.c=build/fuzz/%) ## run each fuzzer for FUZZ_SECONDS
	$(Q)for f in $(notdir $^); do \
		mkdir -p build/corpus/$$f && \
		build/fuzz/$$f -max_total_time=$(FUZZ_SECONDS) -rss_limit_mb=2048 -print_final_stats=1 \
			build/corpus/$$f tests/fuzz/corpus/$${f#fuzz_} || exit 1; \
	done

bench: all ## time collect beside facter, inxi and neofetch
	$(Q)bash tests/bench/run build/driftprobe

LINTED := $(wildcard probe/*.[ch] probe/*/*.[ch] collectors/*.[ch] upload/*.[ch] bpf/*.[ch] tests/unit/*.[ch] tests/fuzz/*.[ch])
lint: ## formatting, clang-tidy, cppcheck
	$(Q)clang-format --dry-run -Werror $(LINTED)
	$(Q)clang-tidy --quiet $(TSOURCES) -- -std=gnu11 $(CPPFLAGS)
	$(Q)cppcheck --quiet --error-exitcode=1 --inline-suppr --suppressions-list=packaging/cppcheck.txt \
		--enable=warning,performance,portability --std=c11 $(CPPFLAGS) $(TSOURCES)

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
	$(Q)rm -rf build/*/obj build/*/driftprobe* build/driftprobe build/test build/san build/fuzz build/docs build/demo

distclean: ## remove build/ whole, the libraries too
	$(Q)rm -rf build

-include $(shell find build -name '*.d' 2>/dev/null)
