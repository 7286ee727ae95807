/** Health checks, from the state that the engine keeps in memory. None of them calls a master or a store. */
package io.quorumlock.service.health;
