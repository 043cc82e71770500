// A card pays, tokens arrive in the user's wallet, as plain HTTP calls. The demo sends the form of
// the payment page itself; with `npm run demo:onramp -- --by-hand` a person does, in a browser.
// Needs a running service: `npm start`.
import { execFileSync, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
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
const dev = readDevelopment('demo:onramp', ['by-hand']);
const isByHand = dev.given['by-hand'] === true;
const waitMaxMs = (isByHand ? 10 : 2) * 60_000;
const call = createCaller(dev.baseUrl, { 'X-API-KEY': dev.serverKey });

const userLocator = `userId:nina-${Date.now().toString(36)}`;

console.log(`The API is at ${dev.baseUrl}.`);

title(
  'What is sold has to be there: the operator puts 1,000 test tokens into the treasury of the project.',
);
purser('treasury', 'fund', '--chain', chain, '--token', token, '--amount', '1000');

title('Nina has a wallet; it is empty.');
const wallet = await call('POST', '/2025-06-09/wallets', {
  chainType: 'evm',
  type: 'smart',
  owner: userLocator,
  config: { adminSigner: { type: 'api-key' } },
});

title(
  'Who moves money is verified first. Up to US$1,000 in twelve months that needs a name and a date of birth.',
);
await verifyUser(call, userLocator, {
  firstName: 'Nina',
  lastName: 'Miller',
  type: 'onramp-light',
});

title('What would 10 dollars buy? A draft is priced and forgotten.');
const body = {
  recipient: { walletAddress: wallet.address },
  payment: { method: 'card', currency: 'usd', receiptEmail: 'nina@example.com' },
  lineItems: [
    { tokenLocator: `${chain}:${token}`, executionParameters: { mode: 'exact-in', amount: '10' } },
  ],
};
await call('POST', '/2022-06-09/orders', { ...body, state: 'draft' });

title('The order. The browser of the payer needs what payment.preparation.card says.');
const { order } = await call('POST', '/2022-06-09/orders', body);
const { preparation, status } = order.payment;
if (status !== 'awaiting-payment') fail(`The order is "${status}", not "awaiting-payment".`);
if (!preparation.card.url)
  fail('The acquirer has no page of its own: the demo needs CARD_PROVIDER=sandbox.');

if (isByHand) {
  title('Pay with a test card: 4242 4242 4242 4242, any later date, any code.');
  console.log(preparation.card.url);
  console.log(
    `Waiting for you to pay on that page, until ${new Date(Date.now() + waitMaxMs).toLocaleTimeString()}.`,
  );
  openBrowser(preparation.card.url);
} else {
  title(
    'The payer enters a test card on the page of the acquirer. The demo sends its form; with -- --by-hand you do.',
  );
  await sendCard(preparation.card.url, {
    number: '4242 4242 4242 4242',
    expiry: '12/34',
    cvc: '123',
  });
}

title('The order follows the card, then the chain.');
const done = await waitUntil(call, `/2022-06-09/orders/${order.orderId}`, {
  isDone: ({ phase }) => phase === 'completed',
  stateOf: ({ phase, payment, lineItems: [item] }) =>
    `${phase}: payment ${payment.status}${payment.failureReason ? ` (${payment.failureReason.message})` : ''}, delivery ${item.delivery.status}`,
  waitMaxMs,
});
if (done.lineItems[0].delivery.status !== 'completed')
  fail(`Nothing was delivered: ${JSON.stringify(done.payment)}`);

title('The tokens are there, and the ledger says where each cent went.');
await call('GET', `/2025-06-09/wallets/${wallet.address}/balances?tokens=${token}&chains=${chain}`);
await printLedger(call, order.orderId);

console.log(
  '\nDone. Cards that are declined, ask for 3-D Secure or are charged back: docs/guides/cards.md.',
);

/** The operator's command line, on the data of the running service. */
function purser(...words) {
  console.log(`npx purser ${words.join(' ')}`);
  const program = fileURLToPath(new URL('../bin/purser.mjs', import.meta.url));
  try {
    console.log(
      execFileSync(process.execPath, [program, '--data', dev.dataDir, ...words], {
        encoding: 'utf8',
      }).trimEnd(),
    );
  } catch (error) {
    fail(`The command failed: ${error.stderr || error.message}`);
  }
}

/** What the browser of the payer sends when the form of the page is filled. */
async function sendCard(url, card) {
  console.log(`POST ${url}\n  number=${card.number} expiry=${card.expiry} cvc=${card.cvc}`);
  const { status } = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(card),
    redirect: 'manual',
  });
  if (status !== 303) fail(`The payment page answered ${status}.`);
}

/** Best effort: where there is no browser, the address above is enough. */
function openBrowser(url) {
  if (
    process.env.CI ||
    (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY)
  )
    return;
  const [command, ...args] = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }[
    process.platform
  ] ?? ['xdg-open'];
  spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
