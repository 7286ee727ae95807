// The page: its address, its parts, and when they are drawn.

import { h, render } from './dom.mjs';
import { onSignIn, session } from './api.mjs';
import { changed, name, nameProblem, onChange, plain } from './format.mjs';
import * as activity from './activity.mjs';
import * as charts from './charts.mjs';
import * as fleet from './fleet.mjs';
import * as lock from './lock.mjs';
import * as locks from './locks.mjs';
import * as signIn from './sign-in.mjs';
import * as table from './table.mjs';

const TICK = 500;
const TYPING = 300;
const LOCK = '#/locks/';

let route = { lock: null, prefix: '' };
let typing;

function readRoute() {
  const hash = location.hash;
  if (!hash.startsWith(LOCK) || hash.length === LOCK.length) {
    return { lock: null, prefix: new URLSearchParams(hash.split('?')[1] ?? '').get('prefix') ?? '' };
  }
  const given = hash.slice(LOCK.length);
  try {
    const lock = decodeURIComponent(given);
    return { lock, invalid: nameProblem(lock), prefix: route.prefix };
  } catch {
    return { lock: given, invalid: 'It has an invalid percent-encoding.', prefix: route.prefix };
  }
}

const listLink = prefix => (prefix ? `#/?prefix=${encodeURIComponent(prefix)}` : '#/');

function go() {
  // A prefix that was being typed must not replace the address that was opened meanwhile.
  clearTimeout(typing);
  const before = route;
  route = readRoute();
  if (route.lock !== null) {
    locks.stop();
    lock.start(route.lock, route.invalid);
  } else {
    lock.stop();
    if (before.lock !== null || before.prefix !== route.prefix || !started) locks.start(route.prefix);
  }
  started = true;
  if (before.lock !== route.lock) requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(route.lock === null ? 'locks-title' : 'lock-title')?.focus()));
  changed();
}

let started = false;

function search(prefix, now) {
  clearTimeout(typing);
  typing = setTimeout(() => {
    history.replaceState(null, '', listLink(prefix));
    if (prefix !== route.prefix) {
      route.prefix = prefix;
      activity.clear();
      locks.start(prefix);
    }
  }, now ? 0 : TYPING);
}

function draw() {
  const environment = fleet.environment();
  const title = [route.lock, 'Quorumlock', environment].filter(Boolean).map(plain).join(' – ');
  if (document.title !== title) document.title = title;
  render(document.getElementById('environment-place'), environment && h('span', { class: 'badge', id: 'environment' }, name(environment)));
  render(document.getElementById('account-place'), signIn.account());
  render(document.getElementById('main'), session.needsKey ? signIn.form() : [
    fleet.view(),
    h('div', { key: 'columns', class: 'columns' },
      route.lock === null
        ? h('div', { key: 'left', class: 'left' }, table.panel(search))
        : h('div', { key: `lock ${route.lock}`, class: 'left' }, lock.panel(listLink(route.prefix))),
      h('div', { key: 'right', class: route.lock === null ? 'right' : 'right short' }, route.lock === null && activity.panel(locks.locks.unwatched), charts.panel())),
  ]);
}

onChange(draw);
locks.listen(activity.add);
onSignIn(() => {
  activity.clear();
  if (route.lock !== null) go();
});
addEventListener('hashchange', go);
addEventListener('keydown', event => {
  const field = document.getElementById('prefix');
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || !field || event.target.closest('input')) return;
  event.preventDefault();
  field.focus();
});
// Preact would keep the text for readers without JavaScript.
document.getElementById('main').replaceChildren();
fleet.start();
charts.start();
go();
setInterval(() => {
  if (route.lock === null) locks.tick();
  if (!document.hidden) changed();
}, TICK);
