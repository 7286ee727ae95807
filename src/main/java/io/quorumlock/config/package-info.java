/** Configuration and composition root. No other package depends on it. */
package io.quorumlock.config;
