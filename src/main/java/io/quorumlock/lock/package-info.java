/**
 * The domain types, the outcomes of all operations, and the ports of the lock service. Depends on nothing but the JDK.
 */
package io.quorumlock.lock;
