// The HTTP API: requests with the key of the reader, problems in words, and event streams.

import { changed, number, plain } from './format.mjs';

const STORED = 'quorumlock.key';
const SILENCE = 45_000;
const LONGEST_LINE = 65_536;
const HIDDEN = 30_000;
const STEADY = 5_000;

/** The key of the reader and what the service said about it. It exists in the storage of this tab only. */
export const session = {
  key: stored(),
  /** Whether the service rejected the key or asks for one. Nothing is sent until the reader signs in. */
  needsKey: false,
  reason: '',
  /** The id of the key, as the service or the reader named it. */
  id: '',
  /** By verb: allowed or refused, with the text of the refusal. */
  rights: new Map(),
};
session.id = session.key?.id ?? '';

function stored() {
  try {
    return JSON.parse(sessionStorage.getItem(STORED));
  } catch {
    return null;
  }
}

const listeners = new Set();
export const onSignIn = listener => listeners.add(listener);

export function signIn(id, key) {
  session.key = { id, key };
  sessionStorage.setItem(STORED, JSON.stringify(session.key));
  begin();
}

export function signOut() {
  session.key = null;
  sessionStorage.removeItem(STORED);
  begin();
}

function begin() {
  session.needsKey = false;
  session.reason = '';
  session.id = session.key?.id ?? '';
  session.rights.clear();
  listeners.forEach(listener => listener());
  changed();
}

function headers() {
  if (!session.key) return {};
  const { id, key } = session.key;
  return { Authorization: id ? `Basic ${btoa(`${id}:${key}`)}` : `Bearer ${key}` };
}

/** An answer that is not a success; status 0 if there was no answer. */
export class Problem extends Error {
  constructor(status, body, retryAfter = 0) {
    super(body.detail ?? body.title ?? `status ${status}`);
    this.status = status;
    this.body = body;
    this.slug = String(body.type ?? '').replace('/problems/', '');
    this.retryAfterMs = retryAfter * 1000;
  }

  /** Whether the answer is not one of the service, which names a type in each problem. */
  get foreign() {
    return this.status >= 400 && this.status !== 401 && !this.slug;
  }

  /** Whether the same request may succeed later without a change by the reader. */
  get passes() {
    return this.status === 0 || this.status === 429 || this.status >= 500 || this.foreign;
  }
}

async function open(path, options = {}) {
  if (session.needsKey) throw new Problem(401, { detail: session.reason });
  const used = session.key;
  let response;
  try {
    response = await fetch(path, { ...options, headers: headers(), cache: 'no-store', credentials: 'omit', redirect: 'error' });
  } catch (failure) {
    throw unanswered(failure);
  }
  if (used !== session.key) {
    response.body?.cancel();
    throw new Problem(0, { detail: 'The key was changed.' });
  }
  if (response.ok) {
    note(options.verb, true);
    return response;
  }
  const problem = await problemOf(response);
  if (used !== session.key) throw new Problem(0, { detail: 'The key was changed.' });
  if (problem.status === 401) {
    session.needsKey = true;
    session.reason = used
      ? 'The service does not accept this key. It may have been removed or mistyped.'
      : 'This service asks for a key.';
    changed();
  } else if (problem.slug === 'forbidden') {
    if (problem.body.key) session.id = String(problem.body.key);
    note(problem.body.verb ?? options.verb, false);
  }
  throw problem;
}

/** Returns a problem for a failure of the browser to read an answer, but leaves the end of a stream as it is. */
function unanswered(failure) {
  if (failure.name === 'AbortError') return failure;
  return new Problem(0, { detail: failure.name === 'TimeoutError' ? 'The service does not answer in time.' : 'The service does not answer.' });
}

function note(verb, allowed) {
  if (verb && session.rights.get(verb) !== allowed) {
    session.rights.set(verb, allowed);
    changed();
  }
}

async function problemOf(response) {
  const body = await response.json().catch(() => ({}));
  return new Problem(response.status, body && typeof body === 'object' ? body : {}, Number(response.headers.get('Retry-After')) || 0);
}

async function body(read, path, options) {
  const used = session.key;
  const found = await read(await open(path, options)).catch(failure => { throw unanswered(failure); });
  // The answer to one key must not be shown to the reader who signed in with another one meanwhile.
  if (used !== session.key) throw new Problem(0, { detail: 'The key was changed.' });
  return found;
}

/** Returns the body of a successful answer as JSON. */
export const get = (path, verb, signal) => body(response => response.json(), path, { verb, signal });

export const text = (path, signal) => body(response => response.text(), path, { signal });

export const acquire = path => open(path, { method: 'POST', verb: 'acquire', signal: AbortSignal.timeout(30_000) });

export async function remove(path) {
  await open(path, { method: 'DELETE', verb: 'force', signal: AbortSignal.timeout(30_000) });
}

/**
 * Finds out whether the key may break locks: the service checks the right before it rejects a call without a reason.
 * The random name makes sure that no lock has it.
 */
export async function askForceRight() {
  const name = `page-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
  try {
    await open(`/locks/${name}?force=true`, { method: 'DELETE' });
  } catch (problem) {
    if (problem.status === 400) note('force', true);
  }
}

/** Explains a problem and what the reader can do. */
export function explain(problem) {
  if (problem.foreign) {
    return `Not the service but something before it answered with status ${problem.status}. Check the proxy or load balancer; the page tries again by itself.`;
  }
  const body = problem.body ?? {};
  switch (problem.status) {
    case 0:
      return `${plain(problem.message || 'The service does not answer.')} The page tries again by itself.`;
    case 401:
      return `${session.reason || 'The service asks for a key.'} Sign in to continue.`;
    case 403:
      return problem.slug === 'forbidden' ? forbidden(body) : plain(problem.message);
    case 429:
      return `Too many requests: ${plain(problem.message)} The page tries again by itself.`;
    case 503:
      return problem.slug === 'no-quorum' && body.nodes?.total > 1
        ? `Too few masters answer: ${number(body.nodes.up)} of ${number(body.nodes.total)}, and ${number(body.nodes.required)} are needed. Check the masters above; the page tries again by itself.`
        : `${plain(problem.message)} The page tries again by itself.`;
    default:
      return plain(problem.message ?? problem);
  }
}

function forbidden(body) {
  const names = body.resource !== undefined ? `the lock “${plain(body.resource)}”`
    : body.prefix ? `all names that begin with “${plain(body.prefix)}”` : 'all names';
  const hint = body.verb === 'list' || body.verb === 'events' ? ' Search for a prefix that the key covers.' : '';
  return `The key “${plain(body.key ?? '')}” does not have the right “${plain(body.verb ?? '')}” for ${names}.${hint}`;
}

export const pause = (millis, signal) => new Promise(resolve => {
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
    resolve();
  };
  const timer = setTimeout(end, signal?.aborted ? 0 : millis);
  signal?.addEventListener('abort', end);
});

/** Calls the task when the tab has been hidden for a while. Returns a function that ends this. */
function onceLongHidden(task) {
  let timer;
  const check = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(task, HIDDEN);
  };
  document.addEventListener('visibilitychange', check);
  check();
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', check);
  };
}

/** Waits while the tab is hidden, unless the signal ends it. */
export const visible = signal => new Promise(resolve => {
  const check = () => {
    if (document.hidden && !signal.aborted) return;
    document.removeEventListener('visibilitychange', check);
    signal.removeEventListener('abort', check);
    resolve();
  };
  document.addEventListener('visibilitychange', check);
  signal.addEventListener('abort', check);
  check();
});

/**
 * Reads an event stream until it is closed, and opens it again after failures that pass. The stream of a hidden tab is
 * closed, because a browser opens only six HTTP/1.1 connections to a service and each stream occupies one.
 * The listener has opened(), event(object), lost(problem), without a problem if the tab is hidden, and refused(problem).
 */
export function watch(path, listener) {
  const closing = new AbortController();
  follow(path, listener, closing.signal);
  return () => closing.abort();
}

async function follow(path, listener, closed) {
  let failures = 0;
  while (!closed.aborted) {
    const attempt = new AbortController();
    const abort = () => attempt.abort();
    closed.addEventListener('abort', abort);
    let slept = false;
    let opened = Infinity;
    const awake = onceLongHidden(() => { slept = true; abort(); });
    let problem = new Problem(0, { detail: 'The stream of events ended.' });
    try {
      const response = await open(path, { verb: 'events', signal: attempt.signal });
      opened = performance.now();
      listener.opened();
      await readEvents(response.body, listener, attempt);
    } catch (failure) {
      if (failure instanceof Problem) problem = failure;
    }
    awake();
    closed.removeEventListener('abort', abort);
    abort();
    if (closed.aborted) return;
    // A proxy may open each stream and end it at once.
    if (performance.now() - opened > STEADY) failures = 0;
    if (slept) {
      listener.lost(null);
      await visible(closed);
      continue;
    }
    if (!problem.passes) {
      listener.refused(problem);
      return;
    }
    listener.lost(problem);
    const wait = Math.min(10_000, 400 * 2 ** Math.min(failures++, 5)) * (0.75 + Math.random() / 2);
    await pause(Math.max(wait, problem.retryAfterMs || 0), closed);
  }
}

async function readEvents(body, listener, attempt) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let silence;
  let rest = '';
  try {
    for (;;) {
      clearTimeout(silence);
      silence = setTimeout(() => attempt.abort(), SILENCE);
      const { value, done } = await reader.read();
      if (done) return;
      const lines = (rest + value).split('\n');
      rest = lines.pop();
      if (rest.length > LONGEST_LINE) return;
      for (const line of lines) if (line.startsWith('data:')) deliver(line.slice(5), listener);
    }
  } finally {
    clearTimeout(silence);
  }
}

function deliver(data, listener) {
  let event;
  try {
    event = JSON.parse(data);
  } catch {
    return;
  }
  // The service also sends `end`, without a lock, before it closes the stream.
  if (event?.kind === 'gap' || typeof event?.resource === 'string') listener.event(event);
}
