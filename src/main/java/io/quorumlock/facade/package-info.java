/**
 * The protocols of other tools on top of the locks. A facade keeps no state. A permission is that of the name of the lock, which
 * begins with the name of the facade.
 */
package io.quorumlock.facade;
