// A list that contains only its visible rows.

import { changed } from './format.mjs';

const SPARE = 8;

/** The position of a scrolling element. */
export function viewport(rowHeight) {
  const view = { top: 0, height: 480, element: null };
  view.ref = element => {
    view.element = element;
    new ResizeObserver(() => {
      view.height = element.clientHeight;
      changed();
    }).observe(element);
  };
  view.onscroll = event => {
    view.top = event.currentTarget.scrollTop;
    changed();
  };
  /** Returns the range of visible rows and the space before and after them. */
  view.range = count => {
    const height = rowHeight();
    const most = Math.max(0, count * height - view.height);
    const first = Math.max(0, Math.floor(Math.min(view.top, most) / height) - SPARE);
    const last = Math.min(count, first + Math.ceil(view.height / height) + 2 * SPARE);
    return { first, last, before: first * height, after: (count - last) * height };
  };
  return view;
}

export const narrow = matchMedia('(max-width: 700px)');
narrow.addEventListener('change', changed);
