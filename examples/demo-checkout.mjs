// An agent buys a T-shirt in a test shop for its user, as plain HTTP calls: what the shop needs to
// know is asked, and so is whether to buy. Needs a running service: `npm start`. Questions are put
// to you in a terminal, and answered by themselves elsewhere and with `--yes`.
import { execFileSync } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { createCaller, dim, fail, print, readDevelopment, title } from './printed-calls.mjs';

const path = '/unstable/agent-checkouts';
const pollMs = 300;
const waitMaxMs = 15 * 60_000;
const queuedMsMax = 60_000;
const ends = ['succeeded', 'failed', 'cancelled'];

const dev = readDevelopment('demo:checkout', ['yes']);
const shop = dev.shops?.find(({ name }) => name === 'plain');
if (!shop)
  fail(
    'The test shops are not there: start the service with `npm start`, and without --no-runner.',
  );
if (!(await fetch(new URL('/health', dev.baseUrl)).catch(() => undefined))?.ok)
  fail(
    `Nothing answers at ${dev.baseUrl}: start the service with \`npm start\` in another terminal, then run this again.`,
  );
const terminal =
  process.stdin.isTTY &&
  process.stdout.isTTY &&
  !dev.given.yes &&
  createInterface({ input: process.stdin, output: process.stdout });

console.log(`The API is at ${dev.baseUrl}, the shop “${shop.title}” at ${shop.url}.`);

title('Ann signs in. A client key and her JWT are what an agent that acts for her has.');
const user = `ann-${Date.now().toString(36)}`;
const jwt = issueToken(user);
const call = createCaller(dev.baseUrl, {
  'X-API-KEY': dev.clientKey,
  Authorization: `Bearer ${jwt}`,
});

title(
  'Where to deliver. Her profile has neither postal code nor e-mail address: the shop will want both.',
);
const profile = await call('POST', `${path}/buyer-profiles`, {
  label: 'Home',
  name: { first: 'Ann', last: 'Miller' },
  contact: { phone: '+14155550123' },
  shipping: {
    addressLines: ['12 Main Street'],
    locality: 'San Francisco',
    administrativeAreaCode: 'US-CA',
    countryCode: 'US',
  },
});

title('The purchase: what, in her words, and what it may cost with everything.');
const checkout = await call(
  'POST',
  path,
  {
    target: { kind: 'direct_url', url: shop.product, request: 'size M, blue' },
    constraints: { maxCost: { amount: '60.00', currency: 'USD' } },
    buyerProfileId: profile.id,
  },
  { idempotencyKey: `demo-${user}` },
);

title(
  'A browser goes shopping. What it does is told as it happens, and what it cannot know it asks.',
);
const done = await follow(checkout.id);
terminal?.close();

if (done.status !== 'succeeded')
  fail(`Nothing was bought: ${done.failure?.message ?? done.status}`);
title('It is bought, once. The receipt:');
print('GET', `${path}/${checkout.id}`, { status: 200, answer: done.receipt });

title('Each step is kept with a masked picture.');
const steps = await call('GET', `${path}/${checkout.id}/steps`, undefined, { quiet: true });
console.log(`GET ${path}/${checkout.id}/steps\nanswer  200`);
for (const { nr, step, url } of steps.data.filter((one) => !one.hasPicture))
  console.log(dim(`        ${String(nr).padStart(2)}  ${step.padEnd(12)} ${url ?? ''}`));
if (steps.replayUrl)
  console.log(`\nTo look at it again: ${new URL(steps.replayUrl, dev.baseUrl).href}`);

console.log('\nDone. Browsers, live pages and what a run may reach: docs/guides/runner.md.');

/** Tells what happens until the end, and answers what is asked. */
async function follow(id) {
  const told = { items: 0, embedUrl: undefined, isLate: false };
  const lateAt = Date.now() + queuedMsMax;
  for (const endAt = Date.now() + waitMaxMs; Date.now() < endAt; ) {
    const view = await call('GET', `${path}/${id}`, undefined, { quiet: true });
    for (const item of view.progressItems.slice(told.items)) tell(item);
    told.items = view.progressItems.length;
    if (view.browser?.embedUrl && !told.embedUrl) {
      told.embedUrl = new URL(view.browser.embedUrl, dev.baseUrl).href;
      console.log(`        Watch it: ${told.embedUrl}`);
    }
    if (view.status === 'queued' && Date.now() > lateAt && !told.isLate) {
      told.isLate = true;
      console.log(
        `        No browser has come for it yet. Why, is in ${dev.dataDir}/runner.log; it goes on as soon as one comes.`,
      );
    }
    if (ends.includes(view.status)) return view;
    if (view.pendingUserAction) await answer(id, view.pendingUserAction);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return fail(
    `It is not done after ${waitMaxMs / 60_000} minutes. Is the runner running? See ${dev.dataDir}/runner.log.`,
  );
}

function tell({ createdAt, title: what, message }) {
  const text = message === undefined || what === 'Waiting for you' ? what : `${what}: ${message}`;
  console.log(dim(`        ${new Date(createdAt).toLocaleTimeString('en-GB')}  ${text}`));
}

async function answer(id, action) {
  console.log(`\n${action.message}`);
  const { properties, anyOf } = action.responseSchema;
  // Of several ways to answer, the first one.
  const required = action.responseSchema.required ?? anyOf?.[0].required ?? [];
  const values = {};
  for (const [name, schema] of Object.entries(properties)) {
    if (anyOf && !required.includes(name)) continue;
    const value = await valueOf(name, schema);
    if (value === 'no') return decline(id, action);
    if (value !== undefined && (value !== '' || required.includes(name))) values[name] = value;
  }
  await call('POST', `${path}/${id}/actions/${action.id}`, { action: 'submit', values });
  console.log('');
}

async function decline(id, action) {
  await call('POST', `${path}/${id}/actions/${action.id}`, {
    action: 'decline',
    reason: 'Not today.',
  });
}

/**
 * What Ann would say; in a terminal you may say something else. `no` is only said where yes or no
 * is asked.
 */
async function valueOf(name, schema) {
  const ready = readyValue(name, schema);
  if (schema.const === true)
    return !terminal || /^(y|yes|)$/i.test(await ask(`${schema.title ?? name}? [Y/n] `))
      ? true
      : 'no';
  if (!terminal)
    return (
      ready ??
      fail(
        `The shop asks for “${schema.title ?? name}”, which this program has no answer to: run it in a terminal.`,
      )
    );
  const typed = await ask(`${schema.title ?? name}${ready === undefined ? '' : ` [${ready}]`}: `);
  return typed === '' ? (ready ?? '') : schema.type === 'integer' ? Number(typed) : typed;
}

const ask = async (question) => (await terminal.question(question)).trim();

function readyValue(name, schema) {
  const known = {
    fullName: 'Ann Miller',
    email: 'ann@example.com',
    phone: '+14155550123',
    addressLine1: '12 Main Street',
    addressLine2: '',
    city: 'San Francisco',
    state: 'US-CA',
    postalCode: '94105',
    countryCode: 'US',
  };
  return known[name] ?? schema.oneOf?.[0]?.const ?? schema.enum?.[0];
}

/** As the app that Ann uses would get one for her. */
function issueToken(name) {
  const words = ['token', '--user', name];
  console.log(`npx purser ${words.join(' ')}`);
  const program = fileURLToPath(new URL('../bin/purser.mjs', import.meta.url));
  try {
    const token = execFileSync(process.execPath, [program, '--data', dev.dataDir, ...words], {
      encoding: 'utf8',
    }).trim();
    console.log(dim(`        ${token.slice(0, 60)}… (${token.length} characters)`));
    return token;
  } catch (error) {
    return fail(`The command failed: ${error.stderr || error.message}`);
  }
}
