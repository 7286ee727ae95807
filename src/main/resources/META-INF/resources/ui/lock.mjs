// One lock: its terms, its events since the page was opened, and breaking it.

import { h } from './dom.mjs';
import { Problem, askForceRight, explain, get, pause, remove, session, visible, watch } from './api.mjs';
import { changed, dateTime, duration, lockPath, name, number, plain, time } from './format.mjs';
import { copyButton } from './copy.mjs';
import { lacksMajority } from './fleet.mjs';
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
    mine.whole = Math.max(found.remainingMs, same ? mine.whole : 1);
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
    h('div', { key: 'actions', class: 'actions' },
      // A key may have the right to break a lock and not the right to read it.
      (mine.found || mine.problem?.slug === 'forbidden') && h('button', { type: 'button', class: 'danger', id: 'break', onclick: () => openDialog(mine) }, mine.found?.kept ? 'Free lock…' : 'Break lock…'),
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
  const partial = found.held === false;
  return h('dl', { key: 'terms', class: 'terms' },
    term('State', partial ? 'Partial: only a minority of the masters has it; it ends by itself'
      : found.kept ? `Kept after release: nobody holds it, and nobody can ${found.holders ? 'take the place' : 'acquire it'} until it ends` : 'Held'),
    !found.kept && term('Owner', found.owner === undefined ? '– (the holder gave no name)' : name(found.owner)),
    !found.kept && term('Held since', found.heldSince === undefined ? '– (not known)' : since(Date.parse(found.heldSince))),
    !found.kept && term('Extended', found.extensions === 1 ? 'once' : `${number(found.extensions)} times`),
    found.holders && term('Holders', `${holders(found)}; owner, age and token are those of one holder`),
    term('Remaining', [bar(left, mine.whole), ' ', left > 0 ? duration(left) : 'ended']),
    term('Fencing token', found.fencingToken === undefined ? '– (another program holds it)' : String(found.fencingToken)),
    term('Votes', `${found.votes.granted} of ${found.votes.total}; ${found.votes.required} needed`),
    term('Waiters', `${number(found.waiters)} on this replica`));
}

function since(start) {
  const today = new Date().toDateString() === new Date(start).toDateString();
  return `${today ? time(start) : dateTime(start)} (for ${duration(Date.now() - start)})`;
}

function term(label, value) {
  return h('div', null, h('dt', null, label), h('dd', null, value));
}

function openDialog(mine) {
  mine.dialog = { token: mine.found?.fencingToken, owner: mine.found?.owner, kept: mine.found?.kept, reason: '', sending: false, result: null };
  changed();
}

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

async function outcome(mine, dialog, reason) {
  const path = `/locks/${lockPath(mine.name)}`;
  try {
    const now = await get(path, 'read', AbortSignal.timeout(10_000));
    if (now.fencingToken !== dialog.token) {
      Object.assign(dialog, { token: now.fencingToken, owner: now.owner, kept: now.kept });
      return ['warn', 'The lock has a new lease since this dialog was opened. Nothing was changed. Check the holder above, and confirm again to break the new lease.', true];
    }
  } catch (problem) {
    if (problem.slug === FREE) return ALREADY_FREE;
    if (problem.status === 0) return ['bad', 'The lock could not be checked: the service did not answer in time. Nothing was changed. Try again.', true];
    // A key may have the right to break a lock and not the right to read it.
    if (problem.slug !== 'forbidden') return ['bad', explain(problem), true];
  }
  const freed = dialog.kept ? 'The lock is free.' : 'The lock is broken. The old holder is not told and continues until it extends or releases.';
  try {
    await remove(`${path}?force=true&reason=${encodeURIComponent(reason)}`);
    return ['ok', freed];
  } catch (problem) {
    return refusal(problem);
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

function held(dialog) {
  return [
    h('p', { key: 'holder' }, 'Holder: ', dialog.owner === undefined ? 'unnamed' : name(dialog.owner),
      dialog.token === undefined ? '' : `, fencing token ${dialog.token}`),
    h('ul', { key: 'meaning', class: 'meaning' },
      h('li', null, 'The holder is not told. It continues to work until it extends or releases.'),
      h('li', null, 'The next client can get the lock at once, so that both may work at the same time.'),
      h('li', null, 'Break it only if the holder is gone, or if the resource rejects smaller fencing tokens.')),
  ];
}

function dialog(mine) {
  const dialog = mine.dialog;
  const [kind, text, again] = dialog.result ?? [];
  const open = !dialog.result || again;
  const verb = dialog.kept ? 'Free' : 'Break';
  return h('dialog', { key: 'dialog', class: 'dialog', 'aria-labelledby': 'dialog-title', ref: element => element.showModal(),
    onclose: () => { mine.dialog = null; changed(); document.getElementById('break')?.focus(); } },
    h('h2', { id: 'dialog-title' }, `${verb} lock `, name(mine.name)),
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
          dialog.sending ? 'Sending…' : `${verb} lock`))));
}
