/** Micrometer meters, as listeners of the engine. No label contains the name of a resource. */
package io.quorumlock.service.metrics;
