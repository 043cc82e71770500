import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, startStack } from '../../../test/harness/stack.ts';
import { eventually } from '../../../test/harness/watcher-world.ts';
import type { ResolvedToken } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import { postEntries, readEntries, registerAsset } from '../../ledger/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import { sandboxAddresses } from '../../providers/screening/sandbox.ts';
import { listDeposits } from '../deposits/index.ts';
import type { WalletRecord } from '../wallets/index.ts';
import {
  requireTreasury,
  type SendFromTreasuryInput,
  selectTreasuryTransfer,
  sendFromTreasury,
  treasuryCommand,
} from './index.ts';
import { readTreasuryBalances } from './operate.ts';
import { selectTransfers } from './store.ts';

const chain = 'base-sepolia';
const base = '/2025-06-09/wallets';
const fundingBase = '/v1-alpha2/wallets';
const recipientAddress = '0x00000000000000000000000000000000000000F1';

let stack: Stack;
let projectId: string;
let treasury: WalletRecord;
let token: ResolvedToken;
beforeAll(async () => {
  stack = await startStack();
  projectId = stack.api.projectId;
  token = await stack.ctx.chains.familyOfChain(chain).resolveToken(chain, { symbol: 'usdxm' });
  const made = await Promise.all(
    Array.from({ length: 20 }, () => requireTreasury(stack.ctx, { projectId, chainType: 'evm' })),
  );
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  treasury = made[0]!;
  await purser('fund', '--chain', chain, '--amount', '100');
});
afterAll(() => stack?.close());

const withdrawal = (amount: string) => [
  'withdraw',
  '--chain',
  chain,
  '--token',
  'usdxm',
  '--amount',
  amount,
  '--to',
  recipientAddress,
  '--yes',
];
/** The newest first. */
async function auditEntries(): Promise<{ readonly subject: string }[]> {
  const { rows } = await stack.ctx.store.query<{ entry: string }>({
    text: 'select entry from audit_entries order by seq desc limit 10',
  });
  return rows.map(({ entry }) => JSON.parse(entry) as { subject: string });
}

const purser = (...argv: string[]) => purserOf(stack.ctx, ...argv);
async function purserOf(ctx: Ctx, ...argv: string[]): Promise<string> {
  const lines: string[] = [];
  await treasuryCommand(async () => ctx, {
    argv,
    print: (line) => lines.push(line),
    projectOf: async () => projectId,
  });
  return lines.join('\n');
}
const aTransfer = (overrides: Partial<SendFromTreasuryInput> = {}): SendFromTreasuryInput => ({
  transferId: randomUUID(),
  projectId,
  subject: `operator:test`,
  chain,
  token,
  amountMinor: 1_000_000n,
  recipientAddress,
  ...overrides,
});
const send = (input: SendFromTreasuryInput) => sendFromTreasury(stack.ctx, input);
const reached = (id: string, status: string) =>
  eventually(
    () => selectTreasuryTransfer(stack.ctx.store, id),
    (transfer) => transfer?.status === status,
  );
const amountOf = async (address: string) =>
  (await stack.ctx.chains.familyOfChain(chain).readBalances(address, [token]))[0]!.amountMinor;
async function isStored(id: string): Promise<boolean> {
  const { rows } = await stack.ctx.store.query({
    text: 'select id from transactions where id = $1',
    values: [id],
  });
  return rows.length > 0 || (await selectTreasuryTransfer(stack.ctx.store, id)) !== undefined;
}

describe('a treasury', () => {
  it('is one wallet per project and family, with a key in custody and no end user', async () => {
    expect(treasury).toMatchObject({
      projectId,
      type: 'smart',
      owner: 'COMPANY',
      purpose: 'treasury',
      adminSigner: { type: 'api-key' },
    });
    const other = await requireTreasury(stack.ctx, { projectId: randomUUID(), chainType: 'evm' });
    expect(other.address).not.toBe(treasury.address);
    expect(await purser('address')).toBe(treasury.address);
  });

  it('is read by the project’s server, and answered to nobody who creates a wallet', async () => {
    const path = `${base}/${treasury.address}`;
    expect(await stack.call('GET', path)).toMatchObject({
      status: 200,
      body: { address: treasury.address },
    });
    expect((await stack.call('GET', `${path}/transactions`)).status).toBe(200);
    expect((await stack.call('GET', `${path}/signatures`)).status).toBe(200);
    expect((await stack.call('GET', `${path}/balances?tokens=usdxm&chains=${chain}`)).status).toBe(
      200,
    );
    for (const body of [
      {},
      { owner: 'COMPANY' },
      { alias: 'treasury' },
      { owner: 'COMPANY', alias: 'treasury' },
    ]) {
      const { body: wallet } = await stack.call('POST', base, {
        body: { chainType: 'evm', config: { adminSigner: { type: 'api-key' } }, ...body },
      });
      expect(wallet.address).toMatch(/^0x/);
      expect(wallet.address).not.toBe(treasury.address);
    }
    for (const locator of ['COMPANY:evm', 'evm:alias:treasury', 'evm:smart'])
      expect((await stack.call('GET', `${base}/${locator}`)).body.address).not.toBe(
        treasury.address,
      );
  });

  it('is moved by no public route, nor are its signers', async () => {
    const path = `${base}/${treasury.address}`;
    const call = { to: recipientAddress, value: '0', data: '0x' };
    const calls: [string, string, object?][] = [
      ['POST', `${path}/transactions`, { params: { calls: [call], chain } }],
      ['POST', `${path}/transactions/${randomUUID()}/approvals`, { approvals: [] }],
      [
        'POST',
        `${path}/tokens/${chain}:usdxm/transfers`,
        { recipient: recipientAddress, amount: '1' },
      ],
      ['POST', `${path}/signatures`, { type: 'message', params: { message: 'x', chain } }],
      ['POST', `${path}/signatures/${randomUUID()}/approvals`, { approvals: [] }],
      ['POST', `${path}/signers`, { signer: `external-wallet:${recipientAddress}`, chain }],
      ['DELETE', `${path}/signers/external-wallet:${recipientAddress}?chain=${chain}`],
    ];
    for (const [method, route, body] of calls) {
      const answer = await stack.call(method, route, body === undefined ? {} : { body });
      expect(answer, `${method} ${route}`).toMatchObject({
        status: 403,
        body: {
          code: 'forbidden',
          message: expect.stringMatching(/its orders move.*purser treasury/),
        },
      });
    }
    const before = await amountOf(treasury.address);
    const funded = await stack.call('POST', `${fundingBase}/${treasury.address}/balances`, {
      body: { chain, token: 'usdxm', amount: 2 },
    });
    expect(funded.status).toBe(201);
    expect(await amountOf(treasury.address)).toBe(before + 2_000_000n);
  });
});

describe('what a treasury sends', () => {
  it('goes out once, however often it is asked for, and becomes final', async () => {
    const input = aTransfer();
    const before = await amountOf(recipientAddress);
    await Promise.all(Array.from({ length: 8 }, () => send(input)));
    await send(input);
    const transfer = await reached(input.transferId, 'final');
    await send(input);
    expect(transfer).toMatchObject({
      subject: 'operator:test',
      txId: expect.stringMatching(/^0x/),
      costMinor: expect.any(BigInt),
      executed: true,
    });
    expect(await amountOf(recipientAddress)).toBe(before + 1_000_000n);
    const transaction = await stack.call(
      'GET',
      `${base}/${treasury.address}/transactions/${input.transferId}`,
    );
    expect(transaction.body).toMatchObject({
      id: input.transferId,
      status: 'success',
      onChain: { txId: transfer!.txId },
    });
    expect(await purser('transfers')).toMatch(
      new RegExp(`${input.transferId} +final +operator:test +1(\\.0+)? usdxm +${chain}`),
    );
  });

  it('with the id of another movement is refused, and nothing moves', async () => {
    const input = aTransfer();
    await send(input);
    for (const other of [
      { amountMinor: 2n },
      { recipientAddress: treasury.address },
      { subject: 'order:other' },
    ])
      await expect(send({ ...input, ...other })).rejects.toMatchObject({ code: 'conflict' });
    await reached(input.transferId, 'final');
  });

  it('to a blocked recipient, without the money or in vain is thrown, and leaves nothing behind', async () => {
    const refused: [Partial<SendFromTreasuryInput>, string][] = [
      [{ recipientAddress: sandboxAddresses.blocked }, 'sanctioned-address'],
      [{ amountMinor: 10n ** 18n }, 'insufficient-balance'],
      [{ recipientAddress: `0x${'0'.repeat(40)}` }, 'invalid-recipient'],
      [{ recipientAddress: token.address! }, 'invalid-recipient'],
    ];
    for (const [overrides, code] of refused) {
      const input = aTransfer(overrides);
      await expect(send(input), code).rejects.toMatchObject({ code });
      expect(await isStored(input.transferId), code).toBe(false);
    }
  });

  it('in a crowd arrives each time, and of two that only one can pay for the other fails', {
    tags: 'slow',
  }, async () => {
    const before = await amountOf(recipientAddress);
    const inputs = Array.from({ length: 30 }, () => aTransfer({ amountMinor: 1_000n }));
    await Promise.all(inputs.map(send));
    for (const { transferId } of inputs) await reached(transferId, 'final');
    expect(await amountOf(recipientAddress)).toBe(before + 30_000n);
    const all = aTransfer({ amountMinor: await amountOf(treasury.address) });
    const again = { ...all, transferId: randomUUID() };
    const results = await Promise.allSettled([send(all), send(again)]);
    const handedOver = [all, again].filter((_, index) => results[index]!.status === 'fulfilled');
    const statuses = () =>
      Promise.all(
        handedOver.map(
          async ({ transferId }) =>
            (await selectTreasuryTransfer(stack.ctx.store, transferId))!.status,
        ),
      );
    await eventually(statuses, (found) => found.includes('final'));
    // The other one has reverted, or fails when it cannot run any more.
    await stack.advance(7 * 3_600_000);
    const ends = await eventually(statuses, (found) => !found.includes('pending'));
    expect(ends.filter((end) => end === 'final')).toHaveLength(1);
    expect(await amountOf(treasury.address)).toBe(0n);
    await purser('fund', '--chain', chain, '--amount', '50');
  });
});

describe('a deposit of a wallet of this service', () => {
  it('is made from the instructions as they are, and known by its memo and its transaction', async () => {
    const { body: wallet } = await stack.call('POST', base, {
      body: {
        chainType: 'evm',
        owner: 'userId:payer',
        config: { adminSigner: { type: 'api-key' } },
      },
    });
    await stack.call('POST', `${fundingBase}/${wallet.address}/balances`, {
      body: { chain, token: 'usdxm', amount: 5 },
    });
    const family = stack.ctx.chains.familyOfChain(chain);
    const memo = family.deposits!.newMemo();
    const { serializedTransaction } = await family.deposits!.depositInstructions({
      chain,
      token,
      amountMinor: 3_000_000n,
      payerAddress: wallet.address,
      recipientAddress: treasury.address,
      memo,
    });
    const created = await stack.call('POST', `${base}/${wallet.address}/transactions`, {
      body: { params: { calls: [{ transaction: serializedTransaction }], chain } },
    });
    expect(created.status).toBe(201);
    const { deposits } = await eventually(
      () => listDeposits(stack.ctx.store, { projectId, status: 'final', limit: 100 }),
      (found) => found.deposits.some((deposit) => deposit.memo === memo),
    );
    expect(deposits.find((deposit) => deposit.memo === memo)).toMatchObject({
      amountMinor: 3_000_000n,
      sender: wallet.address.toLowerCase(),
      recipient: treasury.address.toLowerCase(),
      transactionId: created.body.id,
      status: 'final',
    });
  });
});

describe('purser treasury', () => {
  it('funds in development, and what comes is the operator’s', async () => {
    await purser('fund', '--chain', chain, '--amount', '7.5');
    const { deposits } = await eventually(
      () => listDeposits(stack.ctx.store, { projectId, limit: 500 }),
      (found) => found.deposits.some(({ amountMinor }) => amountMinor === 7_500_000n),
    );
    expect(deposits.find(({ amountMinor }) => amountMinor === 7_500_000n)).toMatchObject({
      resolution: 'operator-funds',
      note: 'purser treasury fund',
    });
    expect(await purser('balances', '--chain', chain)).toMatch(
      new RegExp(`${chain} +usdxm +\\d+(\\.\\d+)?`),
    );
    const balances = JSON.parse(await purser('balances', '--chain', chain, '--json')) as {
      token: { symbol: string };
      amountMinor: string;
    }[];
    expect(balances.find((balance) => balance.token.symbol === 'usdxm')!.amountMinor).toBe(
      (await amountOf(treasury.address)).toString(),
    );
  });

  it('shows what the other chains hold on which something was booked, and which one did not answer', async () => {
    const asset = 'ethereum-sepolia:native';
    await stack.ctx.store.transaction(async (tx) => {
      await registerAsset(tx, { asset, decimals: 18, symbol: 'eth' });
      const postings = [
        { account: 'equity:operator', asset, amountMinor: -1n },
        { account: 'chain:ethereum-sepolia:treasury', asset, amountMinor: 1n },
      ];
      const entry = {
        projectId,
        reference: 'test',
        kind: 'test',
        effectiveAt: new Date(),
        postings,
      };
      await postEntries(stack.ctx, tx, [entry]);
    });
    const family = stack.ctx.chains.familyOfChain(chain);
    const readBalances = family.readBalances.bind(family);
    const deaf = async (address: string, tokens: Parameters<typeof readBalances>[1]) => {
      if (tokens[0]?.chain !== chain)
        throw new ServiceError('provider-unavailable', { message: 'No node answers.' });
      return readBalances(address, tokens);
    };
    Object.assign(family, { readBalances: deaf });
    try {
      const text = await purser('balances');
      expect(text).toMatch(new RegExp(`${chain} +usdxm`));
      expect(text).toMatch(/ethereum-sepolia did not answer: No node answers\./);
      // It would start one for each of forty networks.
      expect(text).not.toContain('polygon-amoy');
      expect(JSON.parse(await purser('balances', '--json'))).toContainEqual({
        chain: 'ethereum-sepolia',
        error: 'No node answers.',
      });
      // In production nothing is started by a look: what somebody sent to a treasury on a chain
      // that the books do not name is seen.
      const ctx = {
        ...stack.ctx,
        config: { ...stack.ctx.config, environment: 'production' as const },
      };
      const { unreachable } = await readTreasuryBalances(ctx, { projectId, chainType: 'evm' });
      expect(unreachable.map((one) => one.chain)).toContain('polygon-amoy');
    } finally {
      Object.assign(family, { readBalances });
    }
  });

  it('withdraws with --yes only, to an address that can have it', async () => {
    const words = ['withdraw', '--chain', chain, '--token', 'usdxm', '--amount', '1.25'];
    await expect(purser(...words)).rejects.toThrow('--to is missing');
    await expect(purser(...words, '--to', recipientAddress)).rejects.toThrow(
      'cannot be taken back: repeat it with --yes',
    );
    await expect(purser(...words, '--to', '0x12', '--yes')).rejects.toMatchObject({
      code: 'invalid-recipient',
    });
    const before = await amountOf(recipientAddress);
    const { transferId } = JSON.parse(
      await purser(...words, '--to', recipientAddress, '--yes', '--json'),
    ) as { transferId: string };
    expect(await reached(transferId, 'final')).toMatchObject({
      subject: 'operator:withdrawal',
      amountMinor: 1_250_000n,
    });
    expect(await amountOf(recipientAddress)).toBe(before + 1_250_000n);
    const entries = await readEntries(stack.ctx.store, {
      projectId,
      account: `chain:${chain}:treasury`,
      limit: 1_000,
    });
    expect(entries.filter(({ kind }) => kind === 'withdrawal')).toMatchObject([
      {
        reference: `withdrawal:${transferId}`,
        postings: [
          { account: 'equity:operator', amountMinor: 1_250_000n },
          { account: `chain:${chain}:treasury`, amountMinor: -1_250_000n },
        ],
      },
    ]);
    expect(JSON.parse(await purser('transfers', '--limit', '1', '--json'))).toMatchObject([
      { id: transferId, amountMinor: '1250000' },
    ]);
  });

  it('writes into the audit log who took money out and where it went', async () => {
    await purser(...withdrawal('0.5'), '--note', 'to the cold wallet');
    const [entry] = await auditEntries();
    expect(entry).toMatchObject({
      action: 'treasury.withdraw',
      actor: { kind: 'command-line' },
      reason: 'to the cold wallet',
      changed: { chain, token: 'usdxm', amount: '0.5', to: recipientAddress },
    });
    expect(entry!.subject).toMatch(/^treasury-transfer:[0-9a-f-]{36}$/);
  });

  it('takes a second person above the limit, with what was taken out that day, and nothing leaves until then', async () => {
    const { config } = stack.ctx;
    const limited = {
      ...stack.ctx,
      config: { ...config, secondPersonAbove: new Map([['usdxm', '5']]) },
    };
    const before = await selectTransfers(stack.ctx.store, { projectId, limit: 100 });
    await expect(purserOf(limited, ...withdrawal('5.000001'))).rejects.toThrow('5.000001 USDXM');
    await purserOf(limited, ...withdrawal('4'));
    await expect(purserOf(limited, ...withdrawal('1.000001'))).rejects.toThrow(
      'is more than one person decides: one operator signs it in the console',
    );
    await purserOf(limited, ...withdrawal('1'));
    const after = await selectTransfers(stack.ctx.store, { projectId, limit: 100 });
    expect(after.length - before.length).toBe(2);
  });

  it('says what is missing or unknown', async () => {
    await expect(purser('fly')).rejects.toThrow('Unknown command "treasury fly"');
    await expect(purser('fund', '--chain', chain)).rejects.toThrow('--chain, --token and --amount');
    await expect(purser('transfers', '--limit', '0')).rejects.toThrow('from 1 to 500');
    await expect(purser(...withdrawal('0'))).rejects.toThrow('greater than zero');
    expect(await purser()).toContain('purser treasury withdraw');
  });
});
