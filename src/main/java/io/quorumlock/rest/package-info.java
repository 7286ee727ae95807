/**
 * The contract on the wire: requests are read strictly, outcomes become statuses in one table, errors are problem
 * documents. Thin: it holds no rule of locking.
 */
package io.quorumlock.rest;
