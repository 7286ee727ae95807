// SPDX-License-Identifier: Apache-2.0

/**
 * Client of the lock service Quorumlock, for Node 18, Deno and browsers. All times are milliseconds.
 *
 *     import { acquire } from './quorumlock.mjs';
 *
 *     await using lease = await acquire('orders/42', { urls: ['http://localhost:8080'], wait: 10_000 });
 *     await work({ signal: lease.signal });   // the signal is aborted when the lease is lost
 *
 * Runtimes without `using`, such as Node 18 to 22, use `withLock`, or `lease.release()` in a `finally` block.
 *
 * - **Process exit.** A held lease does not keep a process running; its TTL ends it. An acquire or a release in
 *   progress does. The client handles no signals: to release on SIGTERM, call `lease.release()` in a handler.
 * - **Stopped processes.** A process that was stopped may continue before its timers run. Ask `lease.held`, which
 *   reads the clock, before each step that needs the lock.
 * - **Blocked event loops.** A lease may not survive an event loop that is blocked for a third of its TTL, because
 *   nothing extends it meanwhile. Move long computations to a worker.
 * - **Browsers** run the timers of hidden pages once a second, after some minutes once a minute, and stop those of
 *   frozen pages. Extensions are then late, and the lease is lost. Hold leases in a worker, or expect the loss. Pages
 *   of another origin need CORS for the methods POST, PUT and DELETE and the headers `Authorization` and `Lock-Token`.
 * - **Repeated releases.** The `fetch` of Deno repeats a release whose connection broke before the answer; browsers
 *   may do the same. The second one finds no lease: `release()` resolves to false although the lease was held.
 * - **TLS.** Files of certificates are read through `node:https`. Browsers use the certificates of the system. In
 *   Deno you may instead pass `fetch: (url, init) => fetch(url, { ...init, client: Deno.createHttpClient(...) })`.
 * - **Proxies** from the environment: Deno honours them, Node from version 24 with `NODE_USE_ENV_PROXY=1`. For older
 *   versions pass a `fetch` that uses a proxy, for example that of the package `undici`.
 */

const ANSWER_LIMIT = 64 * 1024; // bytes
const LONGEST_TIMER = 2 ** 31 - 1; // timers of a longer time run at once
const LOOK = 1000; // the longest time between two looks at the clocks: timers may stand still in a suspension
const LONGEST_WAIT = 60_000; // of one request
const KEY = /^[!-~]+$/;
const OTHER_NAME =
  'the lock of another name was granted: write the base URL of the service, and let proxies keep the path';
const BUSY = { 423: '/problems/locked', 409: '/problems/other-slots' }; // until the end of the wait, try again
const TEXT = [(value) => typeof value === 'string', 'text'];
const DURATION = [(value) => typeof value === 'number' && !Number.isNaN(value), 'a number of milliseconds'];
const FUNCTION = [(value) => typeof value === 'function', 'a function'];
const OPTIONS = {
  urls: [() => true], // checked by baseUrl
  key: TEXT,
  ttl: DURATION,
  wait: DURATION,
  keep: DURATION,
  extend: [(value) => typeof value === 'boolean', 'true or false'],
  shared: [(value) => typeof value === 'boolean', 'true or false'],
  slots: [(value) => Number.isInteger(value) && value >= 1 && value <= 64, 'a whole number from 1 to 64'],
  owner: TEXT,
  margin: DURATION,
  timeout: DURATION,
  signal: [(value) => typeof value.throwIfAborted === 'function', 'an AbortSignal'],
  caFile: TEXT,
  certFile: TEXT,
  certKeyFile: TEXT,
  fetch: FUNCTION,
};
const leases = new Set(); // those of this process that are held

/** The base class of the errors of this client. Messages are one line, without secrets. */
export class QuorumlockError extends Error {
  name = 'QuorumlockError';

  constructor(message, { cause, ...fields } = {}) {
    super(message, cause && { cause });
    Object.assign(this, fields);
  }
}

/**
 * The lock `names`, or those held ones of several, cannot be acquired: `owner` is the label of the holder, if known,
 * and `remainingMs` the rest of its lease. If `kept`, the lock was released and is kept for this time.
 */
export class LockHeldError extends QuorumlockError {
  name = 'LockHeldError';
}

/** No replica with a majority of the masters answered in time. The message has the last cause. */
export class UnavailableError extends QuorumlockError {
  name = 'UnavailableError';
}

/** The service, or this client with `status` 0, rejected the request. `type` and `detail` are those of the service. */
export class RefusedError extends QuorumlockError {
  name = 'RefusedError';
}

/** The lease ended while the client held it, for the `reason`. */
export class LeaseLostError extends QuorumlockError {
  name = 'LeaseLostError';

  constructor(reason) {
    super(`lease lost: ${reason}`, { reason });
  }
}

/**
 * Acquires the lock `name` and returns its lease, which is extended until it is released or lost. A list of names
 * gets one lease with all of them or none, which is lost if it loses one of them.
 * An abort of `options.signal` cancels the acquire, not the lease. A failed or cancelled acquire first releases what
 * may have been granted, for at most `timeout` for each URL, and then rejects, with `signal.reason` if cancelled.
 *
 * @throws {LockHeldError} if another client holds the lock, or it is kept after its release, at the end of the wait
 * @throws {UnavailableError} if no replica with a majority of the masters answered in time
 * @throws {RefusedError} if the service or this client rejects the name, an option or the API key
 */
export async function acquire(name, options = {}) {
  const client = await Client.create(name, options);
  const { signal } = options;
  signal?.throwIfAborted();
  const { ttl, wait, margin, timeout } = client;
  const route = new Route(client.urls);
  const end = after(now(), wait);
  let perhapsGranted = false;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const rest = Math.min(Math.floor(Math.max(0, left(end))), LONGEST_WAIT);
      const answer = await client.send('POST', route, {
        query: { ttlMs: ttl, owner: client.owner, waitMs: rest, ...client.kind },
        limit: rest + timeout,
        signal,
      });
      const { status, json, problem, failure } = answer;
      perhapsGranted ||= !(problem && status >= 400 && status < 500);
      signal?.throwIfAborted();

      const busy = problem && BUSY[status] === problem.type;
      let error;
      const deadline = client.deadline(answer);
      if (deadline && !client.grants(json)) {
        throw new RefusedError(`refused: status ${status}, ${OTHER_NAME}`, { status, detail: OTHER_NAME });
      }
      if (deadline && left(deadline) > margin) return new Lease(client, route, deadline, json);
      if (deadline) {
        error = new UnavailableError('unavailable: the lease was too short');
      } else if (busy && status === 423) {
        error = lockHeld(client, json);
      } else if (!status || [408, 500, 502, 503, 504].includes(status)) {
        error = new UnavailableError(`unavailable: ${failure}`, { cause: answer.cause });
      } else {
        error = refusal(answer);
        if (!busy && status !== 429) throw error;
      }
      if (busy && left(end) <= 0) throw error;

      const elsewhere = !deadline && !busy && status !== 408;
      let ms = route.next(elsewhere, busy ? 0 : answer.retryAfter);
      if (busy) ms = Math.min(ms, Math.max(0, left(end)));
      // A URL that was not tried yet is tried even if the first one has used up the time.
      else if (ms > 0 && ms > left(end) + timeout) throw error;
      await pause(ms, signal);
    }
  } catch (error) {
    if (perhapsGranted) await client.discard(route);
    throw error;
  }
}

/**
 * Acquires the lock, calls `work(lease)`, releases the lease and returns the result of `work`.
 *
 * @throws {LeaseLostError} if the lease was lost and `work` did not throw; otherwise as `acquire`, `work` and
 *   `Lease.release`
 */
export async function withLock(name, options, work) {
  check('work', work, FUNCTION);
  const lease = await acquire(name, options);
  try {
    const result = await work(lease);
    if (await lease.release()) return result;
    const { reason } = lease.signal;
    throw reason instanceof LeaseLostError ? reason : new LeaseLostError('it was over at its release');
  } finally {
    await lease.release().catch(() => {}); // the error of the work, or that of the release above, counts
  }
}

/** A lease that is extended in the background, unless `extend` is false. `acquire` creates it. */
class Lease {
  #client;
  #route;
  #deadline;
  #fencingToken;
  #slot;
  #ended = false; // released or lost; never false again
  #expiry; // the latest time at which the masters may still have the lease
  #stop = new AbortController(); // ends an extension in progress
  #abort = new AbortController();
  #lossTimer;
  #lastFailure = '';
  #release;

  constructor(client, route, deadline, json) {
    this.#client = client;
    this.#route = route;
    this.#deadline = this.#expiry = deadline;
    this.#fencingToken = fencing(json);
    this.#slot = json.slot;
    leases.add(this);
    this.#watch();
    if (client.extend) this.#keep();
  }

  /** The name of the lock. */
  get name() {
    return this.#client.name;
  }

  /** The secret token of the lease. */
  get token() {
    return this.#client.token;
  }

  /** The fencing token: send it with each write to a resource that rejects smaller ones. */
  get fencingToken() {
    return this.#fencingToken;
  }

  /** The slot of a semaphore, from 0. Undefined for other kinds of locks. */
  get slot() {
    return this.#slot;
  }

  /**
   * The signal of the end of the lease. It is aborted with a `LeaseLostError` at the loss, `margin` before the lease
   * can end, and with an `AbortError` when a release begins: work that continues then is not protected either.
   */
  get signal() {
    return this.#abort.signal;
  }

  /** Whether the lease is held now, computed from the clock. Never true again after it was false. */
  get held() {
    return this.remaining > 0;
  }

  /** The time in milliseconds for which the lease is held unless it is extended, or 0 if it is not held. */
  get remaining() {
    if (this.#ended) return 0;
    const ms = left(this.#deadline) - this.#client.margin;
    if (ms > 0) return ms;
    this.#lose(`it was not extended in time${this.#lastFailure && `: ${this.#lastFailure}`}`);
    return 0;
  }

  /**
   * Releases the lease. Repeats the request until it is confirmed or the lease has ended by its TTL. A lost lease is
   * released in the background, for at most `timeout`. Further calls return the same promise.
   *
   * @returns {Promise<boolean>} whether the lease was held until the release
   * @throws {RefusedError} if the service rejects the release, as it does if `keep` is too long: the TTL ends the lease
   */
  release() {
    const { held } = this; // also reports a loss whose timer has not run yet
    if (!this.#release) {
      leases.delete(this);
      this.#ended = true;
      const end = Promise.resolve().then(() => this.#delete(held));
      end.catch(() => {}); // a caller that does not wait for the release does not want its error
      this.#release = held ? end : Promise.resolve(false);
      this.#stop.abort();
      clearTimeout(this.#lossTimer);
      this.#abort.abort(new DOMException('the lease was released', 'AbortError'));
    }
    return this.#release;
  }

  /** Releases the lease at the end of an `await using` block. Throws as `release`; a loss is not thrown. */
  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    await this.release();
  }

  /** Returns whether this lease keeps a client from the lock. */
  static some(name, { urls }) {
    return [...leases].some(
      (lease) =>
        lease.held &&
        lease.#client.all.includes(name) &&
        !lease.#client.kind.slots &&
        lease.#client.urls.some((url) => urls.includes(url)),
    );
  }

  #lose(reason) {
    leases.delete(this);
    this.#ended = true;
    this.#stop.abort();
    clearTimeout(this.#lossTimer);
    this.#abort.abort(new LeaseLostError(reason));
  }

  /** Reports the loss when it is due. */
  #watch() {
    clearTimeout(this.#lossTimer);
    const ms = this.remaining;
    if (ms > 0) this.#lossTimer = background(setTimeout(() => this.#watch(), Math.min(ms, LOOK)));
  }

  async #keep() {
    const { ttl, margin } = this.#client;
    while (this.held) {
      const rest = left(this.#deadline);
      const due = rest - margin;
      const ms = rest - ttl * (2 / 3 + Math.random() / 10);
      // With a large margin, two thirds of the TTL may be after the loss. A tenth limits the rate of requests.
      const start = after(now(), Math.min(Math.max(ms, due / 10), due / 2));
      while (this.held && left(start) > 0) await pause(Math.min(left(start), LOOK), this.#stop.signal, background);
      if (!(await this.#extend())) return;
    }
  }

  /** Extends the lease. Returns whether that was possible. */
  async #extend() {
    const { ttl, timeout } = this.#client;
    const route = (this.#route = this.#route.again());
    while (this.held) {
      const limit = Math.min(timeout, Math.max(250, this.remaining / 3));
      this.#expiry = after(now(), Math.max(ttl, left(this.#expiry)));
      const { signal } = this.#stop;
      const answer = await this.#client.send('PUT', route, { action: '/extend', query: { ttlMs: ttl }, limit, signal });
      if (!this.held) return false; // the answer arrived after the release or after the loss
      if ([404, 409].includes(answer.status)) {
        this.#expiry = now();
        this.#lose(`the service did not extend it: ${answer.failure}`);
        return false;
      }
      const deadline = this.#client.deadline(answer);
      if (deadline) {
        this.#deadline = deadline;
        this.#fencingToken = Math.max(this.#fencingToken, fencing(answer.json));
        this.#lastFailure = '';
        this.#watch();
        return true;
      }
      this.#lastFailure = answer.failure;
      if (answer.problem?.type === '/problems/extensions-exhausted') return false; // the rest of the lease is used
      await pause(Math.min(route.next(true, answer.retryAfter), this.remaining / 3), signal, background);
    }
    return false;
  }

  async #delete(held) {
    const { timeout, keep } = this.#client;
    const query = { keepMs: (held && keep) || undefined };
    const route = this.#route.again();
    if (!held) this.#expiry = after(now(), Math.min(timeout, left(this.#expiry)));
    for (let perhapsReleased = false; ; ) {
      const limit = Math.min(timeout, Math.max(250, left(this.#expiry) / 3));
      const answer = await this.#client.send('DELETE', route, { query, limit });
      const { status, retryAfter } = answer;
      if (status === 204) return held;
      if (status === 400) throw refusal(answer);
      // After a try of unknown effect, a missing lease was released by that try.
      if (status === 404 || status === 409) return held && perhapsReleased;
      perhapsReleased ||= !status || status >= 500;
      const ms = Math.min(route.next(true, retryAfter), left(this.#expiry) / 3);
      if (left(this.#expiry) <= 0) return held;
      await pause(ms);
    }
  }
}

/** The settings and the requests of one lease. */
class Client {
  static async create(name, options) {
    check('options', options, [(value) => typeof value === 'object' && value !== null, 'an object']);
    for (const [key, value] of Object.entries(options)) {
      if (!Object.hasOwn(OPTIONS, key)) refuse(`unknown option ${clean(key)}; the options are ${Object.keys(OPTIONS).join(", ")}`);
      if (value !== undefined && value !== null) check(key, value, OPTIONS[key]);
    }
    const client = new Client();
    const names = [name].flat();
    const paths = names.map(path);
    if (!names.length) refuse('there must be a name');
    client.all = names;
    client.name = names.join(', ');
    client.path = names.length > 1 ? '/locks' : paths[0];
    client.names = names.length > 1 ? names.map((one) => ['names', one]) : [];
    client.token = await randomToken();
    client.owner = options.owner ?? (await hostName());
    client.ttl = Math.round(options.ttl ?? 30_000);
    client.wait = options.wait ?? 0;
    client.keep = Math.round(options.keep ?? 0);
    client.extend = options.extend ?? true;
    client.kind = { mode: options.shared ? 'shared' : undefined, slots: options.slots ?? undefined };
    if (options.shared && client.kind.slots) refuse('slots is not allowed with shared');
    client.margin = options.margin ?? client.ttl / 6;
    client.timeout = options.timeout ?? 3000;
    for (const key of ['ttl', 'timeout']) if (client[key] < 1) refuse(`${key} must be at least 1 ms`);
    for (const key of ['wait', 'keep', 'margin']) if (client[key] < 0) refuse(`${key} must not be negative`);
    const { ttl, margin } = client;
    if (margin >= ttl) refuse(`margin (${margin} ms) must be less than ttl (${ttl} ms)`);
    client.urls = [options.urls ?? (env('QUORUMLOCK_URL') ?? 'http://localhost:8080').split(',')].flat().map(baseUrl);
    if (!client.urls.length) refuse('urls must not be empty');

    const ca = options.caFile ?? env('QUORUMLOCK_CA_FILE');
    const cert = options.certFile ?? env('QUORUMLOCK_CERT_FILE');
    const certKey = options.certKeyFile ?? env('QUORUMLOCK_CERT_KEY_FILE');
    client.fetch = client.fetchHttps = options.fetch ?? globalThis.fetch;
    if (!options.fetch && (ca || cert || certKey)) client.fetchHttps = await fetchWith(ca, cert, certKey);
    client.key = options.key ?? env('QUORUMLOCK_KEY');
    client.keyFile = client.key === undefined ? env('QUORUMLOCK_KEY_FILE') : undefined;
    if (client.keyFile) client.key = await readKey(client.keyFile);
    // The error of an invalid header would contain the key.
    if (client.key !== undefined && !KEY.test(client.key)) refuse('the API key must be visible ASCII');
    client.debug = env('QUORUMLOCK_DEBUG') === '1';
    return client;
  }

  /** Reads the key file again. Returns whether it has another key than the one that was used. */
  async renewKey(used) {
    const key = this.keyFile && (await readKey(this.keyFile).catch(() => used));
    if (!key || key === used || !KEY.test(key)) return false;
    this.key = key;
    return true;
  }

  /**
   * Sends a request to the URL of the route, and again after a 401 if the key file has another key now. Never rejects:
   * without a complete answer within `limit`, or when `signal` is aborted, the result has no status. `failure`
   * describes each answer that is not a lease.
   */
  async send(method, route, { action = '', query = {}, limit, signal }) {
    const base = route.url;
    const parameters = [...this.names, ...Object.entries(query)].filter(([, value]) => value !== undefined);
    const search = parameters.map(([key, value]) => `${key}=${encode(String(value))}`).join('&');
    const url = base + this.path + action + (search && `?${search}`);
    const stop = new AbortController();
    const abort = () => stop.abort();
    const timer = setTimeout(abort, Math.min(limit, LONGEST_TIMER));
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    const answer = { sent: now() };
    try {
      const send = base.startsWith('https:') ? this.fetchHttps : this.fetch;
      let response, text, key;
      do {
        ({ key } = this);
        response = await send(url, {
          method,
          headers: { 'Lock-Token': this.token, ...(key && { Authorization: `Bearer ${key}` }) },
          redirect: 'manual',
          keepalive: method === 'DELETE', // lets a release outlive the page
          signal: stop.signal,
        });
        text = await readLimited(response.body, stop);
      } while (response.status === 401 && (await this.renewKey(key)));
      const seconds = response.headers.get('retry-after');
      if (/^\d{1,9}$/.test(seconds)) answer.retryAfter = seconds * 1000;
      answer.json = jsonObject(text);
      answer.status = response.status || 302; // browsers hide the status of redirects
      if (String(answer.json?.type).startsWith('/problems/')) answer.problem = answer.json;
      answer.failure = `status ${answer.status}, ${clean(answer.problem?.detail) ?? 'an unexpected answer'}`;
    } catch (error) {
      const late = stop.signal.aborted && !signal?.aborted;
      const reason = clean(String(error?.cause?.code || error?.cause?.message || error?.code || error?.message));
      answer.cause = error;
      answer.failure = `no answer from ${base}${late ? ` within ${Math.round(limit)} ms` : `, ${reason}`}`;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
    const ms = Math.round(-left(answer.sent));
    if (this.debug) console.error(`${method} ${new URL(url).pathname} ${answer.status ?? '-'} ${ms}`);
    return answer;
  }

  /** Returns the deadline of the lease in an answer, or undefined if the answer is no lease of this token. */
  deadline({ status, json, sent }) {
    if ((status !== 200 && status !== 201) || json?.token !== this.token) return undefined;
    const { elapsedMs, validityMs } = json;
    if (!(elapsedMs >= 0 && validityMs >= 0 && Number.isSafeInteger(fencing(json)))) return undefined;
    // The service cannot have used more time than the round trip, and grants at most the TTL.
    return after(sent, Math.min(elapsedMs, -left(sent)) + Math.min(validityMs, this.ttl));
  }

  /** Returns whether a lease has the names of this one. A wrong base URL, or a proxy, changes the path. */
  grants(json) {
    const names = Array.isArray(json.leases) ? json.leases.map((one) => one?.name) : [json.resource];
    return names.length === this.all.length && this.all.every((name) => names.includes(name));
  }

  /** Releases what a failed acquire may have been granted: one try for each URL. */
  async discard(route) {
    for (const { length } = this.urls, again = route.again(); again.count < length; again.next(true)) {
      const { status } = await this.send('DELETE', again, { limit: this.timeout });
      if (status === 204 || status === 404) return;
    }
  }
}

/** The order of the base URLs and the pauses of one operation. */
class Route {
  #urls;
  #index;
  #tried = new Set(); // since the last pause
  #pauses = 0;
  count = 0;

  constructor(urls, index = 0) {
    this.#urls = urls;
    this.#index = index;
  }

  /** Returns a new route that begins with the current URL. */
  again() {
    return new Route(this.#urls, this.#index);
  }

  get url() {
    this.#tried.add(this.#index);
    return this.#urls[this.#index];
  }

  /** Chooses the URL of the next try and returns the pause before it, in milliseconds. */
  next(elsewhere, retryAfter) {
    this.count++;
    if (elsewhere) this.#index = (this.#index + 1) % this.#urls.length;
    if (!this.#tried.has(this.#index)) return 0;
    this.#tried.clear();
    return retryAfter || Math.random() * Math.min(1000, 100 * 2 ** this.#pauses++);
  }
}

function check(name, value, [valid, expected]) {
  if (valid(value)) return;
  const shown = clean(typeof value === 'string' ? JSON.stringify(value) : String(value));
  refuse(`${name} must be ${expected}${name === 'key' ? '' : `, not ${shown}`}`); // a key is secret
}

function refusal({ status, problem, failure }) {
  const fields = { status, type: clean(problem?.type), detail: clean(problem?.detail) };
  return new RefusedError(`refused: ${failure}`, fields);
}

function refuse(message, cause) {
  throw new RefusedError(message, { status: 0, detail: message, cause });
}

/** Returns text without control characters and line breaks, or undefined if it is not a text. */
function clean(text) {
  return typeof text === 'string' ? text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '').slice(0, 500) : undefined;
}

/** Returns the fencing token of a lease; those of several names are equal. */
const fencing = (json) => json.leases?.[0]?.fencingToken ?? json.fencingToken;

function lockHeld(client, json) {
  const held = Array.isArray(json.held) && json.held.length ? json.held : [json];
  const names = held.map((one) => clean(one?.name) ?? clean(client.name));
  const first = held[0] ?? json;
  const owner = clean(first.owner);
  const kept = first.kept === true;
  const remainingMs = Number.isFinite(first.remainingMs) ? first.remainingMs : undefined;
  const by = kept ? 'was released and is kept' : `is held by ${owner ?? 'another client'}`;
  const more = names.length > 1 ? `; also held: ${names.slice(1).join(', ')}` : '';
  const own = Lease.some(names[0], client) ? '; this process holds it itself: locks are not re-entrant' : '';
  const message = `${names[0]} ${by} for another ${remainingMs ?? 0} ms${more}${own}`;
  return new LockHeldError(message, { owner, remainingMs, kept, names });
}

// Moments have the times of both clocks. The monotonic clock may stand still while the machine is suspended, and the
// wall clock may be set back: the longer of the two times since a moment counts.

const now = () => ({ monotonic: performance.now(), wall: Date.now() });

const after = (moment, ms) => ({ monotonic: moment.monotonic + ms, wall: moment.wall + ms });

/** Returns the milliseconds until a moment, negative after it. */
const left = (moment) => Math.min(moment.monotonic - performance.now(), moment.wall - Date.now());

/** Lets a process exit although a timer is pending. */
function background(timer) {
  if (timer.unref) timer.unref();
  else globalThis.Deno?.unrefTimer?.(timer);
  return timer;
}

/** Waits until the time is over or the signal is aborted. */
function pause(ms, signal, prepare = (timer) => timer) {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = prepare(setTimeout(finish, Math.min(ms, LONGEST_TIMER)));
    signal?.addEventListener('abort', finish);
    if (signal?.aborted) finish();
  });
}

function encode(text) {
  try {
    return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  } catch (error) {
    return refuse('names and owners must be valid Unicode', error);
  }
}

function path(name) {
  check('a name', name, TEXT);
  const segments = name.split('/');
  // URL parsers would resolve them, even percent-encoded.
  if (segments.some((segment) => ['', '.', '..'].includes(segment))) {
    refuse('a name must not be empty, and must not have an empty segment or the segments . and ..');
  }
  if (['extend', 'fence'].includes(segments.at(-1))) refuse('the last segment of a name must not be extend or fence');
  return `/locks/${segments.map(encode).join('/')}`;
}

function baseUrl(value) {
  const text = String(value).trim();
  let url;
  try {
    url = new URL(text);
  } catch {
    refuse('a base URL is invalid');
  }
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || /[?#]/.test(text)) {
    refuse('a base URL must have the scheme http or https and no user, query or fragment');
  }
  const path = url.pathname.replace(/\/+$/, '');
  if (path.endsWith('/locks')) {
    refuse('a base URL must not end in /locks: write that of the service, such as http://localhost:8080');
  }
  return url.origin + path;
}

/** Returns the text of a body, or undefined if it is too long. */
async function readLimited(body, stop) {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let size = 0; reader; ) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > ANSWER_LIMIT) return void stop.abort();
    text += decoder.decode(value, { stream: true });
  }
  return text;
}

function jsonObject(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns an environment variable that is not empty, or undefined, also without access to the environment. */
function env(name) {
  try {
    return (globalThis.process?.env?.[name] ?? globalThis.Deno?.env.get(name)) || undefined;
  } catch {
    return undefined;
  }
}

/** Loads a module of Node, which Deno has, too. The comments keep bundlers from resolving it. */
const node = (module) => import(/* webpackIgnore: true */ /* @vite-ignore */ `node:${module}`);

async function randomToken() {
  const crypto = globalThis.crypto ?? (await node('crypto')).webcrypto; // Node 18 has no global crypto
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the name of the host, or undefined in browsers and without permission. */
async function hostName() {
  try {
    return (await node('os')).hostname().slice(0, 128) || undefined;
  } catch {
    return undefined;
  }
}

const readKey = async (file) => String(await readFile(file)).trim();

async function readFile(file) {
  try {
    return await (await node('fs/promises')).readFile(file);
  } catch (error) {
    return refuse(`cannot read ${clean(String(file))}: ${clean(error.code ?? error.message)}`, error);
  }
}

/** Returns the part of `fetch` that this client uses, with certificates from files. */
async function fetchWith(caFile, certFile, keyFile) {
  const read = (file) => file && readFile(file);
  const [ca, cert, key] = await Promise.all([caFile, certFile, keyFile].map(read));
  const https = await node('https');
  return (url, { method, headers, signal }) =>
    new Promise((resolve, reject) => {
      const request = https.request(url, { method, headers, signal, ca, cert, key }, (response) => {
        const chunks = response[Symbol.asyncIterator]();
        resolve({
          status: response.statusCode,
          headers: new Headers({ 'retry-after': response.headers['retry-after'] ?? '' }),
          body: { getReader: () => ({ read: () => chunks.next() }) },
        });
      });
      request.on('error', reject).end();
    });
}
