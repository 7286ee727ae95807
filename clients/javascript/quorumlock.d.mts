// SPDX-License-Identifier: Apache-2.0
/// <reference lib="esnext.disposable" />

/** Settings of a lease. All times are milliseconds. */
export interface LockOptions {
  /** Base URLs of the replicas. Default: `QUORUMLOCK_URL`, separated by commas, or `http://localhost:8080`. */
  urls?: string | URL | readonly (string | URL)[];
  /** API key. Default: `QUORUMLOCK_KEY`, or the content of the file `QUORUMLOCK_KEY_FILE`, read again after a 401. */
  key?: string;
  /** Duration of the lease unless it is extended. Default: 30,000. */
  ttl?: number;
  /** Longest wait for a held lock; `Infinity` waits until `signal` is aborted. Default: 0. */
  wait?: number;
  /** Whether the lease is extended until its release. Otherwise it ends after `ttl`. Default: `true`. */
  extend?: boolean;
  /** Time for which nobody gets the lock after its release; the service limits it. Default: 0. */
  keep?: number;
  /** Whether other clients may share the lock, of one name; a client that does not holds it alone. Default: `false`. */
  shared?: boolean;
  /** Number of clients, 1 to 64, that may hold the lock, of one name. All give the same. Default: none. */
  slots?: number;
  /** Label that is shown to other clients. Default: the name of the host; none in browsers. */
  owner?: string;
  /** Time between the report of a loss and the end of the lease, less than `ttl`. Default: a sixth of `ttl`. */
  margin?: number;
  /** Longest time for an answer, beside the wait for a lock. Default: 3,000. */
  timeout?: number;
  /** Cancels the acquire. It has no effect on a lease that was acquired. */
  signal?: AbortSignal;
  /** File of certificates of authorities, PEM; Node and Deno only. Default: `QUORUMLOCK_CA_FILE`. */
  caFile?: string;
  /** File of the client certificate, PEM; Node and Deno only. Default: `QUORUMLOCK_CERT_FILE`. */
  certFile?: string;
  /** File of the key of the client certificate, PEM; Node and Deno only. Default: `QUORUMLOCK_CERT_KEY_FILE`. */
  certKeyFile?: string;
  /** A function to use instead of the global `fetch`, for proxies and TLS. The files above are then ignored. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** A lease that is extended in the background until it is released or lost. */
export interface Lease {
  /** The name of the lock; several names with `, ` between them. */
  readonly name: string;
  /** The secret token of the lease. */
  readonly token: string;
  /** The fencing token. Send it with each write, and let the resource reject smaller ones. */
  readonly fencingToken: number;
  /**
   * The slot of a semaphore, from 0, which no other lease has at the same time. The fencing tokens of a semaphore order
   * only the holders of one slot. Undefined for other kinds of locks.
   */
  readonly slot?: number;
  /**
   * Aborted with a `LeaseLostError` at the loss, `margin` before the lease can end, and with an `AbortError` when a
   * release begins: work that continues then is not protected either.
   */
  readonly signal: AbortSignal;
  /** Whether the lease is held now, computed from the clock. Never true again after it was false. */
  readonly held: boolean;
  /** The time in milliseconds for which the lease is held unless it is extended, or 0 if it is not held. */
  readonly remaining: number;
  /**
   * Releases the lease. Repeats the request until it is confirmed or the lease has ended by its TTL. A lost lease is
   * released in the background, for at most `timeout`. Further calls return the same promise. Rejects with a
   * `RefusedError` if the service rejects the release, as it does if `keep` is too long: the TTL then ends the lease.
   *
   * @returns whether the lease was held until the release
   */
  release(): Promise<boolean>;
  /** Releases the lease at the end of an `await using` block. Rejects as `release`, but not for a lost lease. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Acquires the lock `name`, or all locks of a list of up to 32 names, and returns its lease. Rejects with
 * `LockHeldError`, `UnavailableError`, `RefusedError`, or the reason of `options.signal`, after it has released what
 * may have been granted.
 */
export function acquire(name: string | readonly string[], options?: LockOptions): Promise<Lease>;

/**
 * Acquires the lock `name`, calls `work`, releases the lease and returns the result of `work`. Rejects with
 * `LeaseLostError` if the lease was lost and `work` did not throw; otherwise as `acquire`, `work` and `Lease.release`.
 */
export function withLock<T>(
  name: string | readonly string[],
  options: LockOptions,
  work: (lease: Lease) => T | PromiseLike<T>,
): Promise<T>;

/** The base class of the errors of this client. Messages are one line, without secrets. */
export class QuorumlockError extends Error {
  protected constructor(message: string);
}

/** Another client holds the lock, or it is kept after its release. */
export class LockHeldError extends QuorumlockError {
  /** Label of the holder, if it is known. */
  readonly owner?: string;
  /** Rest of the lease of the holder, or of the kept time, in milliseconds, if it is known. */
  readonly remainingMs?: number;
  /** Whether the holder has released the lock, and nobody gets it for the remaining time. */
  readonly kept: boolean;
  /** The name, or the held ones of several. The other fields are those of the first. */
  readonly names: readonly string[];
}

/** No replica with a majority of the masters answered in time. */
export class UnavailableError extends QuorumlockError {}

/** The service, or the client itself, rejected the request. */
export class RefusedError extends QuorumlockError {
  /** HTTP status; 0 if the client itself rejected the request. */
  readonly status: number;
  /** Type of the problem document, such as `/problems/forbidden`. */
  readonly type?: string;
  /** Explanation, as a sentence. */
  readonly detail?: string;
}

/** The lease ended while the client held it. */
export class LeaseLostError extends QuorumlockError {
  /** Why the lease ended. */
  readonly reason: string;
}
