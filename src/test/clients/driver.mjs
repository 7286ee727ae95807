// SPDX-License-Identifier: Apache-2.0

// Drives the JavaScript client for the conformance suite. Reads commands on stdin and writes answers and events to
// stdout, as JSON lines.
import { createInterface } from 'node:readline';
import {
  LeaseLostError,
  LockHeldError,
  RefusedError,
  UnavailableError,
  acquire,
} from '../../../clients/javascript/quorumlock.mjs';

const write = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
let lease;

const commands = {
  async acquire({ name, names = name, ttlMs: ttl, waitMs: wait, owner, marginMs: margin, keepMs: keep, shared, slots }) {
    try {
      lease = await acquire(names, { ttl, wait, owner, margin, keep, shared, slots });
    } catch (error) {
      const { message, status, owner, remainingMs, kept, names } = error;
      if (error instanceof LockHeldError) return { error: 'held', message, owner, remainingMs, kept, names };
      if (error instanceof UnavailableError) return { error: 'unavailable', message };
      if (error instanceof RefusedError) return { error: 'refused', status, message };
      throw error;
    }
    const { fencingToken, slot, signal } = lease;
    const report = () => {
      if (signal.reason instanceof LeaseLostError) write({ event: 'lost', reason: signal.reason.reason });
    };
    signal.addEventListener('abort', report);
    if (signal.aborted) report();
    return { lease: true, fencingToken, slot: slot ?? null };
  },
  held: () => ({ held: lease?.held ?? false, slot: lease?.slot ?? null }),
  async release() {
    if (!lease) return { released: false, lost: false };
    const released = lease;
    lease = undefined;
    try {
      return { released: true, lost: !(await released.release()) };
    } catch ({ message, status }) {
      return { error: 'refused', status, message };
    }
  },
};

try {
  for await (const line of createInterface({ input: process.stdin })) {
    const command = JSON.parse(line);
    write(await commands[command.do](command));
  }
} finally {
  await lease?.release();
}
