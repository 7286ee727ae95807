// SPDX-License-Identifier: Apache-2.0
import type { LockOptions } from 'quorumlock';

/** Settings of the requests. The time of the lease is `distributedLease` of the task. */
export interface CoordinatorOptions
  extends Pick<LockOptions, 'urls' | 'key' | 'owner' | 'timeout' | 'caFile' | 'certFile' | 'certKeyFile' | 'fetch'> {
  /** The beginning of the names of the locks. Default: `cron/`. */
  prefix?: string;
}

/** A `RunCoordinator` of node-cron: each firing of a task with `distributed: true` runs on one instance. */
export class QuorumlockCoordinator {
  constructor(options?: CoordinatorOptions);
  /**
   * Returns whether this instance runs the firing. Rejects with `UnavailableError`, also if 4 s are over, or with
   * `RefusedError`; node-cron then skips the firing on this instance.
   */
  shouldRun(key: string, ttlMs: number): Promise<boolean>;
}
