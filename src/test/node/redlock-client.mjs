// Executes lock commands with the npm package "redlock". The arguments are the URLs of the masters. Each line on stdin
// is a command, each line on stdout its result. Exits when stdin is closed.
//   acquire RESOURCE TTL_MS  ->  granted | refused
//   release RESOURCE         ->  released | lost
import { createInterface } from 'node:readline';
import Client from 'ioredis';
import Redlock, { ExecutionError } from 'redlock';

const clients = process.argv.slice(2).map(url => new Client(url));
const locks = new Redlock(clients, { retryCount: 0 });
const held = new Map();

const commands = {
  async acquire(resource, ttlMs) {
    held.set(resource, await locks.acquire([resource], Number(ttlMs)));
    return 'granted';
  },
  async release(resource) {
    await held.get(resource).release();
    return 'released';
  },
};
const refusals = { acquire: 'refused', release: 'lost' };

for await (const line of createInterface({ input: process.stdin })) {
  const [verb, ...rest] = line.split(' ');
  try {
    console.log(await commands[verb](...rest));
  } catch (error) {
    console.log(error instanceof ExecutionError ? refusals[verb] : `failed ${error}`);
  }
}
process.exit(0);
