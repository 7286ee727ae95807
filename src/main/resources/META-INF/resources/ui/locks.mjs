// The list of locks: read by pages, then kept up to date by events.

import { Problem, get, onSignIn, pause, watch } from './api.mjs';
import { changed, lockPath, nameProblem, ttl } from './format.mjs';
import { narrow, viewport } from './scroll.mjs';

const PAGE = 1_000;
export const MOST = 10_000;
/** The first stream of a replica reports nothing in about its first second, so the list is read again after it. */
const SETTLE = 2_500;
const REREAD = 120_000;
const UNWATCHED_REREAD = 30_000;
const GONE = 3_000;
const INSPECT = 10_000;
/** After an event of a lock of several holders, and after its end. */
const SOON = 1_000;
/** Longer ones are marked. */
export const LONG = 3_600_000;

export const locks = {
  prefix: '', text: '', byName: new Map(), sorted: [], dirty: false, sort: 'age', descending: true,
  /** live, connecting, reconnecting, missed, unwatched, refused */
  state: 'connecting', problem: null,
  /** Why the key gets no events. */
  unwatched: null, complete: false, reading: false, loaded: false, most: MOST,
};
export const view = viewport(() => (narrow.matches ? 56 : 32));
let stopWatching = () => {};
let epoch = 0;
let timer;
let ended = new Map();
let onEvent = () => {};
let inspecting = 0;
/** Whether the key may read the locks of this list, as far as it is known. Its right on all names says nothing about a prefix. */
let readable = true;
/** Whether a reading was due while the tab was hidden. */
let deferred = false;
/** Whether the list was read since the stream was opened, and the next reading misses nothing. */
let settled = false;

export const listen = listener => { onEvent = listener; };

/** Begins to show the locks with this prefix. */
export function start(prefix) {
  stop();
  locks.prefix = prefix;
  locks.byName.clear();
  locks.dirty = true;
  locks.loaded = false;
  locks.complete = false;
  locks.problem = null;
  locks.unwatched = null;
  locks.state = 'connecting';
  locks.most = MOST;
  readable = true;
  view.element?.scrollTo(0, 0);
  const field = document.getElementById('prefix');
  if (field && field.value !== prefix) field.value = prefix;
  const query = prefix ? `?prefix=${encodeURIComponent(prefix)}` : '';
  let opened = false;
  stopWatching = watch(`/events${query}`, {
    opened() {
      if (opened) onEvent({ kind: 'gap' });
      locks.state = opened ? 'missed' : 'connecting';
      opened = true;
      settled = false;
      read();
    },
    event(event) {
      apply(event);
      onEvent(event);
    },
    lost(problem) {
      locks.state = 'reconnecting';
      locks.problem = problem;
      changed();
    },
    refused(problem) {
      locks.state = problem.status === 403 ? 'unwatched' : 'refused';
      locks.problem = problem;
      locks.unwatched = problem.status === 403 ? problem : null;
      settled = true;
      if (problem.status === 403) read();
      changed();
    },
  });
  changed();
}

export function stop() {
  epoch++;
  deferred = false;
  clearTimeout(timer);
  stopWatching();
  stopWatching = () => {};
  locks.reading = false;
}

function rereadAfter(millis) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (document.hidden) deferred = true;
    else read();
  }, millis);
}

document.addEventListener('visibilitychange', () => {
  if (deferred && !document.hidden) read();
});

/** Reads the list again and drops locks that it no longer has. */
export async function read() {
  const mine = ++epoch;
  const began = performance.now();
  deferred = false;
  clearTimeout(timer);
  ended = new Map();
  locks.reading = true;
  changed();
  try {
    const last = await readPages(mine);
    if (mine !== epoch) return;
    for (const [key, lock] of locks.byName) {
      if (lock.seen < began && (last === null || compare(key, last) <= 0)) locks.byName.delete(key);
    }
    locks.complete = last === null;
    locks.problem = null;
    if (settled && (locks.state === 'connecting' || locks.state === 'missed')) locks.state = 'live';
    rereadAfter(!settled ? SETTLE : locks.state === 'unwatched' ? UNWATCHED_REREAD : REREAD);
    settled = true;
  } catch (failure) {
    if (mine !== epoch) return;
    const problem = failure instanceof Problem ? failure : new Problem(0, {});
    locks.problem = problem;
    if (!locks.byName.size) problem.body.known?.forEach(lock => merge(lock, began));
    if (!problem.passes) locks.state = 'refused';
    else rereadAfter(Math.max(3_000, problem.retryAfterMs));
  }
  locks.reading = false;
  locks.loaded = true;
  locks.dirty = true;
  changed();
}

/** Returns the last name that was read, or null at the end of the list. */
async function readPages(mine) {
  let after = null;
  let count = 0;
  do {
    const query = new URLSearchParams({ limit: count ? PAGE : 200 });
    if (after) query.set('after', after);
    if (locks.prefix) query.set('prefix', locks.prefix);
    const asked = performance.now();
    const page = await get(`/locks?${query}`, 'list', AbortSignal.timeout(15_000));
    if (mine !== epoch) return null;
    for (const lock of page.locks) merge(lock, asked);
    count += page.locks.length;
    after = page.after;
    locks.loaded = true;
    locks.dirty = true;
    changed();
    if (after && count >= locks.most) return after;
    if (after) await pause(20);
  } while (after);
  return null;
}

function merge(read, asked) {
  if (ended.get(read.resource) > asked) return;
  const now = performance.now();
  const known = locks.byName.get(read.resource);
  if (known && known.changed > asked) {
    known.seen = now;
    known.votes = read.votes;
    if (known.token === read.fencingToken) learn(known, read);
    return;
  }
  put(read.resource, { ...read, remainingMs: read.remainingMs - (now - asked) / 2 }, now, 0);
}

function put(key, read, now, at) {
  const known = locks.byName.get(key);
  const same = known && known.token === read.fencingToken;
  locks.byName.set(key, {
    name: key,
    owner: read.owner,
    token: read.fencingToken,
    since: earliest(read) ?? (same ? known.since : undefined),
    extensions: read.extensions ?? (same && known.extensions !== undefined ? known.extensions + 1 : undefined),
    partial: read.partial ?? false,
    kept: read.kept ?? false,
    mode: read.mode,
    slots: read.slots,
    holders: read.holders,
    count: read.holderCount,
    names: read.names ?? (same ? known.names : undefined),
    votes: read.votes ?? (same ? known.votes : undefined),
    waiters: same ? known.waiters : undefined,
    inspected: same ? known.inspected : 0,
    end: now + read.remainingMs,
    whole: at ? read.remainingMs : same ? Math.max(read.remainingMs, known.whole) : ttl(read),
    seen: now,
    changed: at,
  });
  if (!known) locks.dirty = true;
}

const moment = text => (text === undefined ? undefined : Date.parse(text));

/** Returns since when the holder has a lock, or the oldest of several. */
const earliest = read => (read.holders ?? [read]).map(holder => moment(holder.heldSince))
  .reduce((least, since) => (since === undefined || since > least ? least : since), undefined);

/** Adds what events do not tell: since when a lock that was extended is held. */
function learn(lock, read) {
  if (lock.since === undefined) locks.dirty = true;
  lock.since ??= moment(read.heldSince);
  lock.extensions ??= read.extensions;
}

const hasRoom = () => locks.complete || locks.byName.size < locks.most;

/** Whether several clients may hold a lock. */
export const isSeveral = lock => Boolean(lock.mode || lock.slots);

/** Notes that a lock of several holders changed. Only its inspection tells who holds it now. */
function changedHolders(known, event, now) {
  if (known) {
    known.inspected = Math.min(known.inspected, now - INSPECT + SOON);
    known.end = Math.max(known.end, now + event.ttlMs);
  } else if (event.ttlMs > 0 && hasRoom()) {
    put(event.resource, { owner: event.owner, fencingToken: event.fencingToken, remainingMs: event.ttlMs, mode: event.mode, slots: event.slots }, now, now);
  }
  changed();
}

function apply(event) {
  const now = performance.now();
  if (event.kind === 'gap') {
    locks.state = 'missed';
    read();
    return;
  }
  if (typeof event.resource !== 'string') return;
  const known = locks.byName.get(event.resource);
  if (isSeveral(event)) {
    changedHolders(known, event, now);
    return;
  }
  if (known && known.token > event.fencingToken) return;
  if (event.kind === 'acquired' || event.kind === 'extended') {
    if (!known && !hasRoom()) return;
    const isNew = event.kind === 'acquired';
    put(event.resource, { owner: event.owner, fencingToken: event.fencingToken, remainingMs: event.ttlMs,
      ...(isNew ? { heldSince: event.at, extensions: 0 } : {}) }, now, now);
    if (isNew || locks.sort === 'remaining' || locks.sort === 'extensions') locks.dirty = true;
  } else if (event.kind === 'released' && event.ttlMs > 0) {
    put(event.resource, { owner: event.owner, fencingToken: event.fencingToken, remainingMs: event.ttlMs, kept: true }, now, now);
    locks.dirty = true;
  } else {
    if (locks.reading) ended.set(event.resource, now);
    if (locks.byName.delete(event.resource)) locks.dirty = true;
  }
  changed();
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const ORDERS = {
  name: (a, b) => compare(a.name, b.name),
  owner: (a, b) => compare(a.owner ?? '', b.owner ?? '') || compare(a.name, b.name),
  age: (a, b) => compare(b.since ?? Infinity, a.since ?? Infinity) || compare(b.name, a.name),
  extensions: (a, b) => (a.extensions ?? 0) - (b.extensions ?? 0),
  remaining: (a, b) => a.end - b.end,
  token: (a, b) => (a.token ?? 0) - (b.token ?? 0),
};

/** Shows only the locks with this text in their name or in that of an owner. */
export function filter(text) {
  locks.text = text.toLowerCase();
  locks.dirty = true;
  changed();
}

const matches = lock => !locks.text || [lock.name, ...(lock.holders ?? [lock]).map(holder => holder.owner ?? '')]
  .some(text => text.toLowerCase().includes(locks.text));

/** Returns the locks in the chosen order. */
export function sorted() {
  if (locks.dirty) {
    locks.dirty = false;
    locks.sorted = [...locks.byName.values()].filter(matches).sort(ORDERS[locks.sort]);
    if (locks.descending) locks.sorted.reverse();
  }
  return locks.sorted;
}

/** Removes locks whose time is over, in case that no event says so. Called regularly. */
export function tick() {
  const now = performance.now();
  for (const [key, lock] of locks.byName) {
    if (lock.end + GONE < now && !(isSeveral(lock) && readable)) {
      locks.byName.delete(key);
      locks.dirty = true;
    }
  }
  inspectVisible(now);
}

/** Returns the next lock to read: one of several holders that seems to have ended, or a visible one. */
function nextToRead(now) {
  const { first, last } = view.range(locks.sorted.length);
  const isDue = (lock, after) => now - (lock.inspected ?? 0) > after && !nameProblem(lock.name);
  return [...locks.byName.values()].find(lock => isSeveral(lock) && lock.end < now && isDue(lock, SOON))
    ?? locks.sorted.slice(first, last).map(lock => locks.byName.get(lock.name) ?? lock).find(lock => lock.end > now && isDue(lock, INSPECT));
}

/** Reads the waiters and holders of locks, one at a time. The list does not have waiters, and events do not have all holders. */
async function inspectVisible(now) {
  if (document.hidden || inspecting || locks.state === 'refused' || !readable || location.hash.startsWith('#/locks/')) return;
  const next = nextToRead(now);
  if (!next) return;
  inspecting = 1;
  next.inspected = now;
  let wait = 0;
  try {
    const found = await get(`/locks/${lockPath(next.name)}`, undefined, AbortSignal.timeout(5_000));
    const lock = locks.byName.get(next.name);
    if (lock && isSeveral(found)) {
      const inspected = lock.inspected === now ? performance.now() : lock.inspected;
      put(next.name, found, performance.now(), 0);
      Object.assign(locks.byName.get(next.name), { waiters: found.waiters, inspected });
      locks.dirty = true;
      changed();
    } else if (lock && lock.token === found.fencingToken) {
      Object.assign(lock, { waiters: found.waiters, votes: found.votes, extensions: found.extensions, names: found.names, inspected: performance.now() });
      learn(lock, found);
      changed();
    }
  } catch (problem) {
    if (problem.slug === 'forbidden') readable = false;
    if (problem.status !== 404) wait = Math.max(10_000, problem.retryAfterMs || 0);
    else if (isSeveral(next) && next.inspected === now && locks.byName.delete(next.name)) locks.dirty = true;
  }
  await pause(wait || 100);
  inspecting = 0;
  if (!wait) inspectVisible(performance.now());
}

onSignIn(() => start(locks.prefix));
