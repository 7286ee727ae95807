/**
 * The client of the lock service Quorumlock. Begin with {@link io.quorumlock.client.QuorumlockClient}. Its {@code acquire}
 * runs an {@code Acquire}, which gives a {@link io.quorumlock.client.Lease}; both send requests by the {@code Transport}.
 */
package io.quorumlock.client;
