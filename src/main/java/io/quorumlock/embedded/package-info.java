/**
 * Servers that the service itself runs. For a trial: Redis masters as local processes, of the installed executable or that of the
 * embedding library, and a ZooKeeper ensemble in this process. To keep locks: a ZooKeeper server in this process with a folder.
 */
package io.quorumlock.embedded;
