/**
 * Temporary Redis masters for development: local processes that end with this JVM. Needs a POSIX shell, and the library
 * that contains a Redis executable.
 */
package io.quorumlock.embedded;
