// SPDX-License-Identifier: Apache-2.0
// Uses of the types, which the compiler checks.
import { schedule, setRunCoordinator, type RunCoordinator } from 'node-cron';
import { acquire, withLock, type Lease } from 'quorumlock';
import { QuorumlockCoordinator } from 'quorumlock/node-cron';

const coordinator: RunCoordinator = new QuorumlockCoordinator({ urls: 'http://localhost:8080', prefix: 'jobs/' });
setRunCoordinator(coordinator);
schedule('* * * * *', () => {}, { name: 'job', distributed: true, runCoordinator: coordinator });

const lease: Lease = await acquire('orders/42', { ttl: 30_000, extend: false });
const paid: boolean = await withLock(['a', 'b'], {}, async ({ signal }) => !signal.aborted);
// @ts-expect-error
await acquire('orders/42', { ttlMs: 30_000 });
await lease.release();
export { paid };
