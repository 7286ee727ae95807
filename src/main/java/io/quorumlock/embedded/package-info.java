/**
 * Throw-away Redis masters for development: real processes on loopback ports that end with the JVM, however it ends.
 * Depends on the JDK, a POSIX shell, and the library that carries a Redis binary.
 */
package io.quorumlock.embedded;
