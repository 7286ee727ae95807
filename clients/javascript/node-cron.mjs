// SPDX-License-Identifier: Apache-2.0
import { acquire, LockHeldError, UnavailableError } from './quorumlock.mjs';

const PATIENCE = 4000; // ms; node-cron ignores an answer to a background task after 5 s

/**
 * A run coordinator for node-cron 4.4.1 and later: each firing of a task with `distributed: true` runs on one instance.
 *
 *     setRunCoordinator(new QuorumlockCoordinator({ urls: ['http://localhost:8080'] }));
 *     schedule('0 3 * * *', work, { name: 'cleanup', distributed: true, distributedLease: 60_000 });
 *
 * Each firing has a lock of its own, because its key has the time of the firing. The lock is neither extended nor
 * released: it ends after `distributedLease` (30 s), which must be longer than the clocks of the instances differ, and
 * not longer than `quorumlock.ttl.max` of the service. A release at the end of a short job would let an instance whose
 * clock is late run the same firing again.
 */
export class QuorumlockCoordinator {
  #prefix;
  #options;

  /** `prefix` is the beginning of the names of the locks. The other options are those of `acquire`. */
  constructor({ prefix = 'cron/', ...options } = {}) {
    this.#prefix = prefix;
    this.#options = options;
  }

  /**
   * Returns whether this instance runs the firing. An error makes node-cron skip it, as does `false`.
   *
   * @throws {UnavailableError} if no replica with a majority of the masters answered in time, which is 4 s at most.
   *   A lock that is granted later is released, in the background
   * @throws {RefusedError} if the service rejects the name, or the lease as too long
   */
  async shouldRun(key, ttlMs) {
    const name = this.#prefix + encodeURIComponent(key).replaceAll('%3A', ':'); // a task may have any name
    const signal = AbortSignal.timeout(PATIENCE);
    const late = new Promise((_, reject) => {
      signal.onabort = () => reject(new UnavailableError(`unavailable: no lock within ${PATIENCE} ms`));
    });
    try {
      await Promise.race([acquire(name, { ...this.#options, ttl: ttlMs, extend: false, signal }), late]);
      return true;
    } catch (error) {
      if (error instanceof LockHeldError) return false;
      throw error;
    }
  }
}
