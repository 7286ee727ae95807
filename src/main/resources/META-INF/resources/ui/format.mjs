// Numbers and times in the reader's locale, and names that other people chose as safe text.

import { h } from './dom.mjs';

const LOCALE = navigator.languages;
const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const one = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1, minimumFractionDigits: 1 });
const short = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 3 });
const clock = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const full = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' });
const units = new Map();

export const number = value => whole.format(value);
export const significant = value => short.format(value);
export const time = date => clock.format(date);
export const dateTime = date => full.format(date);

function unit(format, name, value) {
  const key = name + (format === one ? '1' : '');
  if (!units.has(key)) {
    units.set(key, new Intl.NumberFormat(LOCALE, {
      style: 'unit', unit: name, unitDisplay: 'narrow', ...(format === one ? { maximumFractionDigits: 1, minimumFractionDigits: 1 }
        : format === short ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 }),
    }));
  }
  return units.get(key).format(value);
}

/** Returns a remaining time: 1m 5s, 12s, 3.4s. */
export function duration(millis) {
  const seconds = Math.max(0, millis) / 1000;
  if (seconds < 10) return unit(one, 'second', seconds);
  if (seconds < 60) return unit(whole, 'second', seconds);
  if (seconds < 3600) return `${unit(whole, 'minute', Math.floor(seconds / 60))} ${unit(whole, 'second', Math.floor(seconds % 60))}`;
  return `${unit(whole, 'hour', Math.floor(seconds / 3600))} ${unit(whole, 'minute', Math.floor(seconds / 60) % 60)}`;
}

/** Returns the TTL of a lease that was not extended: its remaining time and its age. Of others, the remaining time. */
export function ttl(state) {
  const age = state.extensions === 0 && !state.kept ? Date.now() - Date.parse(state.heldSince) : 0;
  return Math.max(1, state.remainingMs + (age > 0 ? age : 0));
}

export function milliseconds(value) {
  return value < 1000 ? `${short.format(value)} ms` : `${short.format(value / 1000)} s`;
}

export function plural(count, singular, several) {
  return `${number(count)} ${count === 1 ? singular : several}`;
}

// Control characters, line separators, invisible and bidirectional format characters, tags, and unpaired surrogates.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u00A0\u034F\u115F\u1160\u17B4\u17B5\u2000-\u200A\u202F\u205F\u3000\u3164\uFFA0]/gu;
const JOINED = /\p{Extended_Pictographic}[\p{Emoji_Modifier}\uFE0F]*$/u;

function isJoiner(text, index) {
  return text[index] === '\u200D' && JOINED.test(text.slice(Math.max(0, index - 8), index));
}

function escape(character) {
  return `\u27E8U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}\u27E9`;
}

/** Returns text in which characters that cannot be seen or that reorder others are replaced, for attributes. */
export function plain(text) {
  return String(text).replace(HIDDEN, (character, index) => isJoiner(text, index) ? character : escape(character));
}

/** Returns the same as an element that does not affect the direction of its surroundings. */
export function name(text, properties) {
  const given = String(text);
  const parts = [];
  let from = 0;
  for (const match of given.matchAll(HIDDEN)) {
    if (isJoiner(given, match.index)) continue;
    parts.push(given.slice(from, match.index), h('span', { class: 'escape', dir: 'ltr' }, escape(match[0])));
    from = match.index + match[0].length;
  }
  parts.push(given.slice(from));
  return h('bdi', { dir: 'auto', ...properties }, parts.filter(part => part !== ''));
}

/** Returns why the service has no lock of this name, or null. */
export function nameProblem(lock) {
  const segments = lock.split('/');
  if (segments.includes('')) return 'It has an empty segment: it begins or ends with “/” or contains “//”.';
  const dots = segments.find(segment => segment === '.' || segment === '..');
  return dots ? `It has the segment “${dots}”.` : null;
}

const encoded = lock => lock.split('/').map(encodeURIComponent).join('/');

/** Returns the path of a lock after /locks/, with each segment encoded. Throws if it would be the path of something else. */
export function lockPath(lock) {
  if (nameProblem(lock)) throw new RangeError(`not a name of a lock: ${plain(lock)}`);
  return encoded(lock);
}

export const lockLink = lock => `#/locks/${encoded(lock)}`;

let announced = false;
let callback = () => {};

/** Sets the function that draws the page. */
export function onChange(draw) {
  callback = draw;
}

/** Draws the page in the next frame, at most once. */
export function changed() {
  if (announced) return;
  announced = true;
  requestAnimationFrame(() => {
    announced = false;
    callback();
  });
}
