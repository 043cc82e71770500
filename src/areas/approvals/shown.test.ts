import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Signer } from '../../chains/family.ts';
import { rowMacMetrics } from '../../store/row-mac.ts';
import type { WalletRecord } from '../wallets/index.ts';
import { checkApprovals } from './approvals.ts';
import { makeFirstApprovals } from './first.ts';
import {
  type ApprovalsWorld,
  anAddress,
  anExternalWallet,
  approvalOf,
  chain,
  startApprovalsWorld,
} from './test-kit.ts';

let world: ApprovalsWorld;
let signer: Signer;
let wallet: WalletRecord;
beforeAll(async () => {
  world = await startApprovalsWorld([]);
  signer = await world.anApiKeySigner();
  wallet = await world.aWallet({ adminSigner: signer });
});
afterAll(() => world?.close());

const message = `0x${'11'.repeat(32)}`;
const row = { table: 'transactions', id: 'a row' } as const;

describe('an approval', () => {
  const differences: [string, () => object][] = [
    ['another message than was shown', () => ({ message: `0x${'22'.repeat(32)}` })],
    ['another wallet', () => ({ wallet: anAddress('another') })],
  ];
  it.each(differences)('is neither given by custody nor taken for %s', async (_, difference) => {
    const shown = {
      family: world.family,
      wallet,
      chain,
      row,
      signable: { message, wallet: wallet.address, ...difference() },
    };
    const before = rowMacMetrics().changed;
    await expect(
      makeFirstApprovals(world.ctx, { ...shown, signer, message }),
    ).rejects.toMatchObject({ code: 'internal-error' });
    const ann = anExternalWallet('ann');
    const given = {
      ...approvalOf(ann, shown.signable.message),
      signer: ann,
      message,
      submittedAt: 0,
    };
    await expect(checkApprovals(world.ctx, shown, [given])).rejects.toMatchObject({
      code: 'internal-error',
    });
    expect(rowMacMetrics().changed).toBe(before + 2);
  });

  it('is neither given nor taken for another chain', async () => {
    const shown = {
      family: world.family,
      wallet,
      chain: 'base',
      row,
      signable: { message, wallet: wallet.address },
    };
    await expect(
      makeFirstApprovals(world.ctx, { ...shown, signer, message }),
    ).rejects.toMatchObject({ code: 'internal-error' });
  });

  it('of an api-key signer is not given with the key of another purpose or project, whatever the wallet names', async () => {
    const shown = { family: world.family, chain, row, message };
    const attempts: [WalletRecord, Signer][] = [
      [wallet, await world.anApiKeySigner('email-x')],
      [{ ...wallet, projectId: '00000000-0000-4000-8000-000000000000' }, signer],
    ];
    for (const [named, by] of attempts)
      await expect(
        makeFirstApprovals(world.ctx, {
          ...shown,
          wallet: named,
          signer: by,
          signable: { message, wallet: named.address },
        }),
      ).rejects.toThrow('does not sign for');
  });
});
