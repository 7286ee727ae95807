/**
 * The domain types, the outcomes of all operations, and the ports of the lock service.
 */
package io.quorumlock.core.lock;
