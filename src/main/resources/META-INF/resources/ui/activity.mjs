// The latest events, with pause and filter.

import { h } from './dom.mjs';
import { explain } from './api.mjs';
import { changed, duration, lockLink, name, number, plain, plural, time } from './format.mjs';
import { viewport } from './scroll.mjs';

const MOST = 1_000;
const KINDS = ['acquired', 'extended', 'released', 'expired', 'broken', 'gap'];

const activity = { events: [], paused: null, missedWhilePaused: 0, text: '', hidden: new Set(['extended']), number: 0 };
const view = viewport(() => 28);

/** Adds an event. Only the latest thousand are kept, and as many extensions, which would displace the others. */
export function add(event) {
  if (event.kind === 'gap' && activity.events.at(-1)?.kind === 'gap') return;
  const entry = { ...event, number: activity.number++, arrived: new Date(event.at ?? Date.now()) };
  activity.events.push(entry);
  if (activity.events.length > MOST * 2.2) activity.events = latest(activity.events);
  if (!activity.paused) changed();
  else if (matches(entry)) activity.missedWhilePaused++;
}

function latest(events) {
  const from = isOfKind => events.filter(isOfKind).at(-MOST)?.number ?? 0;
  const extensions = from(event => event.kind === 'extended');
  const others = from(event => event.kind !== 'extended');
  return events.filter(event => event.number >= (event.kind === 'extended' ? extensions : others));
}

export function clear() {
  activity.events = [];
  activity.paused = null;
  activity.missedWhilePaused = 0;
}

function matches(event) {
  const text = activity.text.toLowerCase();
  return !activity.hidden.has(event.kind) && (!text || `${event.resource ?? ''} ${event.owner ?? ''}`.toLowerCase().includes(text));
}

function togglePause() {
  activity.paused = activity.paused ? null : [...activity.events];
  activity.missedWhilePaused = 0;
  changed();
}

/** @param refusal why the key gets no events, if so */
export function panel(refusal) {
  const all = activity.paused ?? activity.events;
  const events = all.filter(matches).reverse();
  return h('section', { key: 'activity', class: 'panel activity', id: 'activity', 'aria-labelledby': 'activity-title' },
    h('div', { class: 'heading' },
      h('h2', { id: 'activity-title' }, 'Activity'),
      h('button', { type: 'button', id: 'pause', 'aria-pressed': String(activity.paused !== null), onclick: togglePause },
        activity.paused ? 'Resume' : 'Pause'),
      activity.paused && h('span', { class: 'muted count', role: 'status' }, `${number(activity.missedWhilePaused)} new`),
      h('label', { class: 'filter' }, h('span', { class: 'unseen' }, 'Filter'),
        h('input', { id: 'filter', type: 'search', placeholder: 'name or owner', spellcheck: false, autocomplete: 'off', dir: 'auto',
          ref: input => { input.value = activity.text; }, oninput: event => { activity.text = event.currentTarget.value; changed(); } }))),
    h('fieldset', { class: 'kinds' }, h('legend', { class: 'unseen' }, 'Kinds of events'), KINDS.map(kind =>
      h('label', null, h('input', { type: 'checkbox', id: `kind-${kind}`, checked: !activity.hidden.has(kind), onchange: event => {
        if (event.currentTarget.checked) activity.hidden.delete(kind);
        else activity.hidden.add(kind);
        changed();
      } }), kind))),
    refusal && h('p', { key: 'refusal', class: 'message warn' }, explain(refusal)),
    events.length === 0
      ? !refusal && h('p', { key: 'none', class: 'muted empty' }, none(all))
      : list(events, 'Events', view));
}

function none(all) {
  if (!all.length) return 'No events since the page was opened.';
  if (activity.text) return `${plural(all.length, 'event does', 'events do')} not match the filter.`;
  return `${plural(all.length, 'event', 'events')} of kinds that are not selected.`;
}

/** Returns a list of events, the latest first. */
export function list(events, label, viewOf, withName = true) {
  const range = viewOf.range(events.length);
  return h('div', { key: 'list', class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label, ref: viewOf.ref, onscroll: viewOf.onscroll },
    h('ol', { class: 'events', style: { paddingTop: `${range.before}px`, paddingBottom: `${range.after}px` } },
      events.slice(range.first, range.last).map(event => line(event, withName))));
}

function line(event, withName) {
  const kind = KINDS.includes(event.kind) ? event.kind : 'gap';
  return h('li', { key: `e${event.number}`, class: 'event' },
    h('time', null, Number.isNaN(event.arrived.getTime()) ? '' : time(event.arrived)),
    h('span', { class: `kind ${kind}` }, plain(event.kind)),
    event.kind === 'gap' ? h('span', { class: 'what' }, 'events may be missing')
      : h('span', { class: 'what' },
        withName && h('a', { href: lockLink(event.resource), title: plain(event.resource) }, name(event.resource)),
        withName && ' ',
        h('span', { class: 'muted' }, event.owner !== undefined && [name(event.owner), ' '],
          event.ttlMs > 0 ? `for ${duration(event.ttlMs)}` : '', event.mode ? ' · shared' : '', event.slot === undefined ? '' : ` · slot ${event.slot}`,
          withName ? '' : ` · token ${event.fencingToken}`)));
}
