// The masters, or the servers of a store: GET /nodes every two seconds while the page is visible.

import { h } from './dom.mjs';
import { explain, get, onSignIn, session } from './api.mjs';
import { narrow } from './scroll.mjs';
import { changed, duration, milliseconds, name, number, plain, plural, significant } from './format.mjs';

const PERIOD = 2_000;
/** Half of the default timeout of a command. */
const SLOW_MILLIS = 25;

const REASONS = {
  disconnected: 'No connection: check its process',
  timeout: 'No reply in time: check load and disk',
  overloaded: 'Its queue is full: it replies too slowly',
  pending: 'Not admitted yet: waits for a majority of the masters',
  refused: 'Refused: a replica, a cluster node, or the wrong server or store',
  noauth: 'Wrong credentials or missing permission',
  loading: 'Reads its data after a start, or copies those of others',
  oom: 'Out of memory: check maxmemory',
  readonly: 'Became a replica: it rejects writes',
  misconf: 'Cannot write to its disk',
  busy: 'Blocked by a script of another program',
  noscript: 'Lost its scripts: they are reloaded',
  wrongtype: 'Another program uses its keys',
  fence_full: 'A fencing counter is full',
  no_leader: 'No contact to a leader: check its network and the other servers',
  garbage: 'Replies are not Redis protocol: check the address',
  quarantined: 'May have lost writes: gets no vote until the countdown ends',
  error: 'Error: see the log of the master',
};
const SLOW = new Set(['slow', 'timeout', 'overloaded', 'busy']);

const fleet = { nodes: null, at: 0, problem: null, unfolded: false };
let timer;
let loading = false;

export function start() {
  document.addEventListener('visibilitychange', poll);
  onSignIn(() => {
    Object.assign(fleet, { nodes: null, problem: null });
    poll();
  });
  poll();
}

async function poll() {
  clearTimeout(timer);
  if (document.hidden || loading) return;
  loading = true;
  let wait = PERIOD;
  const { key } = session;
  try {
    fleet.nodes = await get('/nodes', 'read', AbortSignal.timeout(10_000));
    fleet.at = performance.now();
    fleet.problem = null;
  } catch (problem) {
    fleet.problem = problem.status === undefined ? { status: 0 } : problem;
    wait = fleet.problem.status === 0 || problem.passes ? Math.max(PERIOD, problem.retryAfterMs || 0) : 0;
  }
  loading = false;
  if (key !== session.key) {
    fleet.problem = null;
    wait = 1;
  }
  changed();
  if (wait) timer = setTimeout(poll, wait);
}

/** Whether too few masters answer. Events then arrive after their return, or never. */
export const lacksMajority = () => fleet.nodes !== null && fleet.nodes.up < fleet.nodes.quorum;

/** Whether one store keeps the locks, so that votes say nothing. */
export const isStore = () => noun(fleet.nodes) === 'server';

/** Returns the name of the installation; empty if it has none or is not known. */
export const environment = () => fleet.nodes?.environment ?? '';

function stateOf(node) {
  const left = (node.quarantineMs ?? 0) - (performance.now() - fleet.at);
  if (node.problem === 'quarantined' || (!node.up && node.quarantineMs > 0)) {
    return { kind: 'quarantined', word: 'Quarantined', note: REASONS.quarantined, left };
  }
  if (!node.up) {
    return { kind: 'away', word: SLOW.has(node.problem) ? 'Too slow' : 'Away', note: REASONS[node.problem] ?? node.detail ?? 'Gives no vote' };
  }
  if (node.latencyMs >= SLOW_MILLIS && !fleet.nodes.stalledMs) return { kind: 'slow', word: 'Slow', note: `${noun(fleet.nodes) === 'master' ? 'Votes' : 'Up'}, but replies slowly` };
  return { kind: 'up', word: 'Up' };
}

/** What keeps the locks: a master, or a server of a store. */
const noun = nodes => (nodes?.engine ?? 'redlock') === 'redlock' ? 'master' : 'server';

const title = nodes => noun(nodes) === 'master' ? 'Masters' : 'Servers';

/** Returns the number of further masters that may fail, in words. */
function tolerance(nodes) {
  const { up, total, quorum, tolerance: more } = nodes;
  if (up < quorum) {
    return { kind: 'bad', text: `Unavailable: no locks are granted until ${plural(quorum - up, `${noun(nodes)} returns`, `${noun(nodes)}s return`)}` };
  }
  const failures = more === 0 ? 'no' : number(more);
  const word = more === 1 ? 'failure' : 'failures';
  if (up < total) return { kind: 'warn', text: `Degraded: tolerates ${failures} more ${word}` };
  if (total === 1) return { kind: 'muted', text: `One ${noun(nodes)}: tolerates no failures` };
  return { kind: 'ok', text: `Healthy: tolerates ${failures} ${word}` };
}

export function view() {
  const { nodes, problem } = fleet;
  // A phone shows only masters that need attention, unless the reader wants to see all.
  const folded = narrow.matches && !fleet.unfolded;
  const shown = nodes?.nodes.filter(node => !folded || stateOf(node).kind !== 'up') ?? [];
  return h('section', { key: 'fleet', class: 'panel fleet', id: 'fleet', 'aria-labelledby': 'fleet-title' },
    h('div', { class: 'heading' },
      h('h2', { id: 'fleet-title' }, title(nodes)),
      nodes && !problem && summary(nodes),
      nodes && h('p', { key: 'replica', class: 'muted replica' }, 'Replica ', name(nodes.replica), `, version ${plain(nodes.version)} (${plain(nodes.revision)}${nodes.revisionDate ? `, ${plain(nodes.revisionDate)}` : ''})`)),
    problem && h('p', { key: 'problem', class: 'message bad' }, explain(problem)),
    shown.length > 0 && h('ul', { key: 'nodes', class: problem ? 'nodes stale' : 'nodes' }, shown.map(card)),
    nodes && narrow.matches && h('button', { key: 'fold', type: 'button', id: 'fold', 'aria-expanded': String(!folded),
      onclick: () => { fleet.unfolded = folded; changed(); } }, folded ? `Show all ${number(nodes.total)} ${noun(nodes)}s` : 'Show fewer'),
    !nodes && !problem && h('p', { key: 'wait', class: 'muted' }, 'Reading their state…'));
}

function summary(nodes) {
  const words = tolerance(nodes);
  return h('p', { class: 'quorum', 'aria-live': 'polite' },
    h('span', { class: `badge ${words.kind}` }, words.text), ' ',
    seemSlow(nodes) && [h('span', { key: 'stalled', class: 'badge warn', id: 'stalled', title: 'It got no CPU, so that masters or servers seem to be slow. Give it more CPU.' },
      `${title(nodes)} seem slow because this replica got no CPU for ${milliseconds(nodes.stalledMs)}`), ' '],
    h('span', { class: 'muted' }, `${nodes.up} of ${nodes.total} ${noun(nodes) === 'master' ? 'vote' : 'are up'}; a lock needs ${nodes.quorum}`));
}

/** Whether a pause of this replica explains what the cards show. */
const seemSlow = nodes => nodes.stalledMs && nodes.nodes.some(node => node.latencyMs >= SLOW_MILLIS);

function card(node) {
  const state = stateOf(node);
  return h('li', { key: node.node, class: `node ${state.kind}` },
    h('div', { class: 'node-head' },
      h('strong', null, name(node.node)),
      h('span', { class: `state ${state.kind}` }, state.word,
        state.left > 0 && h('span', { class: 'countdown' }, ` ${duration(state.left)}`))),
    h('p', { class: 'note muted', title: plain(node.address) }, name(node.address)),
    state.note && h('p', { class: 'note' }, state.note),
    node.detail && h('p', { class: 'note muted', title: plain(node.detail) }, name(node.detail)),
    h('dl', null,
      figure('Latency', node.latencyMs === undefined ? '–' : milliseconds(node.latencyMs)),
      noun(fleet.nodes) === 'server'
        ? figure('Role', name(node.role ?? '–'))
        : [figure('Clock', node.clockOffsetMs === undefined ? '–' : offset(node.clockOffsetMs)),
          figure('Restarts', significant(node.restarts))]));
}

function offset(millis) {
  const text = milliseconds(Math.abs(millis));
  return millis === 0 ? text : `${millis > 0 ? '+' : '−'}${text}`;
}

function figure(term, value) {
  return h('div', null, h('dt', null, term), h('dd', null, value));
}
