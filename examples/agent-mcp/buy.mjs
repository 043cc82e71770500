// An agent with ten dollars a day buys a T-shirt in a test shop, through the tools of `purser mcp`
// and the official MCP client. The agent is a script here, where you would have a model: what it
// calls and what it is told is printed. Ann, whose agent it is, approves on the page behind the
// link that the agent hands her; no tool could. Needs a running service: `npm start`.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createCaller, dim, fail, readDevelopment, title } from '../printed-calls.mjs';

const turnsMax = 60;
const program = fileURLToPath(new URL('../../bin/purser.mjs', import.meta.url));

const dev = readDevelopment('demo:mcp');
const shop = dev.shops?.find(({ name }) => name === 'plain');
if (!shop)
  fail(
    'The test shops are not there: start the service with `npm start`, and without --no-runner.',
  );
const ann = `ann-${Date.now().toString(36)}`;

title('Ann’s app knows where she lives. Her agent will not.');
const jwt = execFileSync(
  process.execPath,
  [program, '--data', dev.dataDir, 'token', '--user', ann],
  { encoding: 'utf8' },
).trim();
const app = createCaller(dev.baseUrl, {
  'X-API-KEY': dev.clientKey,
  Authorization: `Bearer ${jwt}`,
});
await app('POST', '/unstable/agent-checkouts/buyer-profiles', {
  label: 'Home',
  name: { first: 'Ann', last: 'Miller' },
  contact: { email: 'ann@example.com', phone: '+14155550123' },
  shipping: {
    addressLines: ['12 Main Street'],
    locality: 'San Francisco',
    administrativeAreaCode: 'US-CA',
    postalCode: '94105',
    countryCode: 'US',
  },
});

title('The agent gets its tools. Ann allows it ten dollars a day.');
const client = new Client({ name: 'shopping-agent', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [program, '--data', dev.dataDir, 'mcp', '--user', ann],
    env: { PATH: process.env.PATH ?? '', PURSER_CHECKOUT_DAILY_MAX: '10.00 USD' },
    stderr: 'inherit',
  }),
);
const { tools } = await client.listTools();
console.log(dim(`   ${tools.map(({ name }) => name).join(', ')}`));

title('It buys a T-shirt for at most ten dollars, with everything.');
const { profiles } = await use('list_buyer_profiles');
const wish = {
  url: new URL('/products/misprint-tee', shop.url).href,
  maxCost: { amount: '10.00', currency: 'USD' },
  buyerProfileId: profiles[0].id,
};
const { id: checkoutId } = await use('create_checkout', wish);
const done = await follow(checkoutId);
if (done.status !== 'succeeded')
  fail(`Nothing was bought: ${done.fromShop.failure ?? done.status}`);
console.log(`\nBought for ${done.receipt.total.amount} ${done.receipt.total.currency}.`);

title('Asked again, it finds the same purchase; a second shirt is above its day.');
await use('create_checkout', wish);
await use('create_checkout', { ...wish, attempt: 2 });

await client.close();
console.log('\nDone. What agents can and cannot do: docs/guides/mcp.md.');

/**
 * What the agent does until the end: it chooses what may be chosen, and hands the link on for
 * everything else.
 */
async function follow(id) {
  const handedOn = new Set();
  for (let turn = 0; turn < turnsMax; turn += 1) {
    const now = await use('get_checkout', { checkoutId: id, waitSeconds: 10 });
    const { pending, status } = now;
    if (!pending && status !== 'queued' && status !== 'running') return now;
    if (pending?.answeredBy === 'agent') {
      const { options } = now.fromShop;
      const { choice } = options.find((option) => option.title === 'M') ?? options[0];
      await use('answer_choice', { checkoutId: id, actionId: pending.actionId, choice });
    } else if (pending && !handedOn.has(pending.actionId)) {
      handedOn.add(pending.actionId);
      await approve(pending.link);
    }
  }
  return fail(`The checkout has not ended. Is the runner running? See ${dev.dataDir}/runner.log.`);
}

/** A call of the agent, as it is sent and answered. */
async function use(name, args = {}) {
  console.log(`\nagent   ${name} ${JSON.stringify(args)}`);
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  console.log(`${isError ? 'refused' : 'told   '} ${content[0].text}`);
  return structuredContent;
}

/**
 * Ann opens the link in her browser, reads what is asked and says yes. Of the agent's she needs
 * nothing.
 */
async function approve(link) {
  const page = await (await fetch(link)).text();
  const [, asked] = /<pre>([\s\S]*?)<\/pre>/.exec(page) ?? [];
  const [, actionId] = /name="actionId" value="([^"]+)"/.exec(page) ?? [];
  console.log(
    `\nAnn     opens ${link}\n${dim(`        ${(asked ?? '').replaceAll('\n', '\n        ')}`)}`,
  );
  const answer = await fetch(link, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ actionId, 'values.approved': 'true' }),
  });
  console.log(answer.status === 303 ? 'Ann     approves' : `Ann     is refused (${answer.status})`);
}
