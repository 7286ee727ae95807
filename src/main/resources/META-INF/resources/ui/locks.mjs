// The list of locks: read by pages, then kept up to date by events.

import { h } from './dom.mjs';
import { Problem, explain, get, onSignIn, pause, session, watch } from './api.mjs';
import { changed, dateTime, duration, lockLink, lockPath, name, nameProblem, number, plain, plural } from './format.mjs';
import { lacksMajority } from './fleet.mjs';
import { narrow, viewport } from './scroll.mjs';

const PAGE = 1_000;
const MOST = 10_000;
/** The first stream of a replica reports nothing in about its first second, so the list is read again after it. */
const SETTLE = 2_500;
const REREAD = 120_000;
const UNWATCHED_REREAD = 30_000;
const GONE = 3_000;
const INSPECT = 10_000;

export const locks = {
  prefix: '', byName: new Map(), sorted: [], dirty: false, sort: 'age', descending: true,
  /** live, connecting, reconnecting, missed, unwatched, refused */
  state: 'connecting', problem: null, complete: false, reading: false, loaded: false, most: MOST,
};
const view = viewport(() => (narrow.matches ? 56 : 32));
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
    since: moment(read.heldSince) ?? (same ? known.since : undefined),
    extensions: read.extensions ?? (same && known.extensions !== undefined ? known.extensions + 1 : undefined),
    partial: read.partial ?? false,
    votes: read.votes ?? (same ? known.votes : undefined),
    waiters: same ? known.waiters : undefined,
    inspected: same ? known.inspected : 0,
    end: now + read.remainingMs,
    whole: Math.max(read.remainingMs, same && !at ? known.whole : 0),
    seen: now,
    changed: at,
  });
  if (!known) locks.dirty = true;
}

const moment = text => (text === undefined ? undefined : Date.parse(text));

/** Adds what events do not tell: since when a lock that was extended is held. */
function learn(lock, read) {
  if (lock.since === undefined) locks.dirty = true;
  lock.since ??= moment(read.heldSince);
  lock.extensions ??= read.extensions;
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
  if (known && known.token > event.fencingToken) return;
  if (event.kind === 'acquired' || event.kind === 'extended') {
    if (!known && !locks.complete && locks.byName.size >= locks.most) return;
    const isNew = event.kind === 'acquired';
    put(event.resource, { owner: event.owner, fencingToken: event.fencingToken, remainingMs: event.ttlMs,
      ...(isNew ? { heldSince: event.at, extensions: 0 } : {}) }, now, now);
    if (isNew || locks.sort === 'remaining' || locks.sort === 'extensions') locks.dirty = true;
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

function sorted() {
  if (locks.dirty) {
    locks.dirty = false;
    locks.sorted = [...locks.byName.values()].sort(ORDERS[locks.sort]);
    if (locks.descending) locks.sorted.reverse();
  }
  return locks.sorted;
}

/** Removes locks whose time is over, in case that no event says so. Called regularly. */
export function tick() {
  const now = performance.now();
  for (const [key, lock] of locks.byName) {
    if (lock.end + GONE < now) {
      locks.byName.delete(key);
      locks.dirty = true;
    }
  }
  inspectVisible(now);
}

/** Reads the waiters of visible locks, one at a time. The list does not have them. */
async function inspectVisible(now) {
  if (document.hidden || inspecting || locks.state === 'refused' || !readable || location.hash.startsWith('#/locks/')) return;
  const { first, last } = view.range(locks.sorted.length);
  const next = locks.sorted.slice(first, last).find(lock => now - (lock.inspected ?? 0) > INSPECT && lock.end > now && !nameProblem(lock.name));
  if (!next) return;
  inspecting = 1;
  next.inspected = now;
  let wait = 0;
  try {
    const found = await get(`/locks/${lockPath(next.name)}`, undefined, AbortSignal.timeout(5_000));
    const lock = locks.byName.get(next.name);
    if (lock && lock.token === found.fencingToken) {
      Object.assign(lock, { waiters: found.waiters, votes: found.votes, extensions: found.extensions, inspected: performance.now() });
      learn(lock, found);
      changed();
    }
  } catch (problem) {
    if (problem.slug === 'forbidden') readable = false;
    if (problem.status !== 404) wait = Math.max(10_000, problem.retryAfterMs || 0);
  }
  await pause(wait || 100);
  inspecting = 0;
  if (!wait) inspectVisible(performance.now());
}

onSignIn(() => start(locks.prefix));

const STATES = {
  live: ['ok', 'Live'],
  connecting: ['muted', 'Connecting'],
  reconnecting: ['warn', 'Reconnecting'],
  missed: ['warn', 'May have missed events'],
  unwatched: ['warn', 'Not live: read every 30 s'],
  refused: ['bad', 'Not available'],
};

export function stateBadge() {
  const [kind, text] = STATES[locks.state === 'live' && lacksMajority() ? 'missed' : locks.state];
  return h('span', { class: `badge ${kind}`, id: 'live', role: 'status' }, text);
}

export function panel(search) {
  const rows = sorted();
  return h('section', { key: 'locks', class: 'panel locks', id: 'locks', 'aria-labelledby': 'locks-title' },
    h('div', { class: 'heading' },
      h('h2', { id: 'locks-title' }, 'Locks'),
      stateBadge(),
      h('span', { class: 'muted count' }, locks.loaded ? count(rows.length) : ''),
      h('form', { class: 'search', role: 'search', onsubmit: event => { event.preventDefault(); search(event.currentTarget.elements[0].value, true); } },
        h('label', { for: 'prefix' }, 'Prefix'),
        h('input', { id: 'prefix', type: 'search', placeholder: 'orders/', spellcheck: false, autocomplete: 'off', dir: 'auto',
          ref: input => { input.value = locks.prefix; }, oninput: event => search(event.currentTarget.value) }))),
    locks.problem && h('p', { key: 'problem', class: `message ${locks.problem.passes ? 'warn' : 'bad'}`, role: 'alert' }, explain(locks.problem),
      !locks.problem.passes && locks.problem.status !== 401 && [' ', h('button', { type: 'button', onclick: () => start(locks.prefix) }, 'Try again')]),
    rows.length > 0 ? table(rows) : empty(),
    !locks.complete && locks.loaded && !locks.reading && rows.length >= locks.most && h('p', { key: 'more', class: 'more' },
      `The first ${number(locks.most)} locks are shown. `,
      h('button', { type: 'button', onclick: () => { locks.most += MOST; read(); } }, 'Show more')));
}

function count(shown) {
  return `${plural(shown, 'lock', 'locks')}${locks.complete ? '' : ' so far'}`;
}

function empty() {
  if (!locks.loaded) return h('p', { key: 'wait', class: 'muted empty' }, locks.problem ? 'No list yet.' : 'Reading the list of locks…');
  if (locks.problem) return null;
  if (locks.prefix) return h('p', { key: 'none', class: 'muted empty' }, 'No held lock begins with “', name(locks.prefix), '”.');
  return h('div', { key: 'none', class: 'empty' },
    h('p', null, 'No locks are held. Make one for half a minute:'),
    h('pre', { tabindex: '0' }, `curl -X POST '${location.origin}/locks/orders/42?ttlMs=30000&owner=me'${session.key ? ' \\\n  -H "Authorization: Bearer $KEY"' : ''}`));
}

function table(rows) {
  const range = view.range(rows.length);
  const now = performance.now();
  return h('div', { key: 'table', class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'List of locks', ref: view.ref, onscroll: view.onscroll },
    h('div', { role: 'table', class: 'table', 'aria-label': 'Locks', 'aria-rowcount': String(rows.length + 1) },
      h('div', { role: 'rowgroup', class: 'head' },
        h('div', { role: 'row', class: 'row', 'aria-rowindex': '1' },
          column('name', 'Name'), column('owner', 'Owner'), column('age', 'Held for'), column('extensions', 'Extended'), column('remaining', 'Remaining'), column('token', 'Fencing token'),
          h('span', { role: 'columnheader', class: 'c-votes' }, 'Votes'), h('span', { role: 'columnheader', class: 'c-waiters' }, 'Waiters'))),
      h('div', { role: 'rowgroup', class: 'body', style: { paddingTop: `${range.before}px`, paddingBottom: `${range.after}px` } },
        rows.slice(range.first, range.last).map((lock, index) => row(locks.byName.get(lock.name) ?? lock, range.first + index, now)))));
}

function column(key, label) {
  const active = locks.sort === key;
  return h('span', { role: 'columnheader', class: `c-${key}`, 'aria-sort': active ? (locks.descending ? 'descending' : 'ascending') : 'none' },
    h('button', { type: 'button', class: 'sort', onclick: () => {
      locks.descending = active ? !locks.descending : key === 'age' || key === 'extensions';
      locks.sort = key;
      locks.dirty = true;
      changed();
    } }, label, active && h('span', { 'aria-hidden': 'true' }, locks.descending ? ' ▾' : ' ▴')));
}

function row(lock, index, now) {
  const left = lock.end - now;
  return h('div', { key: lock.name, role: 'row', class: lock.partial ? 'row partial' : 'row', 'aria-rowindex': String(index + 2) },
    h('span', { role: 'cell', class: 'c-name' }, h('a', { href: lockLink(lock.name), title: plain(lock.name) }, name(lock.name))),
    h('span', { role: 'cell', class: 'c-owner', title: lock.owner === undefined ? null : plain(lock.owner) },
      lock.owner === undefined ? h('span', { class: 'muted' }, '–') : name(lock.owner)),
    h('span', { role: 'cell', class: 'c-age', title: lock.since === undefined ? null : `since ${dateTime(lock.since)}` },
      lock.since === undefined ? '·' : duration(Date.now() - lock.since)),
    h('span', { role: 'cell', class: 'c-extensions' }, lock.extensions === undefined ? '·' : `${number(lock.extensions)}×`),
    h('span', { role: 'cell', class: 'c-remaining' }, bar(left, lock.whole), h('span', { class: 'left' }, left > 0 ? duration(left) : 'ended')),
    h('span', { role: 'cell', class: 'c-token' }, lock.token === undefined ? '–' : String(lock.token)),
    h('span', { role: 'cell', class: 'c-votes' }, votes(lock)),
    h('span', { role: 'cell', class: 'c-waiters' }, lock.waiters === undefined ? '·' : number(lock.waiters)));
}

/** A bar that shrinks with the remaining time. */
export function bar(left, whole) {
  const part = Math.max(0, Math.min(1, left / whole));
  return h('span', { class: 'bar', 'aria-hidden': 'true' },
    h('span', { class: left < 3_000 ? 'fill low' : 'fill', style: { transform: `scaleX(${part.toFixed(3)})` } }));
}

function votes({ votes: given, partial }) {
  if (!given) return '·';
  return [`${given.granted}/${given.total}`, partial && h('span', { class: 'tag', title: 'Only a minority of the masters has it. It is no lease and ends by itself.' }, 'partial')];
}
