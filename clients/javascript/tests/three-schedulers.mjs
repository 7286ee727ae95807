// SPDX-License-Identifier: Apache-2.0
// Runs three instances of node-cron, whose clocks differ by half a second, with a job of 10 ms each second, for a minute or
// the given number of seconds. Fails unless each firing ran once. Needs the service at QUORUMLOCK_URL.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const INSTANCES = 3;
const SHIFT = 500; // ms

if (process.send) await instance(Number(process.argv[2]), process.argv[3]);
else await check(Number(process.argv[2] ?? 60));

async function check(seconds) {
  const file = fileURLToPath(import.meta.url);
  const name = `three-${Date.now()}`;
  const runs = new Map(); // the instances that ran a firing, by its time
  const instances = Array.from({ length: INSTANCES }, (_, i) => fork(file, [String(i * SHIFT), name]));
  await Promise.all(instances.map((child) => once(child, 'message')));
  instances.forEach((child, i) => child.on('message', (slot) => runs.set(slot, [...(runs.get(slot) ?? []), i])));
  const first = Math.ceil(Date.now() / 1000) + 2; // all instances run before and after these firings
  await new Promise((resolve) => setTimeout(resolve, (seconds + 4) * 1000));
  for (const child of instances) child.kill();

  const firings = Array.from({ length: seconds }, (_, i) => runs.get((first + i) * 1000) ?? []);
  const shares = instances.map((_, i) => firings.flat().filter((by) => by === i).length);
  const count = (wanted) => firings.filter(({ length }) => wanted(length)).length;
  const missed = count((times) => times === 0);
  const repeated = [...runs.values()].filter(({ length }) => length > 1).length;
  console.log(`${firings.length} firings: ${count((times) => times === 1)} ran once, ${missed} never, ` +
    `${repeated} more than once; by instance: ${shares.join(', ')}`);
  process.exitCode = missed || repeated ? 1 : 0;
}

async function instance(shift, name) {
  const Clock = Date;
  globalThis.Date = class extends Clock {
    constructor(...values) {
      super(...(values.length ? values : [Clock.now() + shift]));
    }

    static now() {
      return Clock.now() + shift;
    }
  };
  const { schedule } = await import('node-cron');
  const { QuorumlockCoordinator } = await import('quorumlock/node-cron');
  const job = async ({ date }) => {
    process.send(date.getTime());
    await new Promise((resolve) => setTimeout(resolve, 10));
  };
  schedule('* * * * * *', job, { name, distributed: true, runCoordinator: new QuorumlockCoordinator() });
  process.send('ready');
}
