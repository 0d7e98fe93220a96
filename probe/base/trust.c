// SPDX-License-Identifier: Apache-2.0
#include "base/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/sys.h"
#include "base/tree.h"

int trust_bundle(const char *root, const char **path)
{
	static const char *const bundles[] = {
		"/etc/ssl/certs/ca-certificates.crt", /* Debian, Arch, Gentoo, Alpine */
		"/etc/pki/tls/certs/ca-bundle.crt", /* Fedora, RHEL */
		"/etc/ssl/ca-bundle.pem", /* openSUSE */
		"/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", /* newer Fedora */
		"/etc/pki/tls/cacert.pem",
		"/etc/ssl/certs/ca-bundle.crt", /* NixOS */
		"/etc/ssl/cert.pem", /* Alpine, BSD */
	};
	int refused = ENOENT;
	for (size_t i = 0; i < ARRAY_SIZE(bundles); i++) {
		int err = tree_open(root, bundles[i], O_RDONLY);
		if (!err) {
			*path = bundles[i];
			return 0;
		}
		if (err != ENOENT && err != ENOTDIR)
			refused = err;
	}
	return refused;
}

const char *const trust_variables[] = {
	"SSL_CERT_FILE",       "SSL_CERT_DIR",	 "CURL_CA_BUNDLE",    "REQUESTS_CA_BUNDLE",
	"NODE_EXTRA_CA_CERTS", "GIT_SSL_CAINFO", "AWS_CA_BUNDLE",     "PIP_CERT",
	"CARGO_HTTP_CAINFO",   "DENO_CERT",	 "NIX_SSL_CERT_FILE", NULL,
};

const char *trust_state(const char *root, const char *value, int *err)
{
	/* SSL_CERT_DIR may be a list; its first place is looked at. */
	char first[SYS_PATH_MAX];
	size_t len = strcspn(value, ":");
	if (len >= sizeof(first)) {
		*err = ENAMETOOLONG;
		return NULL;
	}
	memcpy(first, value, len);
	first[len] = '\0';
	*err = tree_open(root, first, O_RDONLY);
	if (!*err)
		return "ok";
	if (*err == ENOENT || *err == ENOTDIR)
		return "missing";
	return *err == EACCES || *err == EPERM ? "denied" : NULL;
}
