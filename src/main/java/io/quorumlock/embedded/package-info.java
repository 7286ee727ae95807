/**
 * Temporary servers for development, which end with this JVM: Redis masters as local processes, of the installed executable or
 * that of the embedding library, and a ZooKeeper ensemble in this process.
 */
package io.quorumlock.embedded;
