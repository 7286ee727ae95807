// Clients that acquire and release locks with the npm package "redlock" in a closed loop.
//   node node-redlock.mjs CLIENTS URL...
// An input line "run MILLISECONDS" is answered by "FAILED ELAPSED_NS LATENCY_NS...". The process exits at the end of its input.
import { createInterface } from 'node:readline';
import Client from 'ioredis';
import Redlock, { ExecutionError } from 'redlock';

const [count, ...urls] = process.argv.slice(2);
const masters = urls.map(url => new Client(url));
const locks = new Redlock(masters, { retryCount: 0 });
const run = `node-redlock/${process.pid}/${Date.now().toString(36)}/`;
let names = 0;

for (const master of masters) {
  master.on('error', error => console.error(String(error)));
}

async function client(end, latencies) {
  let failed = 0;
  while (process.hrtime.bigint() < end) {
    const began = process.hrtime.bigint();
    try {
      const lock = await locks.acquire([run + ++names], 1000);
      await lock.release();
      latencies.push(process.hrtime.bigint() - began);
    } catch (error) {
      if (!(error instanceof ExecutionError)) {
        throw error;
      }
      failed++;
    }
  }
  return failed;
}

async function cycles(milliseconds) {
  const began = process.hrtime.bigint();
  const end = began + BigInt(milliseconds) * 1000000n;
  const latencies = [];
  const failures = await Promise.all(Array.from({ length: Number(count) }, () => client(end, latencies)));
  const failed = failures.reduce((sum, one) => sum + one, 0);
  return [failed, process.hrtime.bigint() - began, ...latencies].join(' ');
}

const input = createInterface({ input: process.stdin });
input.on('close', () => process.exit(0));
input.on('line', async line => console.log(await cycles(line.split(' ')[1])));
