/**
 * The domain types, the outcomes of all operations, and the ports of the lock service. Depends on {@code time} only.
 */
package io.quorumlock.lock;
