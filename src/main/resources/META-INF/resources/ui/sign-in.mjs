// Sign-in with an API key, and what the key may do.

import { h } from './dom.mjs';
import { session, signIn, signOut } from './api.mjs';
import { changed, name } from './format.mjs';

const KEY = /^[!-~]{32,128}$/;
const ID = /^[!-9;-~]*$/;
const RIGHTS = { read: 'see masters and one lock', list: 'list locks', events: 'watch events', force: 'break locks' };

let wrong = '';
let open = false;

function submit(event) {
  event.preventDefault();
  const [id, key] = [event.currentTarget.elements.id.value.trim(), event.currentTarget.elements.key.value.trim()];
  if (!KEY.test(key)) wrong = 'A key has 32 to 128 visible ASCII characters.';
  else if (!ID.test(id)) wrong = 'The id of a key has visible ASCII characters and no colon.';
  else {
    wrong = '';
    signIn(id, key);
  }
  changed();
}

/** The form, shown while the service asks for a key. */
export function form() {
  return h('section', { key: 'sign-in', class: 'panel sign-in', 'aria-labelledby': 'sign-in-title' },
    h('h2', { id: 'sign-in-title' }, 'Sign in'),
    h('p', { class: session.key ? 'message bad' : 'message', role: 'alert' }, session.reason),
    h('form', { onsubmit: submit, autocomplete: 'off' },
      h('label', { for: 'key-id' }, 'Id of the key (optional)'),
      h('input', { id: 'key-id', name: 'id', autocomplete: 'off', spellcheck: false, autocapitalize: 'none' }),
      h('label', { for: 'key' }, 'API key'),
      h('input', { id: 'key', name: 'key', type: 'password', required: true, autocomplete: 'off', 'aria-describedby': 'key-help', ref: input => input.focus() }),
      wrong && h('p', { key: 'wrong', class: 'message bad', role: 'alert' }, wrong),
      h('p', { key: 'help', class: 'muted', id: 'key-help' }, 'The key stays in this browser tab and is deleted when the tab is closed. It needs the rights read, list and events, and force to break locks.'),
      h('button', { key: 'submit', type: 'submit', class: 'primary' }, 'Sign in')));
}

/** Who the reader is. */
export function account() {
  if (!session.key || session.needsKey) return null;
  return h('div', { key: 'account', class: 'account' },
    h('button', { type: 'button', id: 'account', 'aria-expanded': String(open), 'aria-controls': 'rights', onclick: () => { open = !open; changed(); } },
      'Key: ', session.id ? name(session.id) : 'id not known'),
    open && h('div', { key: 'rights', class: 'rights', id: 'rights' },
      h('p', null, session.id ? ['Signed in with the key ', name(session.id), '.'] : 'Signed in. Sign in with the id of the key to see it here.'),
      h('ul', null, Object.entries(RIGHTS).map(([verb, meaning]) => h('li', { key: verb }, `${meaning} (${verb}): `,
        h('strong', null, !session.rights.has(verb) ? 'not tried yet' : session.rights.get(verb) ? 'allowed' : 'refused')))),
      h('button', { type: 'button', onclick: () => { open = false; signOut(); } }, 'Sign out')));
}
