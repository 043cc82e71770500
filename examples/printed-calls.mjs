// What the programs of this folder share: the running service of `npm start`, and calls that are
// printed as they are sent and answered, so that reading the output teaches the interface.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const pollMs = 500;
const textShownMax = 100;
/** For what the eye may skip. */
export const dim = (text) => (process.stdout.isTTY ? `\u001b[2m${text}\u001b[0m` : text);
const bold = (text) => (process.stdout.isTTY ? `\u001b[1m${text}\u001b[0m` : text);

/** Says why it cannot go on, and ends the program. */
export function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** The addresses and keys that `npm start` wrote, and whether `flags` were given. */
export function readDevelopment(command, flags = [], texts = []) {
  const { dataDir, given } = readArguments(command, flags, texts);
  const path = join(dataDir, 'dev.json');
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return fail(
      `${path} is not there: start the service with \`npm start\` in another terminal, then run this again. If it has another data folder, name that with -- --data.`,
    );
  }
  try {
    return { ...JSON.parse(text), dataDir, given };
  } catch {
    return fail(
      `${path} is damaged: start the service again with \`npm start\`, which writes it anew.`,
    );
  }
}

/** Where `purser` looks too. */
const defaultDataDir = () =>
  process.env.PURSER_DATA_DIR || fileURLToPath(new URL('../var', import.meta.url));

function readArguments(command, flags, texts) {
  try {
    const typed = (names, type) => Object.fromEntries(names.map((name) => [name, { type }]));
    const options = {
      data: { type: 'string' },
      ...typed(flags, 'boolean'),
      ...typed(texts, 'string'),
    };
    const { data, ...given } = parseArgs({ options }).values;
    return { dataDir: data ?? defaultDataDir(), given };
  } catch (error) {
    return fail(
      `${error.message.replace(/\.$/, '')}. Usage: npm run ${command} -- [--data <folder of npm start>]${flags.map((flag) => ` [--${flag}]`).join('')}${texts.map((text) => ` [--${text} <name>]`).join('')}`,
    );
  }
}

/** A JSON value as it is printed: long texts are cut. */
export function shorten(value) {
  const text = JSON.stringify(
    value,
    (_key, inner) =>
      typeof inner === 'string' && inner.length > textShownMax
        ? `${inner.slice(0, 60)}… (${inner.length} characters)`
        : inner,
    2,
  );
  return dim(text.replaceAll('\n', '\n        '));
}

let step = 0;

/** The next step, as a sentence. */
export function title(text) {
  step += 1;
  console.log(`\n${bold(`${step}. ${text}`)}`);
}

/** Calls of one base address with the same headers. */
export function createCaller(baseUrl, headers) {
  return async function call(method, path, body, { quiet = false, idempotencyKey, expect } = {}) {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...headers,
        ...(idempotencyKey ? { 'x-idempotency-key': idempotencyKey } : {}),
      },
      body: body && JSON.stringify(body),
    }).catch(() => fail(`${baseUrl} does not answer: is \`npm start\` still running?`));
    const answer =
      response.status === 204 || response.headers.get('content-length') === '0'
        ? undefined
        : await readJson(response, baseUrl);
    if (!quiet) print(method, path, { body, status: response.status, answer });
    if (!response.ok && response.status !== expect)
      fail(`The call was refused: ${JSON.stringify(answer)}`);
    return answer;
  };
}

async function readJson(response, baseUrl) {
  return response
    .json()
    .catch(() =>
      fail(`${baseUrl} answers ${response.status} without JSON: is it Purser that runs there?`),
    );
}

/** One exchange, as the reader sees it. */
export function print(method, path, { body, status, answer }) {
  console.log(`${method} ${path}`);
  if (body) console.log(dim(`body    ${JSON.stringify(body)}`));
  console.log(`answer  ${status} ${answer === undefined ? '' : shorten(answer)}`);
}

/**
 * Reads again and again until `isDone`, telling of each change of `stateOf`.
 * @returns the last answer
 */
export async function waitUntil(call, path, { isDone, stateOf, waitMaxMs = 60_000 }) {
  let told;
  for (const endAt = Date.now() + waitMaxMs; ; ) {
    const answer = await call('GET', path, undefined, { quiet: true });
    const state = stateOf(answer);
    if (state !== told) console.log(`GET ${path}\nanswer  200 ${dim(state)}`);
    told = state;
    if (isDone(answer)) return answer;
    if (Date.now() > endAt)
      fail(`It is still "${state}" after ${waitMaxMs / 1000} s. Is the worker running?`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/**
 * Has the identity of a user checked; the sandbox company passes everybody whose name does not say
 * otherwise.
 */
export async function verifyUser(call, userLocator, { firstName, lastName, type }) {
  const path = `/2025-06-09/users/${userLocator}`;
  await call('PUT', path, {
    userDetails: { firstName, lastName, dateOfBirth: '1990-05-04', countryOfResidence: 'DE' },
  });
  await call('PUT', `${path}/legal-documents`, {
    type: 'svc-privacy-policy',
    acceptedAt: new Date().toISOString(),
  });
  await call('PUT', `${path}/identity-verification`);
  const statusOf = ({ eligibility }) => eligibility.find((entry) => entry.type === type).status;
  await waitUntil(call, `${path}/identity-verification`, {
    isDone: (answer) => ['verified', 'rejected'].includes(statusOf(answer)),
    stateOf: (answer) => `${type}: ${statusOf(answer)}`,
  });
}

/** What the ledger says of an order, one line for each posting. */
export async function printLedger(call, orderId) {
  const path = `/unstable/orders/${orderId}/ledger`;
  const { data } = await call('GET', path, undefined, { quiet: true });
  console.log(`GET ${path}\nanswer  200`);
  for (const { kind, phase, postings } of data) {
    console.log(dim(`        ${kind}${phase === 'post' ? '' : ` (${phase})`}`));
    for (const { account, amount, symbol } of postings)
      console.log(
        dim(
          `          ${account.replace(orderId, '…').padEnd(36)} ${amount.padStart(12)} ${symbol.toLowerCase()}`,
        ),
      );
  }
}
