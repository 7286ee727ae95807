// One lock: its terms, its events since the page was opened, and breaking it.

import { h } from './dom.mjs';
import { Problem, askForceRight, explain, get, pause, remove, session, visible, watch } from './api.mjs';
import { changed, dateTime, duration, lockLink, lockPath, name, number, plain, plural, time, ttl } from './format.mjs';
import { copyButton } from './copy.mjs';
import { isStore, lacksMajority } from './fleet.mjs';
import { isSeveral } from './locks.mjs';
import { viewport } from './scroll.mjs';
import { bar, holders } from './table.mjs';
import { list } from './activity.mjs';

const PERIOD = 2_000;
/** Between two readings, however many events arrive. */
const LEAST_PERIOD = 500;
const MOST_EVENTS = 200;
const LONGEST_REASON = 256;

let shown = null;
let view;

/** Begins to show a lock, or why no lock can have this name. */
export function start(lock, invalid) {
  stop();
  view = viewport(() => 28);
  const closing = new AbortController();
  const mine = shown = { name: lock, invalid, found: null, at: 0, whole: 1, free: false, problem: null, events: [], number: 0, live: 'connecting', closing, dialog: null, reading: false, wanted: false };
  if (invalid) {
    changed();
    return;
  }
  const close = watch(`/events?name=${encodeURIComponent(lock)}`, {
    opened: () => {
      if (mine.live === 'reconnecting' && mine.events[0]?.kind !== 'gap') happened(mine, { kind: 'gap' });
      mine.live = 'live';
      inspect(mine);
    },
    event: event => happened(mine, event),
    lost: () => { mine.live = 'reconnecting'; changed(); },
    refused: problem => { mine.live = problem.status === 403 ? 'unwatched' : 'refused'; mine.refusal = problem; changed(); },
  });
  closing.signal.addEventListener('abort', close);
  if (session.key) askForceRight();
  follow(mine);
  changed();
}

export function stop() {
  shown?.closing.abort();
  shown = null;
}

async function follow(mine) {
  const { signal } = mine.closing;
  while (!signal.aborted) {
    await inspect(mine);
    if (mine.problem && !mine.problem.passes) return;
    await pause(PERIOD, signal);
  }
}

/** Reads the lock soon: one request at a time, so that no older answer replaces a newer one, and none while the tab is hidden. */
async function inspect(mine) {
  const { signal } = mine.closing;
  mine.wanted = true;
  if (mine.reading) return;
  mine.reading = true;
  while (mine.wanted && !signal.aborted) {
    await visible(signal);
    if (signal.aborted) return;
    mine.wanted = false;
    await read(mine);
    await pause(Math.max(LEAST_PERIOD, mine.problem?.retryAfterMs ?? 0), signal);
  }
  mine.reading = false;
}

async function read(mine) {
  const asked = performance.now();
  try {
    const found = await get(`/locks/${lockPath(mine.name)}`, 'read', AbortSignal.timeout(10_000));
    const same = mine.found?.fencingToken === found.fencingToken;
    mine.found = found;
    mine.at = (asked + performance.now()) / 2;
    mine.whole = same ? Math.max(found.remainingMs, mine.whole) : ttl(found);
    mine.free = false;
    mine.problem = null;
  } catch (failure) {
    if (failure.slug === FREE) {
      mine.found = null;
      mine.free = true;
      mine.problem = null;
    } else {
      mine.problem = failure instanceof Problem ? failure : new Problem(0, {});
    }
  }
  if (shown === mine) changed();
}

function happened(mine, event) {
  mine.events.unshift({ ...event, number: mine.number++, arrived: new Date(event.at ?? Date.now()) });
  mine.events.length = Math.min(mine.events.length, MOST_EVENTS);
  if (event.kind === 'acquired' || event.kind === 'extended') mine.whole = event.ttlMs;
  inspect(mine);
  changed();
}

const STATES = {
  live: ['ok', 'Live'], connecting: ['muted', 'Connecting'], reconnecting: ['warn', 'Reconnecting'], missed: ['warn', 'May have missed events'],
  unwatched: ['warn', 'Not live: read every 2 s'], refused: ['bad', 'Not available'],
};

export function panel(back) {
  const mine = shown;
  if (mine.invalid) return invalidPanel(mine, back);
  const [kind, text] = STATES[mine.live === 'live' && lacksMajority() ? 'missed' : mine.live];
  return h('section', { key: `lock ${mine.name}`, class: 'panel lock', 'aria-labelledby': 'lock-title' },
    h('p', null, h('a', { href: back, class: 'back' }, '← All locks')),
    h('div', { class: 'heading' },
      h('h2', { id: 'lock-title', tabindex: '-1' }, name(mine.name)),
      h('span', { class: `badge ${kind}`, role: 'status', id: 'live' }, text)),
    mine.problem && h('p', { key: 'problem', class: 'message bad', role: 'alert' }, explain(mine.problem)),
    terms(mine),
    mine.found && isSeveral(mine.found) && holdersTable(mine),
    h('div', { key: 'actions', class: 'actions' },
      // A key may have the right to break a lock and not the right to read it.
      (mine.found || mine.problem?.slug === 'forbidden') && h('button', { type: 'button', class: 'danger', id: 'break', onclick: () => openDialog(mine, mine.found?.holders ?? []) },
        mine.found?.kept ? 'Free lock…' : mine.found?.holderCount > 1 ? `Break all ${number(mine.found.holderCount)} leases…` : 'Break lock…'),
      copyButton('Copy link', () => location.href),
      session.rights.get('force') === false && h('span', { class: 'muted' }, 'Your key may not break locks of all names; a try shows whether it may break this one.')),
    h('h3', { key: 'events-title' }, 'Since this page was opened'),
    mine.refusal ? h('p', { key: 'refusal', class: 'message warn' }, explain(mine.refusal))
      : mine.events.length ? list(mine.events, 'Events of this lock', view, false) : h('p', { key: 'none', class: 'muted' }, 'Nothing happened yet.'),
    mine.dialog && dialog(mine));
}

function invalidPanel(mine, back) {
  return h('section', { key: `lock ${mine.name}`, class: 'panel lock', 'aria-labelledby': 'lock-title' },
    h('p', null, h('a', { href: back, class: 'back' }, '← All locks')),
    h('div', { class: 'heading' }, h('h2', { id: 'lock-title', tabindex: '-1' }, name(mine.name))),
    h('p', { class: 'message bad', role: 'alert' },
      `This is not a valid name of a lock. ${mine.invalid} Correct the address, or open the lock from the list.`));
}

function terms(mine) {
  if (mine.free) return h('p', { key: 'free', class: 'free' }, h('span', { class: 'badge ok' }, 'Free'), ' Nobody holds this lock.');
  const found = mine.found;
  if (!found) return h('p', { key: 'wait', class: 'unknown muted' }, mine.problem ? 'The state of the lock is not known.' : 'Reading the lock…');
  const left = found.remainingMs - (performance.now() - mine.at);
  return h('dl', { key: 'terms', class: 'terms' },
    term('State', found.kept ? `Kept after release: nobody holds it, and nobody can ${isSeveral(found) ? 'take the place' : 'acquire it'} until it ends` : 'Held'),
    isSeveral(found) ? term('Holders', holders(found, found.holderCount)) : only(found),
    term(found.holderCount > 1 ? 'Last one ends in' : 'Remaining', [bar(left, mine.whole), ' ', left > 0 ? duration(left) : 'ended']),
    !isSeveral(found) && term('Fencing token', found.fencingToken === undefined ? '– (another program holds it)' : String(found.fencingToken)),
    !isStore() && term('Votes', `${found.votes.granted} of ${found.votes.total}; ${found.votes.required} needed`),
    term('Waiters', `${number(found.waiters)} on this replica`));
}

/** Returns the terms of the only holder. */
function only(found) {
  const owner = found.owner === undefined ? '– (the holder gave no name)' : name(found.owner);
  return [
    found.kept ? term('Last owner', owner) : term('Owner', owner),
    !found.kept && term('Held since', found.heldSince === undefined ? '– (not known)' : since(Date.parse(found.heldSince))),
    !found.kept && term('Extended', found.extensions === 1 ? 'once' : `${number(found.extensions)} times`),
    found.names && term('Locks of the lease', found.names.flatMap((lock, place) => [place > 0 && ', ', h('a', { href: lockLink(lock) }, name(lock))])),
  ];
}

/** Returns a row for each holder of a lock that several may hold. */
function holdersTable(mine) {
  const { found } = mine;
  // The button of the lock breaks the only lease.
  const single = found.holderCount === 1;
  const passed = performance.now() - mine.at;
  return h('div', { key: 'holders', class: 'wide', tabindex: '0', role: 'region', 'aria-label': 'Holders' },
    h('table', { class: 'holders', role: 'table' },
      h('thead', null, h('tr', null, ['Owner', found.slots && 'Slot', 'Held for', 'Extended', 'Remaining', 'Fencing token'].filter(Boolean).map(title => h('th', { scope: 'col' }, title)),
        !single && h('th', { scope: 'col' }, h('span', { class: 'unseen' }, 'Action')))),
      h('tbody', null, [...found.holders].sort((a, b) => a.slot - b.slot || 0).map(holder => h('tr', { key: holder.fencingToken },
        h('td', { class: 'who' }, holder.owner === undefined ? '–' : name(holder.owner), holder.kept && h('span', { class: 'tag' }, ' kept after release'),
          holder.unconfirmed && h('span', { class: 'tag', title: 'Masters are away, and without them only a minority has it.' }, ' unconfirmed')),
        found.slots && h('td', { 'data-label': 'Slot' }, holder.slot === undefined ? '–' : String(holder.slot)),
        h('td', { 'data-label': 'Held for' }, holder.kept || holder.heldSince === undefined ? '–' : duration(Date.now() - Date.parse(holder.heldSince))),
        h('td', { 'data-label': 'Extended' }, `${number(holder.extensions)}×`),
        h('td', { 'data-label': 'Remaining' }, holder.remainingMs > passed ? duration(holder.remainingMs - passed) : 'ended'),
        h('td', { 'data-label': 'Token' }, String(holder.fencingToken ?? '–')),
        !single && h('td', { class: 'act' }, h('button', { type: 'button', class: 'danger', 'aria-label': `${holder.kept ? 'Free' : 'Break'} the lease of ${plain(holder.owner ?? 'the unnamed holder')}`,
          onclick: () => openDialog(mine, [holder]) }, holder.kept ? 'Free…' : 'Break…')))))),
    found.holderCount > found.holders.length && h('p', { class: 'muted' }, `The first ${number(found.holders.length)} of ${number(found.holderCount)} holders are shown.`));
}

function since(start) {
  const today = new Date().toDateString() === new Date(start).toDateString();
  return `${today ? time(start) : dateTime(start)} (for ${duration(Date.now() - start)})`;
}

function term(label, value) {
  return h('div', null, h('dt', null, label), h('dd', null, value));
}

/** @param holders the ones to break, all or one; none if they are not known */
function openDialog(mine, holders) {
  mine.dialog = { reason: '', sending: false, result: null };
  target(mine, holders);
  changed();
}

function target({ dialog, found }, holders) {
  const others = (found?.holderCount ?? 0) - holders.length;
  // Of more than are shown, all are to be broken.
  const all = holders.length !== 1 || others === 0;
  Object.assign(dialog, { holders, all, count: all ? found?.holderCount : 1, others: all ? 0 : others, kept: holders.length > 0 && holders.every(holder => holder.kept) });
}

const tokens = holders => holders.map(holder => holder.fencingToken).sort().join();

async function send(mine) {
  const dialog = mine.dialog;
  const reason = dialog.reason.trim();
  if (!reason || dialog.sending) return;
  dialog.sending = true;
  changed();
  dialog.result = await outcome(mine, dialog, reason);
  dialog.sending = false;
  inspect(mine);
  changed();
}

const FREE = 'lease-not-found';
const ALREADY_FREE = ['warn', 'The lock is already free: somebody else broke it, or it was released or expired. Nothing was changed.'];
const ENDED = ['warn', 'This lease has ended already: somebody else broke it, or it was released or expired. Nothing was changed.'];

async function outcome(mine, dialog, reason) {
  const path = `/locks/${lockPath(mine.name)}`;
  try {
    const now = await get(path, 'read', AbortSignal.timeout(10_000));
    if (!dialog.all) {
      if (now.holderCount === now.holders.length && !now.holders.some(holder => holder.fencingToken === dialog.holders[0].fencingToken)) return ENDED;
    } else if (dialog.holders.length && tokens(now.holders) !== tokens(dialog.holders)) {
      mine.found = now;
      mine.at = performance.now();
      target(mine, now.holders);
      return isSeveral(now)
        ? ['warn', 'The holders have changed since this dialog was opened. Nothing was changed. Check them above, and confirm again.', true]
        : ['warn', 'The lock has a new lease since this dialog was opened. Nothing was changed. Check the holder above, and confirm again to break the new lease.', true];
    }
  } catch (problem) {
    if (problem.slug === FREE) return ALREADY_FREE;
    if (problem.status === 0) return ['bad', 'The lock could not be checked: the service did not answer in time. Nothing was changed. Try again.', true];
    // A key may have the right to break a lock and not the right to read it.
    if (problem.slug !== 'forbidden') return ['bad', explain(problem), true];
  }
  const freed = dialog.kept ? (dialog.all ? 'The lock is free.' : 'The place is free.')
    : `The ${dialog.all ? 'lock' : 'lease'} is broken. ${dialog.count > 1 ? 'The old holders are not told and continue until they extend or release.' : 'The old holder is not told and continues until it extends or releases.'}`;
  const only = dialog.holders.length === 1 ? dialog.holders[0].fencingToken : undefined;
  try {
    await remove(`${path}?force=true${only === undefined ? '' : `&fencingToken=${only}`}&reason=${encodeURIComponent(reason)}`);
    return ['ok', freed];
  } catch (problem) {
    return problem.slug === FREE && !dialog.all ? ENDED : refusal(problem);
  }
}

function refusal(problem) {
  const status = problem.status;
  if (problem.slug === FREE) return ALREADY_FREE;
  if (status === 409) return ['warn', 'Not broken: another program wrote this lock, or a new lease began meanwhile. Nothing was changed. Look at the lock and decide again.', true];
  if (status === 403) return ['bad', `Not broken. ${explain(problem)}`];
  if (status === 401) return ['bad', explain(problem)];
  if (status === 400) return ['bad', `The service rejects the reason: ${plain(problem.body.errors?.[0]?.detail ?? problem.message)}.`, true];
  if (problem.slug === 'release-incomplete') return ['warn', 'The release is not confirmed. The service repeats it in the background. Try again to be sure.', true];
  if (problem.slug === 'no-quorum') return ['bad', 'Too few masters answered, or not the store. Nothing was changed. Restore them and try again.', true];
  if (status === 0) return ['bad', 'The service did not answer. The lock may be broken or not: look at it before you try again.', true];
  return ['bad', `Not confirmed: ${plain(problem.message)}`, true];
}

function holderText(holder) {
  return [holder.owner === undefined ? 'unnamed' : name(holder.owner), holder.slot === undefined ? '' : `, slot ${holder.slot}`,
    holder.fencingToken === undefined ? '' : `, fencing token ${holder.fencingToken}`, holder.kept ? ', kept after release' : ''];
}

/** Returns exactly what is to be broken. */
function targets(dialog) {
  const { holders, count } = dialog;
  if (!holders.length) return h('p', { key: 'holder' }, 'Your key may not read who holds it. All leases of this lock are broken.');
  if (holders.length === 1) {
    const { names } = holders[0];
    return [
      h('p', { key: 'holder' }, dialog.kept ? 'Last owner: ' : 'Holder: ', holderText(holders[0]), '.',
        dialog.others > 0 && ` The other ${dialog.others === 1 ? 'holder keeps its lease' : `${number(dialog.others)} holders keep their leases`}.`),
      names && h('p', { key: 'names' }, `Its lease has ${plural(names.length, 'lock', 'locks')}: `, names.flatMap((lock, place) => [place > 0 && ', ', name(lock)]),
        '. Without this one the whole lease is lost: its next extension or release fails, and frees the others.'),
    ];
  }
  return [
    h('p', { key: 'holder' }, `This breaks the leases of all ${number(count)} holders:`),
    h('ul', { key: 'list', class: 'holder-list', tabindex: '0', 'aria-label': 'Holders' }, holders.map(holder => h('li', { key: holder.fencingToken }, holderText(holder))),
      count > holders.length && h('li', { key: 'more' }, `and ${number(count - holders.length)} more`)),
  ];
}

function held(dialog) {
  return [
    h('ul', { key: 'meaning', class: 'meaning' },
      h('li', null, dialog.count > 1 ? 'The holders are not told. They continue to work until they extend or release.' : 'The holder is not told. It continues to work until it extends or releases.'),
      h('li', null, 'The next client can get the lock at once, so that both may work at the same time.'),
      h('li', null, `Break it only if the ${dialog.count > 1 ? 'holders are' : 'holder is'} gone, or if the resource rejects smaller fencing tokens.`)),
  ];
}

function dialog(mine) {
  const dialog = mine.dialog;
  const [kind, text, again] = dialog.result ?? [];
  const open = !dialog.result || again;
  const verb = dialog.kept ? 'Free' : 'Break';
  const what = dialog.all ? (dialog.count > 1 ? `${number(dialog.count)} leases` : 'lock') : dialog.kept ? 'place' : 'lease';
  return h('dialog', { key: 'dialog', class: 'dialog', 'aria-labelledby': 'dialog-title', ref: element => element.showModal(),
    onclose: () => { mine.dialog = null; changed(); document.getElementById('break')?.focus(); } },
    h('h2', { id: 'dialog-title' }, `${verb} ${dialog.all ? 'lock' : 'one lease of'} `, name(mine.name)),
    targets(dialog),
    dialog.kept ? h('p', { key: 'kept' }, 'Nobody holds this lock. It was released, and is kept so that no other client does the same work too soon. Afterwards the next client can get it at once.')
      : held(dialog),
    text && h('p', { key: 'result', class: `message ${kind}`, role: 'alert', id: 'result' }, text),
    h('form', { key: 'form', onsubmit: event => { event.preventDefault(); send(mine); } },
      open && h('label', { key: 'label', for: 'reason' }, 'Reason, for the log'),
      open && h('input', { key: 'reason', id: 'reason', required: true, maxlength: String(LONGEST_REASON), autocomplete: 'off', dir: 'auto',
        oninput: event => { dialog.reason = event.currentTarget.value; changed(); } }),
      h('div', { key: 'buttons', class: 'buttons' },
        h('button', { key: 'close', type: 'button', onclick: event => event.currentTarget.closest('dialog').close() }, open ? 'Cancel' : 'Close'),
        open && h('button', { key: 'send', type: 'submit', class: 'danger', id: 'confirm', disabled: dialog.sending || !dialog.reason.trim() },
          dialog.sending ? 'Sending…' : `${verb} ${what}`))));
}
