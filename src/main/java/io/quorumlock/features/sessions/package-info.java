/** Sessions: leases that this replica extends for connected clients. */
package io.quorumlock.features.sessions;
