// A button that copies text.

import { h } from './dom.mjs';

/** Returns a button that copies what the function returns. */
export const copyButton = (label, textOf) =>
  h('button', { type: 'button', class: 'copy', onclick: event => copy(event.currentTarget, label, textOf()) }, label);

async function copy(button, label, text) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    // Only pages from HTTPS or localhost may write to the clipboard.
    prompt(label, text);
  }
  setTimeout(() => { button.textContent = label; }, 2_000);
}
