import { encodeFunctionData, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testTokenAbi } from '../../../../../contracts/index.ts';
import { type Stack, startStack } from '../../../../../test/harness/stack.ts';
import { developmentSecrets } from '../../../../config/development-config.ts';
import { eventually } from '../../../../jobs/test-kit.ts';
import { parseDecimalAmount } from '../../../../lib/money/amount.ts';
import { sandboxCards } from '../../../../providers/card/index.ts';
import { aCard } from '../../../../providers/card/test-kit.ts';
import { expectOperatorFunds } from '../../../deposits/index.ts';
import { requireTreasury } from '../../../treasury/index.ts';

/** By production's rules, and through the API alone: elsewhere nobody has to sign. */
let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ production: true });
  await fillTreasury('10000');
}, 120_000);
afterAll(() => stack?.close());

/** What an operator sends to the treasury. On a local chain its treasury key mints. */
async function fillTreasury(amount: string) {
  const { ctx, api, dataDir } = stack;
  const family = ctx.chains.family('evm');
  const treasury = await requireTreasury(ctx, { projectId: api.projectId, chainType: 'evm' });
  const { address, decimals } = await family.resolveToken('base', { symbol: 'usdc' });
  const amountMinor = parseDecimalAmount(amount, decimals);
  const recipient = family.canonicalAddress(treasury.address);
  await expectOperatorFunds(ctx, ctx.store, {
    chain: 'base',
    recipient,
    tokenAddress: family.canonicalAddress(address!),
    amountMinor,
  });
  const from = privateKeyToAddress(developmentSecrets(dataDir).treasuryKey.reveal());
  const data = encodeFunctionData({
    abi: testTokenAbi,
    functionName: 'mint',
    args: [treasury.address as Hex, amountMinor],
  });
  await stack.chainCall('base', 'anvil_impersonateAccount', [from]);
  const hash = await stack.chainCall<string>('base', 'eth_sendTransaction', [
    { from, to: address, data },
  ]);
  await eventually(
    'it is mined',
    async () => (await stack.chainCall('base', 'eth_getTransactionReceipt', [hash])) !== null,
  );
}

const orders = '/2022-06-09/orders';
const day = 24 * 60 * 60_000;
let count = 0;
const aUser = () => `userId:payer${++count}`;
const anAccount = () => privateKeyToAccount(generatePrivateKey());
type Account = ReturnType<typeof anAccount>;

const linkedPath = (locator: string, address: string) =>
  `/2025-06-09/users/${encodeURIComponent(locator)}/linked-wallets/${address}`;
const link = (locator: string, address: string, proof?: string) =>
  stack.call('PUT', linkedPath(locator, address), {
    body: { chain: 'base', ...(proof !== undefined && { proof }) },
  });

/** A user with a linked wallet that nobody has proved. */
async function aLinked() {
  const [locator, account] = [aUser(), anAccount()];
  expect((await link(locator, account.address)).body.ownership.verified).toBe(false);
  return { locator, account };
}

async function create(address: string, amount: string) {
  const answer = await stack.call('POST', orders, {
    body: {
      recipient: { walletAddress: address },
      payment: { method: 'card', receiptEmail: 'payer@example.com' },
      lineItems: [{ tokenLocator: 'base:usdc', executionParameters: { mode: 'exact-in', amount } }],
    },
  });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body.order;
}

const read = async (id: string) => (await stack.call('GET', `${orders}/${id}`)).body;
const until = (id: string, status: string) =>
  eventually(`order ${id} is ${status}`, async () => {
    const order = await read(id);
    return order.payment.status === status && order;
  });
const waits = 'requires-recipient-verification';

/** An order that waits for the proof, and the text to sign. */
async function aWaiting(account: Account, amount = '1000.01') {
  const order = await create(account.address, amount);
  expect(order).toMatchObject({
    phase: 'payment',
    payment: { status: waits, preparation: { message: expect.any(String) } },
  });
  return { id: order.orderId as string, message: order.payment.preparation.message as string };
}

describe('an order above US$1,000 to a linked wallet that was not proved', () => {
  test('has the text in its preparation, names the wallet there, and may be paid once the wallet has signed it', {
    tags: 'slow',
  }, async () => {
    const { locator, account } = await aLinked();
    const { id, message } = await aWaiting(account);
    expect(message).toMatch(/^localhost wants you to sign in with your Ethereum account:\n0x/);
    expect(message.split('\n')[1]).toBe(account.address);
    expect((await read(id)).payment.preparation).toEqual({ message });
    const found = await stack.call('GET', `${orders}?paymentStatus=in-progress&orderId=${id}`);
    expect(found.body.data).toHaveLength(1);
    const proved = await link(locator, account.address, await account.signMessage({ message }));
    expect([proved.status, proved.body.ownership]).toEqual([200, { verified: true }]);
    const ready = await until(id, 'awaiting-payment');
    expect(ready.payment.preparation).toMatchObject({ card: { provider: 'sandbox' } });
    expect(ready.payment.preparation.message).toBeUndefined();
    // Once is enough.
    expect((await create(account.address, '900')).payment.status).toBe('awaiting-payment');
  });

  test.each<[string, (account: Account, message: string) => Promise<string>, RegExp]>([
    [
      'of another wallet',
      (_, message) => anAccount().signMessage({ message }),
      /does not verify.*to the letter/,
    ],
    [
      'of another text',
      (account, message) => account.signMessage({ message: `${message} ` }),
      /does not verify.*to the letter/,
    ],
    ['that is none', async () => 'yes', /does not verify.*to the letter/],
  ])('a signature %s is refused, and the order waits on', async (_, sign, why) => {
    const { locator, account } = await aLinked();
    const { id, message } = await aWaiting(account);
    const refused = await link(locator, account.address, await sign(account, message));
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      400,
      'invalid-proof',
      expect.stringMatching(why),
    ]);
    expect((await read(id)).payment.status).toBe(waits);
    expect(
      (await link(locator, account.address, await account.signMessage({ message }))).status,
    ).toBe(200);
    await until(id, 'awaiting-payment');
  });

  test('the proof of another user is refused, and does not let the order go on', {
    tags: 'slow',
  }, async () => {
    const { account } = await aLinked();
    const { id, message } = await aWaiting(account);
    const [other, proof] = [aUser(), await account.signMessage({ message })];
    const refused = await link(other, account.address, proof);
    expect([refused.status, refused.body.code]).toEqual([409, 'wallet-linked-to-other-user']);
    // The other user proves by a text of their own that the wallet is theirs: then it is not the
    // payer's.
    const own = await account.signMessage({ message: refused.body.verificationChallenge });
    expect((await link(other, account.address, own)).body.ownership).toEqual({ verified: true });
    await eventually(
      'the text is gone',
      async () => (await read(id)).payment.preparation === undefined,
    );
    expect((await read(id)).payment.status).toBe(waits);
    await stack.advance(11 * 60_000);
    expect(await until(id, 'requires-quote')).toMatchObject({ quote: { status: 'expired' } });
  });

  test('a text that has expired is refused with what to do; the order has a new one in time', async () => {
    const { locator, account } = await aLinked();
    const order = await create(account.address, '1500');
    const { orderId: id } = order;
    const first = order.payment.preparation.message as string;
    await stack.advance(8 * 60_000);
    const second = await eventually('another text', async () => {
      const { message } = (await read(id)).payment.preparation;
      return message !== first && (message as string);
    });
    await stack.advance(8 * 60_000);
    const late = await link(
      locator,
      account.address,
      await account.signMessage({ message: first }),
    );
    expect([late.status, late.body.code]).toEqual([400, 'invalid-proof']);
    expect(
      (await link(locator, account.address, await account.signMessage({ message: second }))).status,
    ).toBe(200);
  });

  test('and that nobody proves expires with its quote; a PATCH asks for the proof anew', {
    tags: 'slow',
  }, async () => {
    const { locator, account } = await aLinked();
    const { id } = await aWaiting(account);
    await stack.advance(11 * 60_000);
    expect(await until(id, 'requires-quote')).toMatchObject({
      phase: 'quote',
      quote: { status: 'expired' },
    });
    const renewed = await stack.call('PATCH', `${orders}/${id}`, {
      body: { recipient: { walletAddress: account.address } },
    });
    expect([renewed.status, renewed.body.quote.status, renewed.body.payment.status]).toEqual([
      200,
      'valid',
      waits,
    ]);
    const { message } = renewed.body.payment.preparation;
    await link(locator, account.address, await account.signMessage({ message }));
    await until(id, 'awaiting-payment');
  });
});

describe('the threshold', () => {
  test('is not reached by US$1,000, and is passed by a cent more', async () => {
    const [one, other] = [await aLinked(), await aLinked()];
    expect((await create(one.account.address, '1000')).payment.status).toBe('awaiting-payment');
    expect((await create(other.account.address, '1000.01')).payment.status).toBe(waits);
  });

  test('counts the orders of 30 days together, whichever of the user’s wallets they go to', {
    tags: 'slow',
  }, async () => {
    const { locator, account } = await aLinked();
    const second = anAccount();
    await link(locator, second.address);
    expect((await create(account.address, '600')).payment.status).toBe('awaiting-payment');
    expect((await create(second.address, '400')).payment.status).toBe('awaiting-payment');
    expect((await create(second.address, '0.51')).payment.status).toBe(waits);
    // Those that nobody paid have ended, and count no more.
    await stack.advance(day);
    await eventually('the first have ended', async () => {
      const { body } = await stack.call(
        'GET',
        `${orders}?recipientAddress=${account.address},${second.address}&paymentStatus=expired`,
      );
      return body.data.length === 3;
    });
    expect((await create(second.address, '1000')).payment.status).toBe('awaiting-payment');
  });

  test('counts what was paid in the last 30 days, and nothing older', {
    tags: 'slow',
  }, async () => {
    const { account } = await aLinked();
    const paid = await create(account.address, '600');
    const { url, clientSecret } = paid.payment.preparation.card;
    const reference = new URL(url).pathname.split('/').at(-1)!;
    await stack.ctx.providers.card!.sandbox!.pay({
      reference,
      clientSecret,
      card: aCard(sandboxCards.approved.number),
    });
    await until(paid.orderId, 'completed');
    await stack.advance(29 * day);
    expect((await create(account.address, '400.01')).payment.status).toBe(waits);
    await stack.advance(2 * day);
    expect((await create(account.address, '400.01')).payment.status).toBe('awaiting-payment');
  });

  test('is none for wallets of this service, also when somebody claims to own one', async () => {
    const locator = aUser();
    const wallet = await stack.call('POST', '/2025-06-09/wallets', {
      body: {
        chainType: 'evm',
        type: 'smart',
        owner: locator,
        config: { adminSigner: { type: 'api-key' } },
      },
    });
    const { address } = wallet.body;
    expect((await create(address, '1000.01')).payment.status).toBe('awaiting-payment');
    expect((await link(aUser(), address)).body.ownership.verified).toBe(false);
    expect((await create(address, '900')).payment.status).toBe('awaiting-payment');
  });
});

test('an order to a wallet that nobody linked is refused', async () => {
  const answer = await stack.call('POST', orders, {
    body: {
      recipient: { walletAddress: anAccount().address },
      payment: { method: 'card', receiptEmail: 'payer@example.com' },
      lineItems: [
        { tokenLocator: 'base:usdc', executionParameters: { mode: 'exact-in', amount: '20' } },
      ],
    },
  });
  expect([answer.status, answer.body.code]).toEqual([400, 'ExternalWalletNotLinkedToUserError']);
});
