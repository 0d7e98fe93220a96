// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/fact.h"
#include "core/redact.h"

struct example {
	const char *in, *out;
};

static void check(const struct example *examples, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct buf out = BUF_INIT(100000);
		redact_text(examples[i].in, strlen(examples[i].in), &out);
		assert_string_equal(buf_text(&out), examples[i].out);
		buf_done(&out);
	}
}

static void test_urls(void **state)
{
	(void)state;
	static const struct example examples[] = {
		{ "http://srt.abc:tok@localhost:3128", "http://[redacted]@localhost:3128" },
		{ "socks5h://u@h:1", "socks5h://[redacted]@h:1" },
		{ "x=https://a:p/w@host/path and more", "x=https://[redacted]@host/path and more" },
		{ "https://host/@scope/pkg", "https://host/@scope/pkg" },
		{ "http://host:8080/a@b", "http://host:8080/a@b" },
		{ "http://host/", "http://host/" },
		{ "https://h/p?token=abc&x=1", "https://h/p?token=[redacted]&x=1" },
	};
	check(examples, sizeof(examples) / sizeof(*examples));
}

static void test_assignments(void **state)
{
	(void)state;
	static const struct example examples[] = {
		{ "MY_DB_PASSWORD=hunter2 next", "MY_DB_PASSWORD=[redacted] next" },
		{ "{\"api_key\": \"abc\"}", "{\"api_key\": \"[redacted]\"}" },
		{ "Authorization: Bearer abc def\nnext", "Authorization:[redacted]\nnext" },
		{ "curl -H 'bearer 0123456789'", "curl -H 'bearer [redacted]'" },
		{ "basic auth is on", "basic auth is on" },
		{ "X-Amz-Signature=deadbeef", "X-Amz-Signature=[redacted]" },
		{ "design: good", "design: good" },
		{ "GITHUB_TOKEN", "GITHUB_TOKEN" },
	};
	check(examples, sizeof(examples) / sizeof(*examples));
}

static void test_shapes(void **state)
{
	(void)state;
	static const struct example examples[] = {
		{ "key ghp_0123456789abcdefghij0123 end", "key [redacted] end" },
		{ "AKIAIOSFODNN7EXAMPLE", "[redacted]" },
		{ "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig", "[redacted]" },
		{ "a -----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nb",
		  "a [redacted]\nb" },
		{ "-----BEGIN CERTIFICATE-----", "-----BEGIN CERTIFICATE-----" },
		{ "q Zm9vYmFyQmF6UXV4MTIzNDU2Nzg5MGFiY2RlZkdISg==", "q [redacted]" },
	};
	check(examples, sizeof(examples) / sizeof(*examples));
}

/* What facts are made of must come through untouched. */
static void test_facts_survive(void **state)
{
	(void)state;
	static const char *const kept[] = {
		"/docker/8f3c1d2e4b5a69788f3c1d2e4b5a69788f3c1d2e4b5a69788f3c1d2e4b5a6978",
		"5f0c8d3e-8c1b-4b8f-9d2a-0123456789ab",
		"Linux version 6.18.0 (gcc (Debian 12.2.0-14) 12.2.0) #1 SMP PREEMPT_DYNAMIC",
		"/nix/store/3n58xw4373jp0ljirf06d8077j15pc4j-glibc-2.35/lib/ld-linux-x86-64.so.2",
		"cap_dac_read_search",
		"/usr/lib/x86_64-linux-gnu/perl/5.36.0",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
		"rw,nosuid,nodev,relatime,size=65536k,mode=1777",
		"java.runtime.VirtualMachineError-NoSuchMethodException",
	};
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++) {
		struct buf out = BUF_INIT(100000);
		assert_int_equal(redact_text(kept[i], strlen(kept[i]), &out), 0);
		assert_string_equal(buf_text(&out), kept[i]);
		buf_done(&out);
	}
}

static void test_fails_closed(void **state)
{
	(void)state;
	size_t len = FACT_VALUE_MAX + 1;
	char *big = malloc(len);
	struct buf out = BUF_INIT(2 * len);
	memset(big, 'a', len);
	assert_int_equal(redact_text(big, len, &out), 1);
	assert_string_equal(buf_text(&out), REDACTED);
	buf_done(&out);
	free(big);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_urls),	     cmocka_unit_test(test_assignments),
		cmocka_unit_test(test_shapes),	     cmocka_unit_test(test_facts_survive),
		cmocka_unit_test(test_fails_closed),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
