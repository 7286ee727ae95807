/** Keeps leases for those who prove to be there. */
package io.quorumlock.session;
