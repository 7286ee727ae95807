// Preact, with references that are told once.

import { h as element, render as update } from './preact.mjs';

const known = new WeakSet();

/** Returns an element for render(). A property ref is a function that is called with the new element, once. */
export function h(tag, properties, ...children) {
  const ref = properties?.ref;
  return element(tag, ref ? { ...properties, ref: node => tellOnce(ref, node) } : properties, ...children);
}

function tellOnce(ref, node) {
  if (node && !known.has(node)) {
    known.add(node);
    ref(node);
  }
}

/** Makes the children of an element equal to these. */
export function render(parent, ...children) {
  update(children, parent);
}
