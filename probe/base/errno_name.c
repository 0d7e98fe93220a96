// SPDX-License-Identifier: Apache-2.0
#include "base/errno_name.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/parse.h"

#define N(name)                                                                                    \
	{                                                                                          \
		name, #name                                                                        \
	}

static const struct {
	int err;
	const char *name;
} names[] = {
	N(EPERM),
	N(ENOENT),
	N(ESRCH),
	N(EINTR),
	N(EIO),
	N(ENXIO),
	N(E2BIG),
	N(ENOEXEC),
	N(EBADF),
	N(ECHILD),
	N(EAGAIN),
	N(ENOMEM),
	N(EACCES),
	N(EFAULT),
	N(ENOTBLK),
	N(EBUSY),
	N(EEXIST),
	N(EXDEV),
	N(ENODEV),
	N(ENOTDIR),
	N(EISDIR),
	N(EINVAL),
	N(ENFILE),
	N(EMFILE),
	N(ENOTTY),
	N(ETXTBSY),
	N(EFBIG),
	N(ENOSPC),
	N(ESPIPE),
	N(EROFS),
	N(EMLINK),
	N(EPIPE),
	N(EDOM),
	N(ERANGE),
	N(EDEADLK),
	N(ENAMETOOLONG),
	N(ENOLCK),
	N(ENOSYS),
	N(ENOTEMPTY),
	N(ELOOP),
	N(ENOMSG),
	N(EIDRM),
	N(ENOSTR),
	N(ENODATA),
	N(ETIME),
	N(ENOSR),
	N(ENONET),
	N(ENOPKG),
	N(EREMOTE),
	N(ENOLINK),
	N(ECOMM),
	N(EPROTO),
	N(EMULTIHOP),
	N(EBADMSG),
	N(EOVERFLOW),
	N(ENOTUNIQ),
	N(EBADFD),
	N(EREMCHG),
	N(ELIBACC),
	N(ELIBBAD),
	N(ELIBSCN),
	N(ELIBMAX),
	N(ELIBEXEC),
	N(EILSEQ),
	N(ERESTART),
	N(ESTRPIPE),
	N(EUSERS),
	N(ENOTSOCK),
	N(EDESTADDRREQ),
	N(EMSGSIZE),
	N(EPROTOTYPE),
	N(ENOPROTOOPT),
	N(EPROTONOSUPPORT),
	N(ESOCKTNOSUPPORT),
	N(EOPNOTSUPP),
	N(EPFNOSUPPORT),
	N(EAFNOSUPPORT),
	N(EADDRINUSE),
	N(EADDRNOTAVAIL),
	N(ENETDOWN),
	N(ENETUNREACH),
	N(ENETRESET),
	N(ECONNABORTED),
	N(ECONNRESET),
	N(ENOBUFS),
	N(EISCONN),
	N(ENOTCONN),
	N(ESHUTDOWN),
	N(ETOOMANYREFS),
	N(ETIMEDOUT),
	N(ECONNREFUSED),
	N(EHOSTDOWN),
	N(EHOSTUNREACH),
	N(EALREADY),
	N(EINPROGRESS),
	N(ESTALE),
	N(EUCLEAN),
	N(EDQUOT),
	N(ENOMEDIUM),
	N(EMEDIUMTYPE),
	N(ECANCELED),
	N(ENOKEY),
	N(EKEYEXPIRED),
	N(EKEYREVOKED),
	N(EKEYREJECTED),
	N(EOWNERDEAD),
	N(ENOTRECOVERABLE),
	N(ECHRNG),
	N(EL2NSYNC),
	N(EL3HLT),
	N(EL3RST),
	N(ELNRNG),
	N(EUNATCH),
	N(ENOCSI),
	N(EL2HLT),
	N(EBADE),
	N(EBADR),
	N(EXFULL),
	N(ENOANO),
	N(EBADRQC),
	N(EBADSLT),
	N(EBFONT),
	N(EADV),
	N(ESRMNT),
	N(EDOTDOT),
	N(ENOTNAM),
	N(ENAVAIL),
	N(EISNAM),
	N(EREMOTEIO),
	N(ERFKILL),
	N(EHWPOISON),
};

const char *errno_name(int err)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].err == err)
			return names[i].name;
	return NULL;
}

int errno_parse(const char *name)
{
	int64_t number;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i].name, name))
			return names[i].err;
	return parse_i64(name, &number) && number > 0 && number <= INT_MAX ? (int)number : 0;
}
