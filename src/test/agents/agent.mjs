// Takes, extends and releases locks with a JavaScript SDK of MCP: "sdk", or its successor "client". Each call goes to the next
// replica. Then takes turns with other agents to append to a file.
import assert from 'node:assert';
import { appendFileSync } from 'node:fs';

const [sdk, key, lock, file, ...urls] = process.argv.slice(2);
const [of, transport] =
  sdk === 'sdk'
    ? ['@modelcontextprotocol/sdk/client/index.js', '@modelcontextprotocol/sdk/client/streamableHttp.js']
    : ['@modelcontextprotocol/client', '@modelcontextprotocol/client'];
const { Client } = await import(of);
const { StreamableHTTPClientTransport } = await import(transport);

const requestInit = { headers: { Authorization: `Bearer ${key}` } };
const clients = [];
for (const url of urls) {
  const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  clients.push(client);
}

let calls = 0;
async function call(tool, args) {
  const client = clients[calls++ % clients.length];
  const { isError, structuredContent, content } = await client.callTool({ name: tool, arguments: args });
  return { failed: isError, fields: structuredContent, text: content[0].text };
}

const version = clients[0].getNegotiatedProtocolVersion?.() ?? sdk;
const { tools } = await clients[0].listTools();
const names = [lock, `${lock}/second`];
const lease = await call('acquire', { names, agent: 'JavaScript', note: 'a test' });
assert(!lease.failed, lease.text);
const held = await call('acquire', { names: [lock], agent: 'JavaScript', note: 'again' });
assert(held.failed && held.text.includes('is held by "JavaScript: a test"'), held.text);
const own = { names, token: lease.fields.token };
const extended = await call('extend', { ...own, ttlMinutes: 40 });
assert(extended.fields.remainingSeconds > 2_000, extended.text);
const seen = await call('check', { names: [lock], ownNames: names, ownToken: own.token });
assert(seen.fields.own.fencingToken >= lease.fields.fencingToken, seen.text);
const released = await call('release', own);
assert(!released.failed, released.text);
const lost = await call('extend', own);
assert(lost.failed && lost.text.includes('stop writing'), lost.text);
for (let left = 10; left > 0; ) {
  const both = ['agents/file', lock];
  const turn = await call('acquire', { names: both, agent: lock, note: 'append', waitSeconds: 5 });
  if (turn.failed) {
    assert(turn.fields.held, turn.text);
    continue;
  }
  appendFileSync(file, `begin ${lock}\n`);
  const { token } = turn.fields;
  const kept = await call('check', { names: both, ownNames: both, ownToken: token });
  assert(!kept.failed, kept.text);
  appendFileSync(file, `end ${lock}\n`);
  left--;
  const given = await call('release', { names: both, token });
  assert(!given.failed, given.text);
}
for (const client of clients) {
  await client.close();
}
console.log(version, ...tools.map((tool) => tool.name));
