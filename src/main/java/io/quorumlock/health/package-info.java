/** Health checks. None of them sends commands to Redis. */
package io.quorumlock.health;
