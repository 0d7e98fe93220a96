/* SPDX-License-Identifier: Apache-2.0 */
/* Every subject of the catalogue: one file, one row. */
RULE_SET(memory)
RULE_SET(filesystem)
RULE_SET(tools)
RULE_SET(identity)
RULE_SET(kernel)
RULE_SET(network)
RULE_SET(environment)
