// SPDX-License-Identifier: Apache-2.0

// Clients of the npm package "redlock" under faults. They record all calls in the format of verification/history.md, and end
// when the standard input is closed.
//   node node-redlock.mjs NAME HISTORY HOST:PORT...
import { createWriteStream } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import Client from 'ioredis';
import Redlock from 'redlock';

const WORKERS = 12;
const LOCKS = 60;
const CONTENDED = 10;
// That of the service in these runs. The packages have none, and would wait for ever on a connection that is cut silently.
const NODE_TIMEOUT = 95;
const DEAD_CONNECTION = 500;

const [name, file, ...servers] = process.argv.slice(2);
const masters = servers.map(server => {
  const [host, port] = server.split(':');
  return new Client(Number(port), host, { commandTimeout: NODE_TIMEOUT, socketTimeout: DEAD_CONNECTION });
});
masters.forEach(master => master.on('error', () => {}));
const locks = new Redlock(masters, { retryCount: 0 });
const history = createWriteStream(file);
let lines = 0;
let stopped = false;

const now = () => process.hrtime.bigint();
const between = (least, most) => least + Math.floor(Math.random() * (most - least + 1));
const percent = of => Math.random() * 100 < of;

/** Returns until when the user of a lock may rely on it, by what the library tells. The wall clock is read in milliseconds. */
function until(lock) {
  const read = now();
  return read + BigInt(lock.expiration - Date.now() - 1) * 1000000n;
}

/** Makes a call, writes it down, and returns its lock, or nothing. A lock that has ended already is not counted. */
async function record(operation, asked, call) {
  const sent = now();
  let lock = await call().catch(() => null);
  const answered = now();
  let result = '"outcome":"UNCONFIRMED"';
  if (lock && operation === 'RELEASE') {
    result = '"outcome":"DONE"';
  } else if (lock) {
    const end = until(lock);
    if (end >= answered) {
      result = `"outcome":"DONE","validity":${end - sent}`;
    } else {
      lock = null;
    }
  }
  lines++;
  history.write(`{"is":"call","call":{"client":"${name}","operation":"${operation}","sent":${sent},"answered":${answered},` +
    `"terms":{"names":["${asked.lock}"],"token":"${asked.token}","ttl":${asked.ttl * 1000000},` +
    `"kind":{"type":"EXCLUSIVE"}},"result":{${result}}}}\n`);
  return lock;
}

/** Works with a lock. Returns the lock to release, or nothing if it is left to expire. */
async function hold(asked, lock) {
  const { ttl } = asked;
  let held = lock;
  const extend = async () => {
    const extended = await record('EXTEND', asked, () => held.extend(ttl));
    held = extended ?? held;
    return extended !== null;
  };
  const way = between(0, 99);
  if (way < 70) {
    await pause(between(5, 30));
  } else if (way < 80) {
    await pause(between(0, ttl));
  } else if (way < 92) { // longer than the TTL, with extensions in time
    const end = Date.now() + between(0, 3 * ttl);
    for (let extended = true; extended && Date.now() < end && !stopped;) {
      await pause(between(ttl / 20, ttl / 3));
      extended = await extend();
    }
  } else if (way < 97) { // beyond the end, like a holder that was paused
    await pause(ttl + between(0, 200));
    if (percent(50)) {
      await extend();
    }
  } else {
    return null;
  }
  return held;
}

async function round(worker, count) {
  const ttl = percent(80) ? between(300, 800) : between(800, 2000);
  const asked = {
    lock: `fault/${between(0, (percent(33) ? CONTENDED : LOCKS) - 1)}`,
    token: `${name}-${worker}-${count}`,
    ttl,
  };
  const lock = await record('ACQUIRE', asked, () => locks.acquire([asked.lock], ttl));
  if (lock === null) {
    await pause(between(5, 40));
    return;
  }
  const held = await hold(asked, lock);
  if (held !== null) {
    await record('RELEASE', asked, () => held.release());
  }
  await pause(between(5, 30));
}

async function work(worker) {
  for (let count = 1; !stopped; count++) {
    await round(worker, count);
  }
}

process.stdin.resume();
process.stdin.on('end', () => {
  stopped = true;
});
await Promise.all(Array.from({ length: WORKERS }, (_, i) => work(i + 1)));
history.end(`{"is":"end","process":"${name}","lines":${lines}}\n`, () => process.exit(0));
