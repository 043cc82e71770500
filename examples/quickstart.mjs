// From an API key to a confirmed token transfer, as plain HTTP calls. Needs a running service:
// `npm start`. `--chain solana` or `--chain stellar`, `--chain aptos` or `--chain sui` does it
// there; `--type mpc` with wallets that are keys of the service.
import {
  createCaller,
  fail,
  readDevelopment,
  shorten,
  title,
  waitUntil,
} from './printed-calls.mjs';

const dev = readDevelopment('quickstart', [], ['chain', 'type']);
const { chain = 'base-sepolia' } = dev.given;
if (dev.given.chain && !dev.chains?.[chain])
  fail(
    `This instance has no chain "${chain}": it has ${Object.keys(dev.chains ?? {}).join(', ')}.`,
  );
const families = ['solana', 'stellar', 'aptos', 'sui'];
const chainType = families.includes(chain) ? chain : 'evm';
/**
 * What signs: your API key as the wallet's admin, or the wallet's own key in the service's custody.
 */
const types = chainType === 'aptos' || chainType === 'sui' ? ['mpc'] : ['smart', 'mpc'];
const { type: walletType = types[0] } = dev.given;
if (!types.includes(walletType))
  fail(`Wallets on ${chain} are of type ${types.join(' or ')}, not "${walletType}".`);
const token = `${chain}:usdxm`;
const call = createCaller(dev.baseUrl, { 'X-API-KEY': dev.serverKey });
const run = Date.now().toString(36);

async function chainCall(method, params) {
  const response = await fetch(dev.chains[chain].rpcUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()).result;
}

async function readReceipt(txId) {
  const method = 'eth_getTransactionReceipt';
  const { status, blockNumber, gasUsed, logs } = await chainCall(method, [txId]);
  return {
    method,
    seen: { status, blockNumber: Number(blockNumber), gasUsed: Number(gasUsed), logs: logs.length },
  };
}

async function readTransaction(txId) {
  const method = 'getTransaction';
  const { slot, meta } = await chainCall(method, [
    txId,
    { commitment: 'confirmed', maxSupportedTransactionVersion: 0 },
  ]);
  return {
    method,
    seen: { slot, err: meta.err, fee: meta.fee, computeUnits: meta.computeUnitsConsumed },
  };
}

console.log(`The API is at ${dev.baseUrl}. Every call carries your key in the header X-API-KEY.`);

async function readVersion(txId) {
  const response = await fetch(
    new URL(`v1/transactions/by_hash/${txId}`, `${dev.chains[chain].rpcUrl}/`),
  );
  const { version, success, gas_used: gasUsed, vm_status: vmStatus } = await response.json();
  return {
    method: 'GET transactions/by_hash',
    seen: { version: Number(version), success, gasUsed: Number(gasUsed), vmStatus },
  };
}

async function readLedger(hash) {
  const method = 'getTransaction';
  const { status, ledger, createdAt } = await chainCall(method, { hash });
  return { method, seen: { status, ledger, createdAt } };
}

const admins = {
  smart: 'Your API key is its admin signer; nothing is deployed yet.',
  mpc: 'It is one key, which the service signs with.',
};
title(`Create a wallet for Alice. ${admins[walletType]}`);
const createBody = (name) => ({
  chainType,
  type: walletType,
  owner: `userId:${name}-${run}`,
  ...(walletType === 'smart' && { config: { adminSigner: { type: 'api-key' } } }),
});
const alice = await call('POST', '/2025-06-09/wallets', createBody('alice'));

title('Create one for Bob. Asking again for the same owner gives the same wallet.');
const bob = await call('POST', '/2025-06-09/wallets', createBody('bob'));
await call('POST', '/2025-06-09/wallets', createBody('bob'), { quiet: true });

title('Give Alice 100 of the test stablecoin (only outside production).');
await call('POST', `/v1-alpha2/wallets/${alice.address}/balances`, {
  amount: 100,
  token: 'usdxm',
  chain,
});

title('Send 12.5 to Bob. Alice holds no gas: the service pays.');
const locatorOf = (name) =>
  `userId:${name}-${run}:${chainType}${dev.given.type ? `:${walletType}` : ''}`;
const aliceLocator = locatorOf('alice');
const transfer = await call(
  'POST',
  `/2025-06-09/wallets/${aliceLocator}/tokens/${token}/transfers`,
  { recipient: bob.address, amount: '12.5' },
  { idempotencyKey: `quickstart-${run}` },
);

title('Wait until it is confirmed.');
const done = await waitUntil(
  call,
  `/2025-06-09/wallets/${aliceLocator}/transactions/${transfer.id}`,
  {
    isDone: ({ status }) => status === 'success' || status === 'failed',
    stateOf: ({ status, onChain, completedAt }) =>
      JSON.stringify({ status, txId: onChain.txId, completedAt }),
  },
);
if (done.status === 'failed') fail(`The transfer failed: ${done.error.message}`);

title('Read both balances.');
await call('GET', `/2025-06-09/wallets/${alice.address}/balances?tokens=usdxm&chains=${chain}`);
await call('GET', `/2025-06-09/wallets/${locatorOf('bob')}/balances?tokens=usdxm&chains=${chain}`);

const looks = {
  evm: readReceipt,
  solana: readTransaction,
  aptos: readVersion,
  stellar: readLedger,
};
// Nodes of Sui speak gRPC.
if (looks[chainType]) {
  title('Look at the same transaction on the chain itself.');
  const { method, seen } = await looks[chainType](done.onChain.txId);
  console.log(`${method} ${done.onChain.txId}\nanswer  ${shorten(seen)}`);
}

console.log(`\nDone. The whole interface is described at ${new URL('/docs', dev.baseUrl).href}.`);
