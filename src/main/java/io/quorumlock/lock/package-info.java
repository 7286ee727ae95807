/**
 * The language of the service: what is asked for, what is answered, and the port that all of it goes through. Depends on
 * nothing but the JDK.
 */
package io.quorumlock.lock;
