// The view of the list of locks.

import { h } from './dom.mjs';
import { acquire, explain, session } from './api.mjs';
import { copyButton } from './copy.mjs';
import { changed, dateTime, duration, lockLink, name, number, plain, plural } from './format.mjs';
import { isStore, lacksMajority } from './fleet.mjs';
import { LONG, MOST, filter, isSeveral, locks, read, sorted, start, view } from './locks.mjs';

const STATES = {
  live: ['ok', 'Live'],
  connecting: ['muted', 'Connecting'],
  reconnecting: ['warn', 'Reconnecting'],
  missed: ['warn', 'May have missed events'],
  unwatched: ['warn', 'Not live: read every 30 s'],
  refused: ['bad', 'Not available'],
};

function stateBadge() {
  // The list is read again before it counts as live.
  if (locks.state === 'connecting' && locks.loaded) return null;
  const [kind, text] = STATES[locks.state === 'live' && lacksMajority() ? 'missed' : locks.state];
  return h('span', { class: `badge ${kind}`, id: 'live', role: 'status' }, text);
}

export function panel(search) {
  const rows = sorted();
  return h('section', { key: 'locks', class: 'panel locks', id: 'locks', 'aria-labelledby': 'locks-title' },
    h('div', { class: 'heading' },
      h('h2', { id: 'locks-title' }, 'Locks'),
      stateBadge(),
      h('span', { class: 'muted count' }, locks.loaded && (rows.length || !locks.problem) ? count(rows.length) : ''),
      h('form', { class: 'search', role: 'search', onsubmit: event => { event.preventDefault(); search(event.currentTarget.elements[0].value, true); } },
        h('label', { for: 'prefix' }, 'Prefix'),
        h('input', { id: 'prefix', type: 'search', placeholder: 'orders/', 'aria-keyshortcuts': '/', title: 'Press / to search', spellcheck: false, autocomplete: 'off', dir: 'auto',
          ref: input => { input.value = locks.prefix; }, oninput: event => search(event.currentTarget.value) }),
        h('label', { for: 'text' }, 'Filter'),
        h('input', { id: 'text', type: 'search', placeholder: 'name or owner', spellcheck: false, autocomplete: 'off', dir: 'auto',
          ref: input => { input.value = locks.text; }, oninput: event => filter(event.currentTarget.value) }))),
    locks.problem && h('p', { key: 'problem', class: `message ${locks.problem.passes ? 'warn' : 'bad'}`, role: 'alert' }, explain(locks.problem),
      rows.length > 0 && isStale() ? ' The locks that were known last are shown in grey.' : '',
      !locks.problem.passes && locks.problem.status !== 401 && [' ', h('button', { type: 'button', onclick: () => start(locks.prefix) }, 'Try again')]),
    rows.length > 0 ? table(rows) : empty(),
    !locks.complete && locks.loaded && !locks.reading && rows.length >= locks.most && h('p', { key: 'more', class: 'more' },
      `The first ${number(locks.most)} locks are shown. `,
      h('button', { type: 'button', onclick: () => { locks.most += MOST; read(); } }, 'Show more')));
}

function count(shown) {
  const all = `${plural(locks.byName.size, 'lock', 'locks')}${locks.complete ? '' : ' so far'}`;
  return locks.text ? `${number(shown)} of ${all}` : all;
}

function empty() {
  if (!locks.loaded) return h('p', { key: 'wait', class: 'muted empty' }, locks.problem ? 'No list yet.' : 'Reading the list of locks…');
  if (locks.problem) return null;
  if (locks.byName.size) return h('p', { key: 'none', class: 'muted empty' }, 'No lock here has “', name(locks.text), '” in its name or owner.');
  if (locks.prefix) return h('p', { key: 'none', class: 'muted empty' }, 'No held lock begins with “', name(locks.prefix), '”.');
  return h('div', { key: 'none', class: 'empty' },
    h('p', null, 'No locks are held. Take one for half a minute:'),
    h('pre', { tabindex: '0', id: 'sample' }, sample()),
    h('div', { class: 'actions' }, copyButton('Copy command', sample),
      !session.key && h('button', { type: 'button', id: 'example', onclick: takeExample }, 'Take an example')));
}

async function takeExample() {
  try {
    await acquire('/locks/example/1?ttlMs=30000&owner=page');
    read();
  } catch (problem) {
    locks.problem = problem;
    changed();
  }
}

const sample = () => `curl -X POST '${location.origin}/locks/orders/42?ttlMs=30000&owner=me'${session.key ? ' \\\n  -H "Authorization: Bearer $KEY"' : ''}`;

const isStale = () => locks.problem?.slug === 'no-quorum';

function table(rows) {
  const range = view.range(rows.length);
  const now = performance.now();
  return h('div', { key: 'table', class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'List of locks', ref: view.ref, onscroll: view.onscroll },
    h('div', { role: 'table', class: `table${isStore() ? ' store' : ''}${isStale() ? ' stale' : ''}`, 'aria-label': 'Locks', 'aria-rowcount': String(rows.length + 1) },
      h('div', { role: 'rowgroup', class: 'head' },
        h('div', { role: 'row', class: 'row', 'aria-rowindex': '1' },
          column('name', 'Name'), column('owner', 'Owner'), column('age', 'Held for'), column('extensions', 'Extended'), column('remaining', 'Remaining'), column('token', 'Fencing token'),
          !isStore() && h('span', { role: 'columnheader', class: 'c-votes' }, 'Votes'), h('span', { role: 'columnheader', class: 'c-waiters' }, 'Waiters'))),
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

/** Returns how many clients hold a lock that several may hold. */
export function holders(lock, count) {
  if (count === undefined) return lock.slots ? `semaphore of ${number(lock.slots)} slots` : 'shared';
  return lock.slots ? `${number(count)} of ${number(lock.slots)} slots` : `shared by ${number(count)}`;
}

/** Returns the owners of a lock, the first of them before others. */
function owners(lock) {
  const all = [...new Set((lock.holders ?? [lock]).map(holder => holder.owner).filter(owner => owner !== undefined))];
  return all.slice(0, 10);
}

function row(lock, index, now) {
  const left = lock.end - now;
  const unknown = lock.kept ? '–' : '·';
  const age = lock.kept || lock.since === undefined ? undefined : Date.now() - lock.since;
  const names = owners(lock);
  const several = isSeveral(lock);
  return h('div', { key: lock.name, role: 'row', class: lock.partial ? 'row partial' : 'row', 'aria-rowindex': String(index + 2) },
    h('span', { role: 'cell', class: 'c-name' }, h('a', { href: lockLink(lock.name), title: plain(lock.name) }, name(lock.name)),
      lock.partial && !isStale() && h('span', { class: 'tag', title: 'Only a minority of the masters has it. It is no lease and ends by itself, unless masters are away.' }, 'partial'),
      several && h('span', { class: 'tag', title: 'The time is that of the oldest holder. Open the lock to see all.' }, holders(lock, lock.count)),
      lock.names && h('span', { class: 'tag', title: `One lease has these locks: ${lock.names.map(plain).join(', ')}` }, `one of ${number(lock.names.length)}`),
      age > LONG && h('span', { class: 'tag', title: 'Held for more than an hour' }, 'long'),
      lock.kept && h('span', { class: 'tag', title: 'Its holder released it. Nobody can acquire it until it ends.' }, 'kept after release')),
    h('span', { role: 'cell', class: 'c-owner', title: names.length ? plain(names.join(', ')) : null },
      lock.kept && names.length > 0 && h('span', { class: 'muted' }, 'was '),
      names.length ? names.flatMap((owner, place) => [place > 0 && ', ', name(owner)]) : h('span', { class: 'muted' }, '–')),
    h('span', { role: 'cell', class: age === undefined ? 'c-age none' : age > LONG ? 'c-age long' : 'c-age', title: age === undefined ? null : `since ${dateTime(lock.since)}` },
      age === undefined ? unknown : duration(age)),
    h('span', { role: 'cell', class: 'c-extensions' }, lock.kept || lock.extensions === undefined ? unknown : `${number(lock.extensions)}×`),
    h('span', { role: 'cell', class: 'c-remaining' }, bar(left, lock.whole), h('span', { class: 'left' }, left > 0 ? duration(left) : 'ended')),
    h('span', { role: 'cell', class: 'c-token' }, lock.token === undefined || several && lock.count > 1 ? '–' : String(lock.token)),
    !isStore() && h('span', { role: 'cell', class: 'c-votes' }, lock.votes ? `${lock.votes.granted}/${lock.votes.total}` : '·'),
    h('span', { role: 'cell', class: 'c-waiters' }, lock.waiters === undefined ? '·' : number(lock.waiters)));
}

/** A bar that shrinks with the remaining time. */
export function bar(left, whole) {
  const part = Math.max(0, Math.min(1, left / whole));
  return h('span', { class: 'bar', 'aria-hidden': 'true' },
    h('span', { class: left < 3_000 ? 'fill low' : 'fill', style: { transform: `scaleX(${part.toFixed(3)})` } }));
}
