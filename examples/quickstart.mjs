// From an API key to a confirmed token transfer, as plain HTTP calls. Needs a running service: `npm start`.
// Every call is printed as it is sent and answered, so that reading the output teaches the interface.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const chain = 'base-sepolia';
const token = `${chain}:usdxm`;
const pollMs = 500;
const waitMaxMs = 60_000;
const dim = (text) => (process.stdout.isTTY ? `\u001b[2m${text}\u001b[0m` : text);
const bold = (text) => (process.stdout.isTTY ? `\u001b[1m${text}\u001b[0m` : text);

const dataDir = readDataDir();
const dev = readDevFile();
const run = Date.now().toString(36);
let step = 0;

function readDataDir() {
  try {
    return parseArgs({ options: { data: { type: 'string' } } }).values.data ?? fileURLToPath(new URL('../var', import.meta.url));
  } catch (error) {
    return fail(`${error.message.replace(/\.$/, '')}. Usage: npm run quickstart -- [--data <folder of npm start>]`);
  }
}

function readDevFile() {
  const path = join(dataDir, 'dev.json');
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return fail(`${path} is not there: start the service with \`npm start\` in another terminal, then run this again.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    return fail(`${path} is damaged: start the service again with \`npm start\`, which writes it anew.`);
  }
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

function title(text) {
  step += 1;
  console.log(`\n${bold(`${step}. ${text}`)}`);
}

async function call(method, path, body, { quiet = false, idempotencyKey } = {}) {
  const headers = {
    'X-API-KEY': dev.serverKey,
    'Content-Type': 'application/json',
    ...(idempotencyKey ? { 'x-idempotency-key': idempotencyKey } : {}),
  };
  const response = await fetch(`${dev.baseUrl}${path}`, { method, headers, body: body && JSON.stringify(body) }).catch(() =>
    fail(`${dev.baseUrl} does not answer: is \`npm start\` still running?`),
  );
  const answer = await response
    .json()
    .catch(() => fail(`${dev.baseUrl} answers ${response.status} without JSON: is it Purser that runs there?`));
  if (!quiet) {
    console.log(`${method} ${path}`);
    if (body) console.log(dim(`body    ${JSON.stringify(body)}`));
    console.log(`answer  ${response.status} ${dim(shorten(answer))}`);
  }
  if (!response.ok) fail(`The call was refused: ${JSON.stringify(answer)}`);
  return answer;
}

function shorten(value) {
  const text = JSON.stringify(
    value,
    (_key, inner) => (typeof inner === 'string' && inner.length > 100 ? `${inner.slice(0, 60)}… (${inner.length} characters)` : inner),
    2,
  );
  return text.replaceAll('\n', '\n        ');
}

async function waitForEnd(path) {
  const start = Date.now();
  for (;;) {
    const transaction = await call('GET', path, undefined, { quiet: true });
    if (transaction.status === 'success' || transaction.status === 'failed') {
      console.log(
        `GET ${path}\nanswer  200 ${dim(shorten({ id: transaction.id, status: transaction.status, onChain: { txId: transaction.onChain.txId }, fees: transaction.fees, completedAt: transaction.completedAt }))}`,
      );
      if (transaction.status === 'failed') fail(`The transfer failed: ${transaction.error.message}`);
      return transaction;
    }
    if (Date.now() - start > waitMaxMs)
      fail(`The transfer is still "${transaction.status}" after ${waitMaxMs / 1000} s. Is the worker running?`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

async function chainCall(method, params) {
  const response = await fetch(dev.chains[chain].rpcUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()).result;
}

console.log(`The API is at ${dev.baseUrl}. Every call carries your key in the header X-API-KEY.`);

title('Create a wallet for Alice. Your API key is its admin signer; nothing is deployed yet.');
const createBody = (name) => ({
  chainType: 'evm',
  type: 'smart',
  owner: `userId:${name}-${run}`,
  config: { adminSigner: { type: 'api-key' } },
});
const alice = await call('POST', '/2025-06-09/wallets', createBody('alice'));

title('Create one for Bob. Asking again for the same owner gives the same wallet.');
const bob = await call('POST', '/2025-06-09/wallets', createBody('bob'));
await call('POST', '/2025-06-09/wallets', createBody('bob'), { quiet: true });

title('Give Alice 100 of the test stablecoin (only outside production).');
await call('POST', `/v1-alpha2/wallets/${alice.address}/balances`, { amount: 100, token: 'usdxm', chain });

title('Send 12.5 to Bob. Alice holds no gas: the service pays.');
const aliceLocator = `userId:alice-${run}:evm`;
const transfer = await call(
  'POST',
  `/2025-06-09/wallets/${aliceLocator}/tokens/${token}/transfers`,
  { recipient: bob.address, amount: '12.5' },
  { idempotencyKey: `quickstart-${run}` },
);

title('Wait until it is confirmed.');
const done = await waitForEnd(`/2025-06-09/wallets/${aliceLocator}/transactions/${transfer.id}`);

title('Read both balances.');
await call('GET', `/2025-06-09/wallets/${alice.address}/balances?tokens=usdxm&chains=${chain}`);
await call('GET', `/2025-06-09/wallets/userId:bob-${run}:evm/balances?tokens=usdxm&chains=${chain}`);

title('Look at the same transaction on the chain itself.');
const receipt = await chainCall('eth_getTransactionReceipt', [done.onChain.txId]);
console.log(
  `eth_getTransactionReceipt ${done.onChain.txId}\nanswer  ${dim(shorten({ status: receipt.status, blockNumber: Number(receipt.blockNumber), gasUsed: Number(receipt.gasUsed), logs: receipt.logs.length }))}`,
);

console.log(`\nDone. The whole interface is described at ${new URL('/docs', dev.baseUrl).href}.`);
