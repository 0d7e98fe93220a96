/* SPDX-License-Identifier: Apache-2.0 */
/* Every command that works, in the order of the help. */
COMMAND(collect)
COMMAND(diff)
COMMAND(explain)
COMMAND(help)
