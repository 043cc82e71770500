// Stablecoins out of a user's wallet, dollars into the user's bank account, as plain HTTP calls.
// Needs a running service: `npm start`.
import {
  createCaller,
  fail,
  printLedger,
  readDevelopment,
  title,
  verifyUser,
  waitUntil,
} from './printed-calls.mjs';

const chain = 'base-sepolia';
const token = 'usdxm';

const dev = readDevelopment('demo:offramp');
const headers = { 'X-API-KEY': dev.serverKey };
const call = createCaller(dev.baseUrl, headers);
const callVault = createCaller(dev.vaultUrl, headers);
const userLocator = `userId:olga-${Date.now().toString(36)}`;

console.log(
  `The API is at ${dev.baseUrl}, the vault that keeps account numbers at ${dev.vaultUrl}.`,
);

title('Olga has a wallet, and 20 of the test stablecoin in it.');
const wallet = await call('POST', '/2025-06-09/wallets', {
  chainType: 'evm',
  type: 'smart',
  owner: userLocator,
  config: { adminSigner: { type: 'api-key' } },
});
await call('POST', `/v1-alpha2/wallets/${wallet.address}/balances`, { amount: 20, token, chain });

title(
  'Who moves money is verified first. Up to US$1,000 in twelve months that needs a name and a date of birth.',
);
await verifyUser(call, userLocator, {
  firstName: 'Olga',
  lastName: 'Miller',
  type: 'offramp-light',
});

title('She saves her bank account. The number goes to the vault and never comes back.');
const address = {
  line1: '1 Main Street',
  city: 'Springfield',
  stateOrRegion: 'CA',
  postalCode: '90210',
  country: 'US',
};
const method = await callVault('POST', '/unstable/payment-methods', {
  type: 'bank-account-us',
  userLocator,
  bankAccount: {
    accountNumber: '000123456789',
    routingNumber: '021000021',
    accountType: 'checking',
    bankName: 'Example Bank',
    bankAddress: address,
    currency: 'usd',
    country: 'US',
    entityType: 'individual',
    billing: { name: 'Olga Miller', phone: '+14155550123', address },
  },
});

title('An order: 10 stablecoins for dollars, paid out in seconds (rtp).');
const { order } = await call('POST', '/2022-06-09/orders', {
  recipient: { paymentMethodId: method.paymentMethodId, rail: 'rtp' },
  payment: {
    method: chain,
    currency: token,
    payerAddress: wallet.address,
    receiptEmail: 'olga@example.com',
  },
  lineItems: {
    currencyLocator: 'fiat:usd',
    executionParameters: { mode: 'exact-in', amount: '10' },
  },
});
const { preparation, status } = order.payment;
if (status !== 'awaiting-payment') fail(`The order is "${status}", not "awaiting-payment".`);

title(
  'Her wallet sends the deposit that the order has prepared: amount, address and memo are in it.',
);
await call('POST', `/2025-06-09/wallets/${wallet.address}/transactions`, {
  params: { chain, calls: [{ transaction: preparation.serializedTransaction }] },
});

title('The order follows the deposit, and then the bank.');
const done = await waitUntil(call, `/2022-06-09/orders/${order.orderId}`, {
  isDone: ({ phase }) => phase === 'completed',
  stateOf: ({ phase, payment, lineItems: [item] }) =>
    `${phase}: payment ${payment.status}, delivery ${item.delivery.status}`,
  waitMaxMs: 120_000,
});
if (done.lineItems[0].delivery.status !== 'completed')
  fail(`The payout failed: ${JSON.stringify(done.payment)}`);

title('What was received, what was paid out, and on which rail.');
await call('GET', `/2022-06-09/orders/${order.orderId}`);

title('Every cent of it, in the ledger.');
await printLedger(call, order.orderId);

console.log(
  `\nDone. What can go wrong, and what happens then: docs/guides/offramp.md. A payout by ach takes days: try rail "ach" and\n\`npx purser clock advance 3d\`.`,
);
