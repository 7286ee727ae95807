// A small renderer: builds a tree of plain objects and changes the document where it differs.
// Text is only ever set as text, never parsed as HTML.

const SVG = 'http://www.w3.org/2000/svg';
const PROPERTIES = new Set(['value', 'checked', 'disabled', 'readOnly']);
const state = new WeakMap();

/** Returns an element for render(). Properties: attributes, onclick…, key, ref, style (an object). */
export function h(tag, properties, ...children) {
  return { tag, properties: properties ?? {}, key: properties?.key, children: flat(children, []) };
}

/** Makes the children of an element equal to these. */
export function render(parent, ...children) {
  reconcile(parent, flat(children, []), false);
}

function flat(children, into) {
  for (const child of children) {
    if (Array.isArray(child)) flat(child, into);
    else if (child !== null && child !== undefined && typeof child !== 'boolean') into.push(child);
  }
  return into;
}

function reconcile(parent, wanted, svg) {
  const keys = new Set();
  for (const child of wanted) if (child.key !== undefined) keys.add(child.key);
  const keyed = new Map();
  for (let node = parent.firstChild; node; ) {
    const after = node.nextSibling;
    const key = state.get(node)?.key;
    if (key !== undefined) {
      if (keys.has(key)) keyed.set(key, node);
      else node.remove();
    }
    node = after;
  }
  let place = parent.firstChild;
  for (const child of wanted) {
    let node = child.key === undefined ? place : keyed.get(child.key);
    if (!node || !fits(node, child)) node = create(child, svg);
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
    update(node, child, svg);
  }
  while (place) {
    const after = place.nextSibling;
    place.remove();
    place = after;
  }
}

function fits(node, child) {
  if (typeof child !== 'object') return node.nodeType === Node.TEXT_NODE;
  const known = state.get(node);
  return known !== undefined && known.tag === child.tag && known.key === child.key;
}

function create(child, svg) {
  if (typeof child !== 'object') return document.createTextNode(String(child));
  const node = svg || child.tag === 'svg'
    ? document.createElementNS(SVG, child.tag)
    : document.createElement(child.tag);
  state.set(node, { tag: child.tag, key: child.key, properties: {} });
  return node;
}

function update(node, child, svg) {
  if (typeof child !== 'object') {
    if (node.data !== String(child)) node.data = String(child);
    return;
  }
  const known = state.get(node);
  const before = known.properties;
  const first = !known.seen;
  known.seen = true;
  known.properties = child.properties;
  reconcile(node, child.children, svg || child.tag === 'svg');
  for (const name in before) if (!(name in child.properties)) set(node, name, null, before[name]);
  for (const name in child.properties) set(node, name, child.properties[name], before[name]);
  if (first && child.properties.ref) child.properties.ref(node);
}

function set(node, name, value, before) {
  if (name === 'key' || name === 'ref') return;
  if (name === 'style') {
    for (const key in value) if (!before || before[key] !== value[key]) node.style[key] = value[key];
  } else if (name.startsWith('on')) {
    if (value !== before) node[name] = value;
  } else if (PROPERTIES.has(name)) {
    if (node[name] !== value) node[name] = value ?? '';
  } else if (value !== before) {
    if (value === null || value === undefined || value === false) node.removeAttribute(name);
    else node.setAttribute(name, value === true ? '' : value);
  }
}
