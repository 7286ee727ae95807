/**
 * The HTTP API: strict reading of requests, one mapping of outcomes to answers, and problem documents for errors. It
 * contains no locking rules.
 */
package io.quorumlock.http;
