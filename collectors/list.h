/* SPDX-License-Identifier: Apache-2.0 */
/* Every collector, in the order of the report. */
COLLECTOR(identity)
COLLECTOR(memory)
COLLECTOR(pressure)
COLLECTOR(cpu)
COLLECTOR(limits)
COLLECTOR(filesystem)
COLLECTOR(mounts)
COLLECTOR(tools)
COLLECTOR(versions)
COLLECTOR(kernel)
COLLECTOR(network)
COLLECTOR(environment)
