import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTransaction } from '../../src/areas/transactions/index.ts';
import { requireTreasury, sendFromTreasury } from '../../src/areas/treasury/index.ts';
import { toFamilyWallet } from '../../src/areas/wallets/index.ts';
import { newAddress } from '../../src/chains/aptos/testing/world.ts';
import { addIntents } from '../../src/chains/family/late/store.ts';
import type { Ctx } from '../../src/context.ts';
import { createSealer } from '../../src/lib/sealing/seal.ts';
import { Secret } from '../../src/lib/sealing/secret.ts';
import { composeCtx } from '../../src/processes/compose.ts';
import { createLocalCustody } from '../../src/providers/custody/local.ts';
import { apiRole, asRole } from '../../src/store/grants.ts';
import { rowMacMetrics } from '../../src/store/row-mac.ts';
import { type Stack, startStack } from '../harness/stack.ts';

/**
 * A thief with the host of the API: its database, its key-encryption keys, its code. The worker's
 * host is another one.
 */

const chain = 'base-sepolia';
const thief = '0x000000000000000000000000000000000000dEaD';

let stack: Stack;
let stolen: Ctx;
beforeAll(async () => {
  stack = await startStack({ families: ['aptos'] });
  stolen = await composeCtx(
    { ...stack.ctx.config, treasuryKeyEncryptionKeys: [] },
    { log: stack.ctx.log, process: 'stolen' },
  );
});
afterAll(async () => {
  await stolen?.store.close();
  await stack?.close();
});

describe('who has the API’s host empties no treasury', () => {
  it('not by the service’s own way, nor with the sealed key, nor with one made in its place', async () => {
    const { projectId } = stack.api;
    // The worker makes it; whoever serves callers finds it there.
    const wallet = await requireTreasury(stolen, { projectId, chainType: 'evm' });
    await stack.ctx.chains.familyOfChain(chain).funding!.fund({
      chain,
      token: await stack.ctx.chains.familyOfChain(chain).resolveToken(chain, { symbol: 'usdxm' }),
      amountMinor: 10_000_000n,
      recipientAddress: wallet.address,
      reference: wallet.id,
    });
    const token = await stolen.chains.familyOfChain(chain).resolveToken(chain, { symbol: 'usdxm' });
    const sending = {
      projectId,
      subject: 'theft',
      chain,
      token,
      amountMinor: 10_000_000n,
      recipientAddress: thief,
    };
    const transferId = stolen.ids.uuid();
    await expect(sendFromTreasury(stolen, { ...sending, transferId })).rejects.toThrow(
      'opened by the worker only',
    );

    const own = createLocalCustody({ sealer: createSealer(stolen.config.keyEncryptionKeys) });
    const bypassing = { ...stolen, providers: { ...stolen.providers, custody: own } };
    await expect(sendFromTreasury(bypassing, { ...sending, transferId })).rejects.toMatchObject({
      name: 'SealError',
    });

    const everyday = await own.ensureKey(stolen.store, {
      projectId,
      curve: 'secp256k1',
      purpose: 'api-key',
    });
    const named = {
      ...wallet,
      purpose: undefined,
      adminSigner: { ...wallet.adminSigner, keyId: everyday.keyId },
    };
    const caller = {
      projectId,
      environment: 'development',
      keyKind: 'server',
      keyId: 'k',
      scopes: new Set<string>(),
    } as const;
    const params = { chain, calls: [{ to: thief, value: '0', data: '0x' }] };
    const made = await createTransaction(
      { ...bypassing, caller, requestId: 'r' },
      { wallet: named as never, params },
    ).catch(() => undefined);
    if (made)
      expect(
        await stack.waitForTransaction(wallet.address, made.id).catch(() => ({ status: 'failed' })),
      ).toMatchObject({
        status: 'failed',
      });

    // The worker still can.
    await sendFromTreasury(stack.ctx, {
      ...sending,
      transferId,
      recipientAddress: '0x000000000000000000000000000000000000bEEF',
    });
    expect(await stack.waitForTransaction(wallet.address, transferId)).toMatchObject({
      status: 'success',
    });
  });

  it('not with a transfer that he seals and writes into the queue of the relay, where keys sign when it sends', async () => {
    const { projectId } = stack.api;
    const { database } = stack.ctx.config;
    const url = new Secret(asRole(database.url.reveal(), apiRole));
    const host = await composeCtx(
      { ...stack.ctx.config, treasuryKeyEncryptionKeys: [], database: { ...database, url } },
      { log: stack.ctx.log, process: 'stolen-aptos' },
    );
    const family = host.chains.family('aptos');
    const token = await family.resolveToken('aptos', { symbol: 'usdxm' });
    const treasury = await requireTreasury(stack.ctx, { projectId, chainType: 'aptos' });
    const amountMinor = 10_000_000n;
    const { funding } = stack.ctx.chains.family('aptos');
    const recipientAddress = treasury.address;
    const reference = treasury.id;
    await funding!.fund({ chain: 'aptos', token, amountMinor, recipientAddress, reference });
    const held = async (address: string) =>
      (await family.readBalances(address, [token]))[0]!.amountMinor;
    const wallet = toFamilyWallet(treasury);
    const robber = newAddress();
    const transfer = { wallet, chain: 'aptos', token, amountMinor, recipientAddress: robber };
    const { operation } = await family.prepareOperation({
      wallet,
      params: await family.transferParams(transfer),
      signer: treasury.adminSigner,
      now: host.clock.now(),
      transfer,
    });
    const operationId = host.ids.uuid();
    const sending = { projectId, subject: 'theft', chain: 'aptos', token, amountMinor };
    await expect(
      sendFromTreasury(host, { ...sending, transferId: operationId, recipientAddress: robber }),
    ).rejects.toThrow(/permission denied/);
    const alarms = rowMacMetrics().changed;
    const intent = { operationId, projectId, wallet, chain: 'aptos', operation, approvals: [] };
    await host.store.transaction((tx) =>
      family.submitOperations(tx, [{ ...intent, subject: 'transaction' }]),
    );
    await expect.poll(() => rowMacMetrics().changed, { timeout: 20_000 }).toBeGreaterThan(alarms);
    const row = async () =>
      (
        await stack.ctx.store.query({
          text: 'select status, raw from operation_intents where operation_id = $1',
          values: [operationId],
        })
      ).rows;
    // Refused for good: it ends, and was never signed.
    await expect.poll(row, { timeout: 20_000 }).toEqual([{ status: 'settled', raw: null }]);
    await host.store.close();

    // The worker still can.
    const [transferId, supplier] = [host.ids.uuid(), newAddress()];
    await sendFromTreasury(stack.ctx, { ...sending, transferId, recipientAddress: supplier });
    expect(await stack.waitForTransaction(treasury.address, transferId)).toMatchObject({
      status: 'success',
    });
    expect([await held(robber), await held(supplier)]).toEqual([0n, amountMinor]);
  });

  it('not with an operation of another chain that he seals under the id of a transfer, and that fails: the transfer is not sent once more', async () => {
    const { projectId } = stack.api;
    const { store } = stack.ctx;
    const family = stack.ctx.chains.familyOfChain(chain);
    const transferId = stack.ctx.ids.uuid();
    const token = await family.resolveToken(chain, { symbol: 'usdxm' });
    const treasury = await requireTreasury(stack.ctx, { projectId, chainType: 'evm' });
    const { address: recipientAddress } = treasury;
    const reference = stack.ctx.ids.uuid();
    await family.funding!.fund({ chain, token, amountMinor: 1n, recipientAddress, reference });
    await sendFromTreasury(stack.ctx, {
      transferId,
      projectId,
      subject: 'payment',
      chain,
      token,
      amountMinor: 1n,
      recipientAddress: '0x000000000000000000000000000000000000bEEF',
      afterwards: (tx) => family.withholdOperations(tx, [transferId]),
    });
    await stolen.store.transaction((tx) => addIntents(tx, [aForgedIntent(transferId, projectId)]));
    const rowsOf = async (table: string) =>
      (
        await store.query<{ status: string }>({
          text: `select status from ${table} where ${table === 'operation_intents' ? 'operation_id' : 'id'} = $1`,
          values: [transferId],
        })
      ).rows;
    await expect
      .poll(() => rowsOf('operation_intents'), { timeout: 20_000 })
      .toEqual([{ status: 'settled' }]);
    expect(await rowsOf('treasury_transfers')).toEqual([{ status: 'pending' }]);
    await store.transaction((tx) => family.releaseOperations(tx, [transferId]));
    expect(await stack.waitForTransaction(treasury.address, transferId)).toMatchObject({
      status: 'success',
    });
  });
});

/** One whose time is over as it comes: no chain has it, and none will. */
const aForgedIntent = (operationId: string, projectId: string) => ({
  operationId,
  projectId,
  subject: 'treasury-transfer',
  owner: 'userId:thief',
  chain: 'aptos',
  walletId: operationId,
  operation: {},
  costMax: 1n,
  validUntil: new Date(0),
});
