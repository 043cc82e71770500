import { setTimeout as delay } from 'node:timers/promises';
import { encodeFunctionData, type Hex, numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addresses, encodeAddSigner, encodeRemoveSigner, safeAbi } from '../../contracts/index.ts';
import { walletsCommand } from '../../src/areas/signers/index.ts';
import {
  aDevice,
  anAccount,
  aPasskey,
  aQuorum,
  type TestActor,
} from '../../src/chains/evm/testing/signers.ts';
import { type CallAnswer, type CallOptions } from '../harness/http.ts';
import { type Stack, startStack } from '../harness/stack.ts';

/**
 * Delegated signers over real local chains: what the service answers, and what the chain lets them
 * do.
 */

const chain = 'base-sepolia';
const usdxm = `${chain}:usdxm`;
const shop = '0x000000000000000000000000000000000000bEEF';
const stranger = '0x000000000000000000000000000000000000dEaD';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.close());

/** `purser wallets …`. */
async function purser(...argv: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const input = {
    argv,
    print: (line: string) => void lines.push(line),
    projectOf: () => Promise.resolve(stack.api.projectId),
  };
  const code = await walletsCommand(() => Promise.resolve(stack.ctx), input);
  return { code, text: lines.join('\n') };
}

type Body = CallAnswer['body'];
const pathOf = ({ address }: { address: string }, rest = '') =>
  `/2025-06-09/wallets/${address}${rest}`;
const post = (path: string, body: object) => stack.call('POST', path, { body });

async function aWallet(config: object, funded = 100): Promise<Body> {
  const { status, body, text } = await post('/2025-06-09/wallets', {
    chainType: 'evm',
    type: 'smart',
    config,
  });
  expect([status, text]).toEqual([201, expect.any(String)]);
  if (funded > 0)
    await post(`/v1-alpha2/wallets/${body.address}/balances`, {
      amount: funded,
      token: 'usdxm',
      chain,
    });
  return body;
}

/** The signer as a body names it. */
function inputOf({ signer }: TestActor): object {
  const { locator: _, ...fields } = signer as unknown as {
    locator: string;
    members?: { locator: string }[];
  };
  return fields.members
    ? { ...fields, members: fields.members.map(({ locator: __, ...member }) => member) }
    : fields;
}

/** Approves the object as everybody whom it asks. */
async function approve(
  wallet: Body,
  kind: 'signatures' | 'transactions',
  object: Body,
  actor: TestActor,
): Promise<CallAnswer> {
  const [entry] = object.approvals.pending;
  const message: Hex = entry.message ?? entry.quorumApprovals.pending[0].message;
  const approvals = (await actor.approve(message)).map(({ signer, signature, metadata }) => ({
    signer: signer.locator,
    signature,
    metadata,
  }));
  const answer = await post(pathOf(wallet, `/${kind}/${object.id}/approvals`), { approvals });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer;
}

const readSigner = (wallet: Body, locator: string, options: CallOptions = {}) =>
  stack.call('GET', pathOf(wallet, `/signers/${encodeURIComponent(locator)}`), options);

async function until<T>(look: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  for (const endAt = Date.now() + 30_000; ; await delay(100)) {
    const value = await look();
    if (isRight(value)) return value;
    if (Date.now() > endAt) throw new Error(`still ${JSON.stringify(value)} after 30 s`);
  }
}

const statusOf = async (wallet: Body, locator: string) => {
  const { status, body } = await readSigner(wallet, locator);
  return status === 404
    ? 'gone'
    : (body.chains[chain]?.status ?? (Object.keys(body.chains).length === 0 ? 'success' : 'gone'));
};
const waitFor = (wallet: Body, locator: string, wanted: string) =>
  until(
    () => statusOf(wallet, locator),
    (status) => status === wanted,
  );

async function addSigner(wallet: Body, admin: TestActor, body: object): Promise<Body> {
  const added = await post(pathOf(wallet, '/signers'), { chain, ...body });
  expect([added.status, added.text]).toEqual([201, expect.any(String)]);
  await approve(wallet, 'signatures', added.body.chains[chain], admin);
  await waitFor(wallet, added.body.locator, 'success');
  return added.body;
}

async function removeSigner(wallet: Body, admin: TestActor, locator: string): Promise<void> {
  const removal = await stack.call(
    'DELETE',
    pathOf(wallet, `/signers/${encodeURIComponent(locator)}?chain=${chain}`),
  );
  expect([removal.status, removal.text]).toEqual([200, expect.any(String)]);
  await approve(wallet, 'transactions', removal.body, admin);
  expect((await stack.waitForTransaction(wallet.address, removal.body.id)).status).toBe('success');
}

const transfer = (wallet: Body, signer: string, amount: string, recipient = shop) =>
  post(pathOf(wallet, `/tokens/${usdxm}/transfers`), { recipient, amount, signer });

async function spend(
  wallet: Body,
  actor: TestActor,
  locator: string,
  amount: string,
): Promise<Body> {
  const made = await transfer(wallet, locator, amount);
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  await approve(wallet, 'transactions', made.body, actor);
  return stack.waitForTransaction(wallet.address, made.body.id);
}

/** As the wallet itself, which is what an operation of its admin is that this service never saw. */
async function changeBehindTheBack(
  wallet: Body,
  data: Hex,
  to: string = addresses.walletModule,
): Promise<void> {
  await stack.setNativeBalance(chain, wallet.address, 10n ** 18n);
  await stack.chainCall(chain, 'anvil_impersonateAccount', [wallet.address]);
  const gas = numberToHex(1_000_000);
  const hash = await stack.chainCall<Hex>(chain, 'eth_sendTransaction', [
    { from: wallet.address, to, data, gas },
  ]);
  const receipt = await until(
    () => stack.chainCall<{ status: string } | null>(chain, 'eth_getTransactionReceipt', [hash]),
    (one) => one !== null,
  );
  expect(receipt?.status).toBe('0x1');
  await stack.chainCall(chain, 'anvil_stopImpersonatingAccount', [wallet.address]);
}

describe('delegated signers on EVM', () => {
  it('a scoped agent spends within its limit and to its recipients, and nothing else', async () => {
    const [admin, agent] = [anAccount(), anAccount('server')];
    const wallet = await aWallet({ adminSigner: inputOf(admin) });
    const scopes = [
      {
        type: 'transfer',
        tokenLocator: usdxm,
        recipients: [shop],
        spendingLimit: { amount: '10', interval: 86_400 },
      },
    ];
    const { locator } = await addSigner(wallet, admin, { signer: agent.signer.locator, scopes });
    expect((await readSigner(wallet, locator)).body).toMatchObject({
      scopes,
      chains: { [chain]: { status: 'success' } },
    });
    expect((await spend(wallet, agent, locator, '6')).status).toBe('success');
    for (const [amount, recipient] of [
      ['4.000001', shop],
      ['1', stranger],
    ] as const) {
      const refused = await transfer(wallet, locator, amount, recipient);
      expect([refused.status, refused.body.code ?? refused.body.error?.reason]).toEqual([
        400,
        'signer-scope-violation',
      ]);
    }
    const call = await post(pathOf(wallet, '/transactions'), {
      params: { chain, signer: locator, calls: [{ to: shop, value: '1', data: '0x' }] },
    });
    expect([call.status, call.body.code]).toEqual([400, 'signer-scope-violation']);
    expect((await spend(wallet, agent, locator, '4')).status).toBe('success');
    await removeSigner(wallet, admin, locator);
    expect(await statusOf(wallet, locator)).toBe('gone');
    expect((await transfer(wallet, locator, '1')).body.code).toBe('transaction-invalid');
  });

  it.each([
    ['a device', aDevice],
    ['a passkey', aPasskey],
    ['a quorum of both', () => aQuorum(2, [anAccount(), aPasskey(), anAccount('server')])],
  ])(
    '%s acts from the wallet’s first operation on when it is part of it, and after it was added',
    { tags: 'slow' },
    async (_name, make) => {
      const [first, second] = [make(), make()];
      const isInSetUp = first.signer.type !== 'quorum';
      const admin = anAccount();
      const wallet = await aWallet({
        adminSigner: inputOf(admin),
        delegatedSigners: isInSetUp ? [{ signer: inputOf(first) }] : [],
      });
      if (isInSetUp)
        expect((await spend(wallet, first, first.signer.locator, '1')).status).toBe('success');
      const added = await addSigner(wallet, admin, { signer: inputOf(second) });
      expect((await spend(wallet, second, added.locator, '2')).status).toBe('success');
      await removeSigner(wallet, admin, added.locator);
      expect(await statusOf(wallet, added.locator)).toBe('gone');
      if (!isInSetUp) return;
      await removeSigner(wallet, admin, first.signer.locator);
      expect(await statusOf(wallet, first.signer.locator)).toBe('gone');
      expect((await transfer(wallet, first.signer.locator, '1')).body.code).toBe(
        'transaction-invalid',
      );
    },
  );

  it('a limit is there again when its interval is over, also where no block was made meanwhile', {
    tags: 'slow',
  }, async () => {
    const admin = anAccount();
    const agent = anAccount();
    const wallet = await aWallet({ adminSigner: inputOf(admin) });
    const hour = 60 * 60;
    const scopes = [
      { type: 'transfer', tokenLocator: usdxm, spendingLimit: { amount: '10', interval: hour } },
    ];
    const { locator } = await addSigner(wallet, admin, { signer: agent.signer.locator, scopes });
    expect((await spend(wallet, agent, locator, '10')).status).toBe('success');
    expect((await transfer(wallet, locator, '1')).body.code).toBe('signer-scope-violation');
    // The time of the block to come moves, that of the last one does not.
    await stack.chainCall(chain, 'evm_increaseTime', [hour]);
    expect((await spend(wallet, agent, locator, '10')).status).toBe('success');
    expect((await transfer(wallet, locator, '1')).body.code).toBe('signer-scope-violation');
  });

  it('a passkey admin and a 2-of-3 quorum register signers, in both flows', {
    tags: 'slow',
  }, async () => {
    for (const admin of [aPasskey(), aQuorum(2, [anAccount(), aPasskey(), anAccount('server')])]) {
      const config =
        admin.signer.type === 'quorum'
          ? { recoveryMethods: [inputOf(admin)] }
          : { adminSigner: inputOf(admin) };
      const wallet = await aWallet(config);
      const [one, two] = [anAccount(), anAccount('server')];
      const added = await addSigner(wallet, admin, { signer: one.signer.locator });
      expect((await spend(wallet, one, added.locator, '1')).status).toBe('success');
      const { status, body } = await post(pathOf(wallet, '/signers'), {
        chain,
        signer: two.signer.locator,
        deployImmediately: true,
      });
      const transaction = body.chains[chain];
      expect([status, transaction.status, transaction.onChain]).toEqual([
        201,
        'awaiting-approval',
        expect.any(Object),
      ]);
      await approve(wallet, 'transactions', transaction, admin);
      expect((await stack.waitForTransaction(wallet.address, transaction.id)).onChain.txId).toMatch(
        /^0x/,
      );
      expect(await statusOf(wallet, body.locator)).toBe('success');
      expect((await spend(wallet, two, body.locator, '1')).status).toBe('success');
    }
  });

  it('new settings replace the old ones on the chain', { tags: 'slow' }, async () => {
    const [admin, agent] = [anAccount(), anAccount()];
    const wallet = await aWallet({ adminSigner: inputOf(admin) });
    const limited = (amount: string) => ({
      signer: agent.signer.locator,
      scopes: [{ type: 'transfer', tokenLocator: usdxm, spendingLimit: { amount } }],
    });
    const { locator } = await addSigner(wallet, admin, limited('1'));
    expect((await transfer(wallet, locator, '2')).body.code).toBe('signer-scope-violation');
    expect((await post(pathOf(wallet, '/signers'), { chain, ...limited('1') })).body.code).toBe(
      'signer-already-exists',
    );
    await addSigner(wallet, admin, limited('5'));
    expect((await spend(wallet, agent, locator, '3')).status).toBe('success');
    const shown = await purser('signers', wallet.address, '--json');
    expect(JSON.parse(shown.text)[0].limits).toEqual([
      { signer: locator, chain, limits: [{ currency: 'usdxm', limit: '5', used: '3' }] },
    ]);
    expect((await purser('signers', wallet.address)).text).toMatch(/3 usdxm +5 usdxm +for ever/);
    const found = JSON.parse((await purser('list', '--find', wallet.address, '--json')).text);
    expect(found.wallets[0]).toMatchObject({
      address: wallet.address,
      chainType: 'evm',
      type: 'smart',
    });
    const sent = await purser('transactions', wallet.address, '--status', 'success');
    expect(sent.text).toMatch(/ 3 base-sepolia:usdxm to 0x0{36}beef/i);
    expect(await purser('balances', wallet.address)).toMatchObject({
      code: 0,
      text: expect.stringMatching(/base-sepolia +base-sepolia:usdxm +97/),
    });
    await expect(purser('list', wallet.address)).rejects.toThrow('purser wallets list --find 0x');
    await expect(purser('list', '--family', 'fax')).rejects.toThrow(
      '--family is one of: aptos, evm',
    );
    expect((await spend(wallet, agent, locator, '2')).status).toBe('success');
    expect((await transfer(wallet, locator, '0.5')).body.code).toBe('signer-scope-violation');
  });

  it('20 adds and removals at once end in one truth, which is the chain’s', {
    tags: 'slow',
  }, async () => {
    const wallet = await aWallet({ adminSigner: { type: 'api-key' } });
    const agent = anAccount();
    const { locator } = agent.signer;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, nr) =>
        nr % 2 === 0
          ? post(pathOf(wallet, '/signers'), { chain, signer: locator })
          : stack.call(
              'DELETE',
              pathOf(wallet, `/signers/${encodeURIComponent(locator)}?chain=${chain}`),
            ),
      ),
    );
    for (const { status } of answers) expect([200, 201, 400, 404, 409]).toContain(status);
    await until(
      () => statusOf(wallet, locator),
      (status) => status === 'success' || status === 'gone',
    );
    const family = stack.ctx.chains.family('evm');
    const known = (
      await stack.ctx.store.query<{ id: string; setup: object }>({
        text: 'select id, setup from wallets where address = $1',
        values: [wallet.address],
      })
    ).rows[0]!;
    const truth = await family.delegates!.readDelegates(
      {
        id: known.id,
        type: 'smart',
        address: wallet.address,
        setup: known.setup as never,
        adminSigner: wallet.config.adminSigner,
      },
      chain,
      [{ signer: agent.signer, scopes: [] }],
    );
    expect(await statusOf(wallet, locator)).toBe(truth[0] === 'same' ? 'success' : 'gone');
  });

  it('follows a chain that was changed behind the service’s back', { tags: 'slow' }, async () => {
    const [admin, agent, other] = [anAccount(), anAccount(), anAccount()];
    const wallet = await aWallet({
      adminSigner: inputOf(admin),
      delegatedSigners: [{ signer: other.signer.locator }],
    });
    const { locator } = await addSigner(wallet, admin, { signer: agent.signer.locator });
    const key = (actor: TestActor) =>
      ({ kind: 'ecdsa', address: actor.signer.address as Hex }) as const;
    for (const actor of [agent, other])
      await changeBehindTheBack(wallet, encodeRemoveSigner(key(actor)));
    stack.advanceClock(25 * 3_600_000);
    await waitFor(wallet, locator, 'gone');
    expect(await statusOf(wallet, other.signer.locator)).not.toBe('gone');
    // A signer of the set-up is compared on the chains that the wallet has used.
    await spend(wallet, admin, admin.signer.locator, '1');
    stack.advanceClock(25 * 3_600_000);
    await waitFor(wallet, other.signer.locator, 'gone');
    await changeBehindTheBack(wallet, encodeAddSigner({ signer: key(agent), scopes: [] }, 2));
    stack.advanceClock(25 * 3_600_000);
    await waitFor(wallet, locator, 'success');
    expect((await spend(wallet, agent, locator, '1')).status).toBe('success');
  });

  it('an operator sees on the chain what a thief has added, and ends it together with all that was signed', {
    tags: 'slow',
  }, async () => {
    const [admin, agent, thief] = [anAccount(), anAccount(), anAccount()];
    const wallet = await aWallet({ adminSigner: inputOf(admin) });
    const { locator } = await addSigner(wallet, admin, { signer: agent.signer.locator });
    const honest = await purser('signers', wallet.address);
    expect([honest.code, honest.text]).toEqual([
      0,
      expect.stringContaining('All of it is as it was set up here.'),
    ]);
    expect(honest.text).toContain(locator);

    const thiefKey = { kind: 'ecdsa', address: thief.signer.address as Hex } as const;
    await changeBehindTheBack(wallet, encodeAddSigner({ signer: thiefKey, scopes: [] }));
    const enable = encodeFunctionData({
      abi: safeAbi,
      functionName: 'enableModule',
      args: [stranger],
    });
    const handler = encodeFunctionData({
      abi: safeAbi,
      functionName: 'setFallbackHandler',
      args: [stranger],
    });
    for (const data of [enable, handler]) await changeBehindTheBack(wallet, data, wallet.address);
    const robbed = await purser('signers', wallet.address, '--chain', chain);
    expect(robbed.code).toBe(1);
    for (const sentence of [
      'is a module',
      'The fallback handler is',
      'a delegated signer without limits that was not registered here',
    ])
      expect(robbed.text).toContain(sentence);

    const waiting = (await transfer(wallet, admin.signer.locator, '1')).body;
    await expect(purser('end-signatures', wallet.address, '--chain', chain)).rejects.toThrow(
      'repeat it with --yes',
    );
    const ended = await purser(
      'end-signatures',
      wallet.address,
      '--chain',
      chain,
      '--yes',
      '--json',
    );
    const { transactionId } = JSON.parse(ended.text);
    const end = (await stack.call('GET', pathOf(wallet, `/transactions/${transactionId}`))).body;
    await approve(wallet, 'transactions', end, admin);
    expect((await stack.waitForTransaction(wallet.address, transactionId)).status).toBe('success');

    await approve(wallet, 'transactions', waiting, admin);
    const refused = await stack.waitForTransaction(wallet.address, waiting.id);
    expect([refused.status, refused.error.message]).toEqual([
      'failed',
      expect.stringContaining('was ended'),
    ]);
    expect((await transfer(wallet, locator, '1')).body.code).toBe('transaction-invalid');
    const after = await purser('signers', wallet.address);
    expect(after.text).toContain('was ended 1 times');
    expect(after.text).toContain(`${locator} is registered here, and the chain does not have it.`);
    expect(after.text).not.toContain('not registered here');
    // The look at the chain makes the service look too, so that the signer can be added again.
    stack.advanceClock(10_000);
    await waitFor(wallet, locator, 'gone');
    await addSigner(wallet, admin, { signer: locator });
    expect((await spend(wallet, agent, locator, '1')).status).toBe('success');
    expect((await spend(wallet, admin, admin.signer.locator, '1')).status).toBe('success');
  });
});
