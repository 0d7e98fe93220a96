// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

size_t utf8_decode(const char *text, size_t len, uint32_t *code)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t more = s[0] < 0x80 ? 0 : s[0] >= 0xf0 ? 3 : s[0] >= 0xe0 ? 2 : 1;
	uint32_t value = more ? s[0] & (0x3fu >> more) : s[0];

	if ((s[0] >= 0x80 && s[0] < 0xc2) || s[0] > 0xf4 || more + 1 > len)
		return 0;
	for (size_t i = 1; i <= more; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (s[i] & 0x3fu);
	}
	if ((more == 2 && (value < 0x800 || (value >= 0xd800 && value < 0xe000))) ||
	    (more == 3 && (value < 0x10000 || value > 0x10ffff)))
		return 0;
	*code = value;
	return more + 1;
}

bool utf8_valid(const char *s, size_t len)
{
	uint32_t code;
	for (size_t i = 0; i < len;) {
		size_t n = utf8_decode(s + i, len - i, &code);
		if (!n || !code)
			return false;
		i += n;
	}
	return true;
}
