/** A lock service for tests with Testcontainers. */
package io.quorumlock.testcontainers;
