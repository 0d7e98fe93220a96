// SPDX-License-Identifier: Apache-2.0
#include "cmd/libraries.h"

#include <bpf/libbpf.h>
#include <curl/curl.h>
#include <sqlite3.h>
#include <sys/capability.h>
#include <zlib.h>
#include <zstd.h>

void libraries_print(struct buf *out)
{
	const curl_version_info_data *curl = curl_version_info(CURLVERSION_NOW);
	buf_printf(
		out,
		"curl %s (%s), sqlite %s, zstd %s, libbpf %u.%u, libelf, libcap %d.%d, zlib %s\n",
		curl->version, curl->ssl_version ? curl->ssl_version : "no TLS",
		sqlite3_libversion(), ZSTD_versionString(), libbpf_major_version(),
		libbpf_minor_version(), LIBCAP_MAJOR, LIBCAP_MINOR, zlibVersion());
}
