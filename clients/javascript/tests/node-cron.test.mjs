// SPDX-License-Identifier: Apache-2.0
// The cases of node-cron's own tests of run coordinators, and faults. They need the service at QUORUMLOCK_URL.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createTask, setRunCoordinator } from 'node-cron';
import { RefusedError, UnavailableError } from 'quorumlock';
import { QuorumlockCoordinator } from 'quorumlock/node-cron';

const SERVICE = process.env.QUORUMLOCK_URL;
const SILENT = { info() {}, warn() {}, error() {}, debug() {} };
const BACKGROUND = new URL('background-task.mjs', import.meta.url).href;
const NOWHERE = 'http://localhost:1';
const newKey = () => `job-${randomUUID()}:2026-01-02T03:04:05.000Z`;
const inspect = async (key) => (await fetch(`${SERVICE}/locks/cron/${key}`)).status;

async function until(condition) {
  for (const end = Date.now() + 30_000; !(await condition()); await pause(50)) {
    assert.ok(Date.now() < end, 'not in time');
  }
}

/**
 * Runs a task each second for some seconds, and returns the times of its runs and the reasons of skipped ones. The work
 * is a function, or the URL of a file that runs in the background.
 */
async function run(options, seconds = 3, work = () => {}) {
  const runs = [];
  const skipped = [];
  const task = createTask('* * * * * *', work, {
    name: `job-${randomUUID()}`,
    distributed: true,
    logger: SILENT,
    ...options,
  });
  task.on('execution:started', ({ date }) => runs.push(new Date(date).getTime()));
  task.on('execution:skipped', ({ reason }) => skipped.push(reason));
  await task.start();
  await pause(seconds * 1000 + 200);
  await task.stop();
  await pause(500); // an election in progress
  return { runs, skipped };
}

test('an elected instance runs', async () => {
  const { runs, skipped } = await run({ runCoordinator: new QuorumlockCoordinator() });
  assert.ok(runs.length >= 2, runs.length);
  assert.deepEqual(skipped, []);
});

test('the coordinator is that of the process, unless the task has one', async () => {
  setRunCoordinator(new QuorumlockCoordinator());
  const { runs } = await run({});
  setRunCoordinator(new QuorumlockCoordinator({ urls: NOWHERE, timeout: 500 }));
  const own = await run({ runCoordinator: new QuorumlockCoordinator() });
  setRunCoordinator(undefined);
  assert.ok(runs.length >= 2);
  assert.ok(own.runs.length >= 2);
});

test('of two instances, one runs each firing, and the other one skips it', async () => {
  const options = { name: `job-${randomUUID()}`, runCoordinator: new QuorumlockCoordinator() };
  for (const work of [() => {}, BACKGROUND]) {
    const [one, two] = await Promise.all([run(options, 3, work), run(options, 3, work)]);
    const runs = [...one.runs, ...two.runs];
    assert.ok(runs.length >= 2, runs.length);
    assert.equal(new Set(runs).size, runs.length);
    const skipped = [...one.skipped, ...two.skipped];
    assert.ok(skipped.length >= 2);
    assert.deepEqual([...new Set(skipped)], ['not-elected']);
  }
});

test('a firing whose job is over does not run again', async () => {
  const coordinator = new QuorumlockCoordinator();
  const key = newKey();
  assert.equal(await coordinator.shouldRun(key, 30_000), true);
  await coordinator.onComplete?.(key);
  assert.equal(await new QuorumlockCoordinator().shouldRun(key, 30_000), false);
});

test('the lock of a firing ends after its lease', async () => {
  const coordinator = new QuorumlockCoordinator();
  const key = newKey();
  assert.equal(await coordinator.shouldRun(key, 1000), true);
  assert.equal(await inspect(key), 200);
  await until(async () => (await inspect(key)) === 404);
  assert.equal(await coordinator.shouldRun(key, 1000), true);
});

test('a job that is longer than its lease runs to its end', async () => {
  let ended = 0;
  const options = { runCoordinator: new QuorumlockCoordinator(), distributedLease: 1000, noOverlap: true };
  await run(options, 4, async () => (await pause(2000), ended++));
  assert.ok(ended >= 1);
});

test('a job whose lock is broken runs to its end', async () => {
  let ended = 0;
  const name = `job-${randomUUID()}`;
  await run({ name, runCoordinator: new QuorumlockCoordinator() }, 3, async () => {
    const { locks } = await (await fetch(`${SERVICE}/locks?prefix=cron/${name}`)).json();
    for (const { resource } of locks) {
      await fetch(`${SERVICE}/locks/${resource}?force=true&reason=test`, { method: 'DELETE' });
    }
    ended++;
  });
  assert.ok(ended >= 2);
});

test('a job that is suspended past its lease runs to its end, and other instances run the next firings', async () => {
  const name = `job-${randomUUID()}`;
  const options = { name, distributed: true, distributedLease: 2000 };
  const suspended = spawn(process.execPath, ['--input-type=module', '-e', `
    import { schedule } from 'node-cron';
    import { QuorumlockCoordinator } from 'quorumlock/node-cron';
    schedule('* * * * * *', async ({ date }) => {
      console.log(date.toISOString());
      await new Promise((resolve) => setTimeout(resolve, 100));
      console.log('ended');
      process.exit();
    }, { ...${JSON.stringify(options)}, runCoordinator: new QuorumlockCoordinator() });`],
    { stdio: ['ignore', 'pipe', 'inherit'] });
  const time = String((await once(suspended.stdout, 'data'))[0]).trim();
  suspended.kill('SIGSTOP');
  const coordinator = new QuorumlockCoordinator();
  await until(() => coordinator.shouldRun(`${name}:${time}`, 2000)); // the lock of the firing is free
  const { runs } = await run({ ...options, runCoordinator: coordinator });
  assert.ok(runs.length >= 2);
  // Its next firing may begin before the end of the suspended one.
  let printed = '';
  suspended.stdout.on('data', (text) => { printed += text; });
  suspended.kill('SIGCONT');
  await once(suspended, 'close');
  assert.match(printed, /ended\n$/);
});

test('without the service, firings are skipped', async () => {
  const coordinator = new QuorumlockCoordinator({ urls: NOWHERE, timeout: 500 });
  for (const work of [() => {}, BACKGROUND]) {
    const { runs, skipped } = await run({ runCoordinator: coordinator }, 3, work);
    assert.deepEqual(runs, []);
    assert.deepEqual([...new Set(skipped)], ['coordinator-error']);
  }
  await assert.rejects(coordinator.shouldRun(newKey(), 30_000), UnavailableError);
});

test('without an answer of the service, firings are skipped', async () => {
  const silent = net.createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const coordinator = new QuorumlockCoordinator({ urls: `http://127.0.0.1:${silent.address().port}`, timeout: 500 });
  await assert.rejects(coordinator.shouldRun(newKey(), 30_000), UnavailableError);
  silent.close();
});

test('a lock that is granted too late for a background task is released', async () => {
  let released;
  const late = async (url, init) => {
    const response = await fetch(url, { ...init, signal: undefined });
    if (init.method === 'POST') await pause(4500);
    else released = response.status;
    return response;
  };
  const key = newKey();
  await assert.rejects(new QuorumlockCoordinator({ fetch: late, timeout: 10_000 }).shouldRun(key, 30_000), UnavailableError);
  await until(async () => released);
  assert.equal(released, 204);
  assert.equal(await inspect(key), 404);
});

test('the coordinator answers while its requests and their clean-up hang', async () => {
  const timer = setInterval(() => {}, 1000); // keeps the process running
  const coordinator = new QuorumlockCoordinator({ fetch: () => new Promise(() => {}) });
  await assert.rejects(coordinator.shouldRun(newKey(), 30_000), UnavailableError);
  clearInterval(timer);
});

test('another replica answers', async () => {
  assert.equal(await new QuorumlockCoordinator({ urls: [NOWHERE, SERVICE] }).shouldRun(newKey(), 30_000), true);
});

test('firings run again after a restart of the service', async () => {
  const { hostname, port } = new URL(SERVICE);
  const connections = new Set();
  const forward = (client) => {
    const service = net.connect(port, hostname);
    for (const [from, to] of [[client, service], [service, client]]) {
      connections.add(from);
      from.on('error', () => {}).on('close', () => to.destroy()).pipe(to);
    }
  };
  const open = async (at) => {
    const listener = net.createServer(forward).listen(at, '127.0.0.1');
    await once(listener, 'listening');
    return listener;
  };
  const replica = await open(0);
  const { port: at } = replica.address();
  const coordinator = new QuorumlockCoordinator({ urls: `http://127.0.0.1:${at}`, timeout: 500 });
  const key = newKey();
  assert.equal(await coordinator.shouldRun(key, 30_000), true);
  for (const connection of connections) connection.destroy();
  replica.close();
  await once(replica, 'close');
  await assert.rejects(coordinator.shouldRun(key, 30_000), UnavailableError);
  const restarted = await open(at);
  assert.equal(await coordinator.shouldRun(key, 30_000), false);
  assert.equal(await coordinator.shouldRun(newKey(), 30_000), true);
  for (const connection of connections) connection.destroy();
  restarted.close();
});

test('a lease above the maximum is refused', async () => {
  const refused = { constructor: RefusedError, status: 400, message: /ttlMs/ };
  await assert.rejects(new QuorumlockCoordinator().shouldRun(newKey(), 1_000_000_000), refused);
});

test('a task may have any name, up to the length that the service accepts', async () => {
  const coordinator = new QuorumlockCoordinator();
  for (const name of ['reports/daily', 'a//b', '../a', 'ä \n%2F', 'extend', '.']) {
    assert.equal(await coordinator.shouldRun(name + newKey(), 30_000), true, name);
  }
  const refused = { constructor: RefusedError, status: 400 };
  await assert.rejects(coordinator.shouldRun('x'.repeat(600) + newKey(), 30_000), refused);
});

test('names of tasks are told apart', async () => {
  const coordinator = new QuorumlockCoordinator();
  const key = newKey();
  for (const name of ['a/b', 'a%2Fb', 'a%252Fb', 'a:b', 'a%3Ab']) {
    assert.equal(await coordinator.shouldRun(name + key, 30_000), true, name);
  }
});

test('concurrent calls of one object elect one', async () => {
  const coordinator = new QuorumlockCoordinator();
  const key = newKey();
  const elected = await Promise.all(Array.from({ length: 5 }, () => coordinator.shouldRun(key, 30_000)));
  assert.deepEqual(elected.sort(), [false, false, false, false, true]);
});

test('a killed process leaves the lock to its lease, and a held lock keeps no process running', async () => {
  const start = (key, rest) =>
    spawn(process.execPath, ['--input-type=module', '-e', `
      import { QuorumlockCoordinator } from 'quorumlock/node-cron';
      console.log(await new QuorumlockCoordinator().shouldRun('${key}', 3000));
      ${rest}`], { stdio: ['ignore', 'pipe', 'inherit'] });
  const key = newKey();
  const killed = start(key, 'setInterval(() => {}, 1000);');
  assert.equal(String((await once(killed.stdout, 'data'))[0]), 'true\n');
  killed.kill('SIGKILL');
  await once(killed, 'close');
  const coordinator = new QuorumlockCoordinator();
  assert.equal(await coordinator.shouldRun(key, 3000), false);
  await until(() => coordinator.shouldRun(key, 3000));

  const ended = start(newKey(), '');
  assert.deepEqual(await once(ended, 'close'), [0, null]);
});
