#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the pinned libraries for one architecture: deps.sh ARCH BUILD
#   BUILD/src      what fetch.sh brought; BUILD/ARCH/deps/{include,lib}  what comes out
# Each library is stamped with a hash of its files, its recipe below and the compiler, so that a change
# rebuilds that library alone.
set -euo pipefail
arch=$1
build=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
src=$build/src
out=$build/$arch/deps
work=$build/$arch/work
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}

die() { printf 'deps: %s\n' "$*" >&2; exit 1; }

# The libraries have flags of their own: neither those of make's command line nor a packager's environment.
unset MAKEFLAGS MAKEOVERRIDES CC CFLAGS CPPFLAGS LDFLAGS

case $arch in
x86_64) deb=musl-amd64 march= ;;
# Outline atomics would ask libgcc for getauxval glue; inline ones are smaller, too.
aarch64) deb=musl-arm64 march=-mno-outline-atomics ;;
*) die "unknown architecture $arch: x86_64 or aarch64" ;;
esac
triple=$arch-linux-musl
prefix=$arch-linux-gnu-
[ "$(uname -m)" != "$arch" ] || prefix=
gcc=${prefix}gcc
# asm/ lies in the cross compiler's folder, or in Debian's of this machine's kind, or beside linux/.
for kernel in "/usr/$arch-linux-gnu/include" "/usr/include/$arch-linux-gnu" /usr/include; do
	[ ! -d "$kernel/asm" ] || break
done
sys=$build/$arch/musl
# -pipe and no unwind tables: we neither throw nor trace back, and the tables are 5 % of the binary.
base="-Os -pipe -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables -fno-unwind-tables -fPIE $march"
read -ra flags <<<"$base"
cc=("$gcc" -specs "$sys/specs")

chosen() { awk -v n="$1" -v r="$2" '$1 == n && $2 == r { print $3 }' "$src/chosen"; }

patches_of() { awk -F'\t' -v f="$1" '$5 == f { print $7 }' "$here/deps.lock"; }

unpack() { # NAME DIR: sources with the wanted ones of Debian's patches applied
	rm -rf "$2"
	mkdir -p "$2"
	tar -C "$2" --strip-components=1 -xf "$src/$(chosen "$1" orig)"
	local file patch
	file=$(chosen "$1" patches)
	[ -n "$file" ] || return 0
	mkdir -p "$2/.debian"
	tar -C "$2/.debian" -xf "$src/$file"
	# -f: without it patch stops at a question and hangs.
	grep -E "$(patches_of "$file")" "$2/.debian/debian/patches/series" | while read -r patch _; do
		patch -d "$2" -p1 -s -f <"$2/.debian/debian/patches/$patch" ||
			die "patch $patch does not apply to $1"
	done
}

compile() { # LIB FLAGS… -- FILES: into $out/lib/LIB, objects below the current directory
	local lib=$1 opts=()
	shift
	while [ "$1" != -- ]; do opts+=("$1"); shift; done
	shift
	rm -rf .obj
	mkdir .obj
	# Names with their folder, as two files of one name must not meet; o_ since that of ../x.c would be hidden.
	# shellcheck disable=SC2016 # the inner shell expands it
	printf '%s\n' "$@" | xargs -P "$jobs" -I{} sh -c \
		'o=.obj/o_$(printf %s "$1" | tr / _).o; shift; exec "$@" -o "$o"' sh {} "${cc[@]}" "${flags[@]}" "${opts[@]}" -c {}
	rm -f "$out/lib/$lib"
	"${prefix}ar" rcs "$out/lib/$lib" .obj/*.o
}

put() { # DIR FILES…: below $out/include
	local to=$out/include/$1
	shift
	mkdir -p "$to"
	cp -r "$@" "$to"
}

build_musl() {
	local file
	file=$(chosen "$deb" deb)
	rm -rf "$sys"
	mkdir -p "$sys"
	if command -v dpkg-deb >/dev/null; then
		dpkg-deb -x "$src/$file" "$sys"
	else
		(cd "$sys" && ar x "$src/$file" && tar -xf data.tar.* && rm -f data.tar.* control.tar.* debian-binary)
	fi
	# The kernel's headers only: /usr/include itself would let glibc's in.
	local dir
	ln -sfn "$kernel/asm" "$sys/usr/include/$triple/asm"
	for dir in linux asm-generic; do
		if [ -d "$kernel/$dir" ]; then ln -sfn "$kernel/$dir" "$sys/usr/include/$triple/$dir"
		else ln -sfn "/usr/include/$dir" "$sys/usr/include/$triple/$dir"; fi
	done
}

# Apart from the stamps: it holds the place where this tree lies, and a tree may be moved.
write_specs() {
	sed "s#/usr/#$sys/usr/#g" "$sys/usr/lib/$triple/musl-gcc.specs" >"$sys/specs.new"
	if cmp -s "$sys/specs.new" "$sys/specs"; then rm "$sys/specs.new"; else mv "$sys/specs.new" "$sys/specs"; fi
}

build_zlib() {
	cd "$work/zlib"
	compile libz.a -DHAVE_UNISTD_H -DHAVE_HIDDEN -D_LARGEFILE64_SOURCE=1 -- adler32.c crc32.c deflate.c infback.c \
		inffast.c inflate.c inftrees.c trees.c zutil.c compress.c uncompr.c gzclose.c gzlib.c gzread.c gzwrite.c
	put . zlib.h zconf.h
}

build_zstd() {
	cd "$work/zstd/lib"
	# Lean: the slow strategies and the duplicate decoders cost 200 KB and serve nothing here.
	compile libzstd.a -DXXH_NAMESPACE=ZSTD_ -DZSTD_LEGACY_SUPPORT=0 -DZSTD_DISABLE_ASM -DZSTD_NO_TRACE \
		-DZSTD_NO_INLINE -DZSTD_STRIP_ERROR_STRINGS -DHUF_FORCE_DECOMPRESS_X1 \
		-DZSTD_FORCE_DECOMPRESS_SEQUENCES_SHORT -DDYNAMIC_BMI2=0 -DZSTD_EXCLUDE_BTLAZY2_BLOCK_COMPRESSOR \
		-DZSTD_EXCLUDE_BTOPT_BLOCK_COMPRESSOR -DZSTD_EXCLUDE_BTULTRA_BLOCK_COMPRESSOR \
		-- common/*.c compress/*.c decompress/*.c
	put . zstd.h zstd_errors.h
}

build_elfutils() {
	cd "$work/elfutils/libelf"
	mkdir -p ../cfg
	cp "$here/config/libelf_config.h" ../cfg/config.h
	local files
	# lib/crc32.c and next_prime.c stay out: libelf has renamed copies, and the former would hide zlib's crc32.
	files=$(sed -n '/^libelf_a_SOURCES/,/[^\\]$/p' Makefile.am | grep -o '[A-Za-z0-9_]*\.c\>')
	# shellcheck disable=SC2086
	compile libelf.a -std=gnu99 -D_GNU_SOURCE -DHAVE_CONFIG_H -I../cfg -I. -I../lib -I"$out/include" -w \
		-- $files ../lib/eu-search.c
	put . libelf.h gelf.h nlist.h
}

build_libbpf() {
	cd "$work/libbpf/src"
	compile libbpf.a -D_LARGEFILE64_SOURCE -D_FILE_OFFSET_BITS=64 -I. -I../include -I../include/uapi \
		-I"$out/include" -fvisibility=hidden -w -- *.c
	put bpf bpf.h libbpf.h btf.h libbpf_common.h libbpf_legacy.h bpf_helpers.h bpf_helper_defs.h bpf_tracing.h \
		bpf_endian.h bpf_core_read.h skel_internal.h libbpf_version.h usdt.bpf.h
}

build_libcap() {
	cd "$work/libcap/libcap"
	# The pipe of its own Makefile: a wrong list still compiles, and cap_to_text() then returns NULL.
	grep -E '^#define\s+CAP_([^\s]+)\s+[0-9]+\s*$' include/uapi/linux/capability.h |
		sed -e 's/^#define\s\+/{"/' -e 's/\s*$/},/' -e 's/\s\+/",/' -e 'y/ABCDEFGHIJKLMNOPQRSTUVWXYZ/abcdefghijklmnopqrstuvwxyz/' \
			>cap_names.list.h
	"${HOSTCC:-gcc}" -O1 -Iinclude/uapi -Iinclude _makenames.c -o _makenames
	./_makenames >cap_names.h
	compile libcap.a -D_GNU_SOURCE -Iinclude/uapi -Iinclude -w -- cap_alloc.c cap_proc.c cap_extint.c cap_flag.c \
		cap_text.c cap_file.c cap_syscalls.c
	put sys include/sys/capability.h
}

build_sqlite() {
	cd "$work/sqlite"
	mkdir -p bld
	# Debian ships the canonical tree: tclsh makes the amalgamation out of it.
	make -s -C bld -f ../Makefile.linux-gcc TOP=.. sqlite3.c >/dev/null 2>"$work/sqlite.log" ||
		die "the amalgamation of sqlite failed: see $work/sqlite.log"
	jobs=1
	cd bld
	compile libsqlite3.a -DSQLITE_THREADSAFE=2 -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_DQS=0 \
		-DSQLITE_DEFAULT_MEMSTATUS=0 -DSQLITE_OMIT_DEPRECATED -DSQLITE_OMIT_SHARED_CACHE \
		-DSQLITE_OMIT_PROGRESS_CALLBACK -DSQLITE_LIKE_DOESNT_MATCH_BLOBS -DSQLITE_USE_ALLOCA \
		-DSQLITE_OMIT_AUTOINIT -DSQLITE_MAX_EXPR_DEPTH=0 -DSQLITE_TEMP_STORE=2 -DHAVE_FDATASYNC=1 \
		-DHAVE_USLEEP=1 -DHAVE_STRCHRNUL=1 -w -- sqlite3.c
	put . sqlite3.h
}

build_mbedtls() {
	cd "$work/mbedtls"
	put . include/mbedtls include/psa
	cp "$here/config/mbedtls_user.h" "$out/include/mbedtls_user.h"
	compile libmbedtls.a -I"$out/include" -Ilibrary -D_FILE_OFFSET_BITS=64 \
		-DMBEDTLS_USER_CONFIG_FILE='"mbedtls_user.h"' -- library/*.c
}

build_curl() {
	cd "$work/curl"
	rm -rf bld
	local off=() what
	for what in FTP FILE LDAP LDAPS RTSP DICT TELNET TFTP POP3 IMAP SMB SMTP GOPHER MQTT IPFS WEBSOCKETS NTLM \
		KERBEROS_AUTH NEGOTIATE_AUTH COOKIES DOH ALTSVC HSTS NETRC LIBCURL_OPTION FORM_API MIME PARSEDATE \
		SHUFFLE_DNS SOCKETPAIR PROGRESS_METER GETOPTIONS; do
		off+=("-DCURL_DISABLE_$what=ON")
	done
	cmake -S . -B bld -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$arch" -DCMAKE_C_COMPILER="$gcc" \
		-DCMAKE_C_FLAGS="-specs $sys/specs $base -DMBEDTLS_USER_CONFIG_FILE='\"mbedtls_user.h\"' -w" \
		-DCMAKE_EXE_LINKER_FLAGS=-static-pie -DCMAKE_BUILD_TYPE=None -DCMAKE_FIND_ROOT_PATH="$out" \
		-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF -DHTTP_ONLY=ON -DCURL_USE_MBEDTLS=ON -DCURL_USE_OPENSSL=OFF \
		-DCURL_USE_LIBPSL=OFF -DCURL_USE_LIBSSH2=OFF -DUSE_NGHTTP2=OFF -DUSE_LIBIDN2=OFF -DCURL_BROTLI=OFF \
		-DCURL_ZSTD=OFF -DCURL_ZLIB=OFF -DCURL_USE_PKGCONFIG=OFF -DENABLE_UNIX_SOCKETS=OFF \
		-DBUILD_SHARED_LIBS=OFF -DBUILD_STATIC_LIBS=ON -DBUILD_CURL_EXE=OFF -DBUILD_TESTING=OFF \
		-DBUILD_LIBCURL_DOCS=OFF -DBUILD_MISC_DOCS=OFF -DENABLE_CURL_MANUAL=OFF -DCURL_CA_BUNDLE=none \
		-DCURL_CA_PATH=none -DMBEDTLS_INCLUDE_DIR="$out/include" -DMBEDTLS_LIBRARY="$out/lib/libmbedtls.a" \
		-DMBEDX509_LIBRARY="$out/lib/libmbedtls.a" -DMBEDCRYPTO_LIBRARY="$out/lib/libmbedtls.a" \
		"${off[@]}" >"$work/curl.log" 2>&1 || die "curl's CMake failed: see $work/curl.log"
	make -s -C bld -j"$jobs" libcurl_static >>"$work/curl.log" 2>&1 ||
		die "curl did not compile: see $work/curl.log"
	cp bld/lib/libcurl.a "$out/lib/"
	put curl include/curl/*.h
}

# What goes into the stamp of a library, beside its own recipe.
declare -A needs=([musl]="" [zlib]=musl [zstd]=musl [libcap]=musl [sqlite]=musl [mbedtls]=musl
	[elfutils]="musl zlib" [libbpf]="musl zlib elfutils" [curl]="musl mbedtls")
declare -A extra=([mbedtls]=mbedtls_user.h [elfutils]=libelf_config.h)

key_of() {
	local lib=$1 row=$1 need
	[ "$lib" != musl ] || row=$deb
	{
		awk -v n="$row" '$1 == n' "$src/chosen"
		grep "^$row$(printf '\t')" "$here/deps.lock"
		declare -f "build_$lib" compile put unpack
		[ -z "${extra[$lib]:-}" ] || cat "$here/config/${extra[$lib]}"
		echo "$base" && "$gcc" --version | sed -n 1p
		for need in ${needs[$lib]}; do key_of "$need"; done
	} | sha256sum | cut -d' ' -f1
}

build_one() {
	local lib=$1 key
	key=$(key_of "$lib")
	[ "$(cat "$out/stamp/$lib" 2>/dev/null)" != "$key" ] || return 0
	echo "deps: $lib ($arch)" >&2
	[ "$lib" = musl ] || unpack "$lib" "$work/$lib"
	("build_$lib")
	echo "$key" >"$out/stamp/$lib"
	rm -rf "${work:?}/$lib"
}

mkdir -p "$out"/{include,lib,stamp} "$work"
if command -v flock >/dev/null; then # two makes in one tree
	exec 9>"$build/$arch/.lock"
	flock 9
fi
build_one musl
write_specs
# sqlite is one long compile: it runs beside all the others.
build_one sqlite &
sqlite=$!
trap 'kill "$sqlite" 2>/dev/null || true' EXIT
for lib in zlib zstd libcap mbedtls elfutils libbpf curl; do build_one "$lib"; done
wait "$sqlite"
trap - EXIT
# What our objects depend on: it changes when a library did.
cat "$sys/specs" "$out"/stamp/* >"$out/built.new"
if cmp -s "$out/built.new" "$out/built"; then rm "$out/built.new"; else mv "$out/built.new" "$out/built"; fi
