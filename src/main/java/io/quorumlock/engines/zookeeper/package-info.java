/**
 * The store of records on ZooKeeper: one session, and nodes with a version that is never used twice.
 */
package io.quorumlock.engines.zookeeper;
