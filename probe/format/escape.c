// SPDX-License-Identifier: Apache-2.0
#include "format/escape.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/utf8.h"
#include "core/fact.h"
#include "core/redact.h"

/* Controls, and what makes text read in another order than it is written. */
static bool steers(uint32_t code)
{
	return code < ' ' || (code >= 0x7f && code < 0xa0) || (code >= 0x200b && code <= 0x200f) ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) ||
	       code == 0xfeff || (code >= 0xe0000 && code <= 0xe007f);
}

void escape_text(const char *text, size_t len, struct buf *out)
{
	cleanup_buf struct buf clean = BUF_INIT((size_t)4 * FACT_VALUE_MAX);
	redact_text(text, len, &clean);
	if (buf_failed(&clean)) {
		buf_puts(out, REDACTED);
		return;
	}
	const char *s = buf_text(&clean);
	for (size_t i = 0; i < clean.len;) {
		uint32_t code = 0;
		size_t n = utf8_decode(s + i, clean.len - i, &code);
		if (!n)
			buf_printf(out, "\\x%02x", (unsigned char)s[i]);
		else if (steers(code))
			buf_printf(out, code < 0x100 ? "\\x%02x" : "\\u{%x}", (unsigned int)code);
		else
			buf_add(out, s + i, n);
		i += n ? n : 1;
	}
}
