/** One conformance suite for the clients in all languages, on the packaged service. */
package io.quorumlock.clients;
