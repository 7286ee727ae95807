// Small charts of at most the last 15 minutes, from samples of /q/metrics of the replica that answers.

import { h } from './dom.mjs';
import { explain, onSignIn, session, text } from './api.mjs';
import { changed, milliseconds, significant, time } from './format.mjs';

const PERIOD = 5_000;
const SPAN = 15 * 60_000;
const MOST = SPAN / PERIOD;
/** The axis of time is as short as the samples allow, and rarely changes. */
const AXES = [{ span: 60_000, label: '1 min ago' }, { span: 5 * 60_000, label: '5 min ago' }, { span: SPAN, label: '15 min ago' }];
const REPLICAS = 16;
const GRANTS = new Set(['acquired', 'replayed']);
const LINE = /^(quorumlock_acquires_total|quorumlock_acquire_seconds_(?:sum|count|bucket)|quorumlock_wait_seconds_(?:sum|count)|process_start_time_seconds)(?:\{([^}]*)\})? (\S+)$/;

const charts = { points: [], problem: null, hover: null };
/** The latest sample of each replica, by its start time: behind a load balancer the answers alternate. */
const latest = new Map();
let timer;

export function start() {
  onSignIn(() => {
    Object.assign(charts, { points: [], problem: null, hover: null });
    latest.clear();
    sample();
  });
  sample();
}

async function sample() {
  clearTimeout(timer);
  let wait = PERIOD;
  const { key } = session;
  try {
    record(parse(await text('/q/metrics', AbortSignal.timeout(10_000))));
    charts.problem = null;
  } catch (problem) {
    // Another reader signed in, for whom another sample has begun.
    if (key !== session.key) return;
    charts.problem = problem.status === undefined ? { status: 0 } : problem;
    wait = charts.problem.status === 0 || problem.passes ? Math.max(PERIOD, problem.retryAfterMs || 0) : 0;
  }
  changed();
  if (wait) timer = setTimeout(sample, wait);
}

function parse(metrics) {
  // The clock of the browser may jump.
  const sums = { at: performance.now(), start: 0, grants: 0, refusals: 0, rounds: 0, waitSum: 0, waitCount: 0, sum: 0, buckets: new Map() };
  for (const line of metrics.split('\n')) {
    const match = LINE.exec(line);
    if (!match) continue;
    const [, metric, labels = '', text] = match;
    const value = Number(text);
    const outcome = /outcome="([^"]*)"/.exec(labels)?.[1];
    if (metric === 'process_start_time_seconds') sums.start = value;
    else if (metric === 'quorumlock_wait_seconds_sum') sums.waitSum += value;
    else if (metric === 'quorumlock_wait_seconds_count') sums.waitCount += value;
    else if (metric === 'quorumlock_acquire_seconds_sum') sums.sum += value;
    else if (metric === 'quorumlock_acquires_total') sums[GRANTS.has(outcome) ? 'grants' : 'refusals'] += value;
    else if (metric === 'quorumlock_acquire_seconds_count') sums.rounds += value;
    else if (metric === 'quorumlock_acquire_seconds_bucket') {
      const edge = /le="([^"]*)"/.exec(labels)?.[1];
      const upper = edge === '+Inf' ? Infinity : Number(edge);
      sums.buckets.set(upper, (sums.buckets.get(upper) ?? 0) + value);
    }
  }
  return sums;
}

function record(now) {
  const before = latest.get(now.start);
  latest.delete(now.start);
  latest.set(now.start, now);
  if (latest.size > REPLICAS) latest.delete(latest.keys().next().value);
  if (!before || now.grants < before.grants) return;
  const seconds = (now.at - before.at) / 1000;
  const grants = now.grants - before.grants;
  const refusals = now.refusals - before.refusals;
  const count = now.rounds - before.rounds;
  const waits = now.waitCount - before.waitCount;
  charts.points.push({
    from: before.at,
    at: now.at,
    grants: grants / seconds,
    refusals: refusals / seconds,
    wait: waits > 0 ? (now.waitSum - before.waitSum) / waits * 1000 : null,
    latency: count > 0 ? (now.sum - before.sum) / count * 1000 : null,
    slowest: count > 0 ? quantile(now, before, 0.99 * count) : null,
  });
  while (charts.points.length > MOST || charts.points[0]?.at < now.at - SPAN) charts.points.shift();
}

function quantile(now, before, rank) {
  let lower = 0;
  let counted = 0;
  for (const upper of [...now.buckets.keys()].sort((a, b) => a - b)) {
    const total = now.buckets.get(upper) - (before.buckets.get(upper) ?? 0);
    if (total >= rank) return (upper === Infinity ? lower : lower + (upper - lower) * (rank - counted) / Math.max(1e-9, total - counted)) * 1000;
    [lower, counted] = [upper === Infinity ? lower : upper, total];
  }
  return lower * 1000;
}

const rate = value => `${significant(value)}/s`;
const SERIES = [
  { key: 'grants', label: 'Grants', format: rate },
  { key: 'refusals', label: 'Refusals', format: rate },
  { key: 'wait', label: 'Mean wait', format: milliseconds },
  { key: 'latency', label: 'Latency', format: milliseconds, more: ['slowest', '99 %'] },
];

export function panel() {
  return h('section', { key: 'charts', class: 'panel charts', id: 'charts', 'aria-labelledby': 'charts-title' },
    h('div', { class: 'heading' }, h('h2', { id: 'charts-title' }, 'This replica'),
      h('span', { class: 'muted count' }, charts.points.length ? `watched since ${time(dateOf(charts.points[0].from))}` : '')),
    charts.problem && h('p', { key: 'problem', class: 'message warn' }, charts.problem.status === 403 ? 'The key may not read metrics.' : explain(charts.problem)),
    charts.points.some(point => point.grants > 0 || point.refusals > 0) ? h('div', { key: 'grid', class: 'grid' }, SERIES.map(chart))
      : !charts.problem && h('p', { key: 'idle', class: 'muted' }, charts.points.length ? 'No lock was requested at this replica since then.' : 'Reading the metrics…'));
}

const WIDTH = 300;
const HEIGHT = 64;

const dateOf = at => new Date(Date.now() - performance.now() + at);

/** Returns the next larger number of 1, 2, 5, 10, 20, 50, …, so that the axis rarely changes. */
function upTo(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return power * ([1, 2, 5].find(digit => digit * power >= value) ?? 10);
}

function chart(series) {
  const { points } = charts;
  const end = points.at(-1)?.at ?? 0;
  const axis = AXES.find(({ span }) => end - (points[0]?.from ?? end) <= span) ?? AXES.at(-1);
  const most = upTo(Math.max(...points.map(point => Math.max(point[series.key] ?? 0, series.more ? point[series.more[0]] ?? 0 : 0))));
  const x = point => WIDTH - (end - point.at) / axis.span * WIDTH;
  const y = value => HEIGHT - 1 - value / most * (HEIGHT - 2);
  const marked = charts.hover === null ? points.at(-1) : points[Math.min(charts.hover, points.length - 1)];
  const text = !marked ? 'no data yet' : marked[series.key] === null ? 'none' : series.format(marked[series.key]);
  const extra = marked && series.more && marked[series.more[0]] !== null ? ` · ${series.more[1]} ${series.format(marked[series.more[0]])}` : '';
  return h('figure', { key: series.key, class: 'chart', tabindex: '0', role: 'group', 'aria-label': `${series.label}: ${text}${extra}`,
    onpointermove: event => hover(event, x), onpointerleave: () => select(null), onblur: () => select(null), onkeydown: move },
    h('figcaption', null, h('span', { class: 'label' }, series.label), h('span', { class: 'value' }, text, h('span', { class: 'muted' }, extra)),
      h('span', { class: 'muted at' }, charts.hover !== null && marked ? time(dateOf(marked.at)) : '')),
    h('span', { class: 'most', 'aria-hidden': 'true' }, series.format(most)),
    h('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      h('path', { key: 'base', class: 'base', d: `M0 ${HEIGHT - 1}H${WIDTH}M0 1H${WIDTH}` }),
      series.more && h('path', { key: 'second', class: 'line second', d: lineOf(points, series.more[0], x, y) }),
      h('path', { key: 'area', class: 'area', d: areaOf(points, series.key, x, y) }),
      h('path', { key: 'line', class: 'line', d: lineOf(points, series.key, x, y) }),
      charts.hover !== null && marked && h('path', { key: 'cursor', class: 'cursor', d: `M${x(marked).toFixed(1)} 0V${HEIGHT}` })),
    h('div', { class: 'axis', 'aria-hidden': 'true' }, h('span', null, axis.label), h('span', null, 'now')));
}

function runs(points, key) {
  const found = [];
  let run = null;
  for (const point of points) {
    if (point[key] === null) run = null;
    else if (run) run.push(point);
    else found.push(run = [point]);
  }
  return found;
}

function lineOf(points, key, x, y) {
  return runs(points, key).map(run => `M${run.map(point => `${x(point).toFixed(1)} ${y(point[key]).toFixed(1)}`).join('L')}`).join('') || 'M0 0';
}

function areaOf(points, key, x, y) {
  return runs(points, key).map(run => `M${x(run[0]).toFixed(1)} ${HEIGHT}L${run.map(point => `${x(point).toFixed(1)} ${y(point[key]).toFixed(1)}`).join('L')}L${x(run.at(-1)).toFixed(1)} ${HEIGHT}Z`).join('') || 'M0 0';
}

function hover(event, x) {
  const box = event.currentTarget.querySelector('svg').getBoundingClientRect();
  const at = (event.clientX - box.left) / box.width * WIDTH;
  let nearest = null;
  charts.points.forEach((point, index) => {
    if (nearest === null || Math.abs(x(point) - at) < Math.abs(x(charts.points[nearest]) - at)) nearest = index;
  });
  select(nearest);
}

function move(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step || !charts.points.length) return;
  event.preventDefault();
  const last = charts.points.length - 1;
  select(Math.max(0, Math.min(last, (charts.hover ?? last) + step)));
}

function select(index) {
  if (charts.hover === index) return;
  charts.hover = index;
  changed();
}
