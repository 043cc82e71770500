import { randomUUID } from 'node:crypto';
import { getCompiledTransactionMessageEncoder } from '@solana/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rowMacsOf } from '../../../store/row-mac.ts';
import { instructionsOf, readMessage } from '../operation/message.ts';
import { approvedDigest } from '../signing/p256-message.ts';
import { ed25519Signer, openSmartWallets, p256Signer } from '../testing/smart.ts';
import { newAddress, openWorld, type World } from '../testing/world.ts';
import { solanaOperations } from './queue/store.ts';

const { sealed } = solanaOperations;

let world: World;
let smart: ReturnType<typeof openSmartWallets>;
beforeAll(async () => {
  world = await openWorld();
  smart = openSmartWallets(world);
  await smart.install();
  await world.start({ walletProgram: smart.program });
});
afterAll(() => world?.close());

const query = async (text: string, ...values: unknown[]) =>
  (await world.database.store.query<{ message: Buffer }>({ text, values })).rows;

/**
 * With the password and the keys of the API: the same message once more, bound to its nonce again,
 * and sealed.
 */
async function writeAgain(operationId: string): Promise<string> {
  const [again, lease] = [randomUUID(), randomUUID()];
  const [found] = await query(
    'select message from solana_operations where operation_id = $1',
    operationId,
  );
  const [advance] = instructionsOf(readMessage(new Uint8Array(found!.message)), {});
  const nonce = advance!.accounts[0]!.address;
  await world.until(
    async () =>
      (await query(`select 1 from solana_nonces where address = $1 and status = 'free'`, nonce))
        .length > 0,
    'its nonce',
  );
  await world.database.store.transaction(async (tx) => {
    await tx.query({
      text: `update solana_nonces set status = 'leased', lease = $1, wallet = 'thief', lease_until = now() + interval '1 hour' where address = $2`,
      values: [lease, nonce],
    });
    const { rows } = await tx.query<Parameters<typeof sealed.toSealed>[0]>({
      text: `insert into solana_operations (operation_id, subject, project_id, owner, chain, wallet, lease, message, signatures, cost_max, valid_until)
        select $2, subject, project_id, owner, chain, wallet, $3, message, signatures, cost_max, now() + interval '1 hour' from solana_operations
        where operation_id = $1 returning ${sealed.columns}`,
      values: [operationId, again, lease],
    });
    const mac = rowMacsOf(tx).seal(sealed.toSealed(rows[0]!));
    await tx.query({
      text: 'update solana_operations set mac = $2 where operation_id = $1',
      values: [again, mac],
    });
  });
  return again;
}

it.each([
  ['a passkey', () => p256Signer('passkey')],
  ['a key', () => ed25519Signer()],
])(
  'what %s approved and was told as failed is not run later, whoever writes it into the queue again',
  async (_, make) => {
    const admin = make();
    const wallet = await smart.aWallet({ adminSigner: admin.signer }, { tokens: 10n });
    const to = newAddress();
    const prepared = await smart.prepareTransfer(wallet, admin, { amount: 10n, to });
    await world.giveTokens(wallet.address, 1n);
    const operationId = await smart.submit(wallet, prepared, [admin]);
    expect((await world.outcomeOf(operationId)).status).toBe('failed');
    await world.giveTokens(wallet.address, 100n);
    const again = await world.outcomeOf(await writeAgain(operationId));
    expect(again).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('told as failed') },
    });
    expect(await world.tokensOf(to)).toBe(0n);
    // Made anew it is another one.
    expect(
      (
        await smart.run(wallet, await smart.prepareTransfer(wallet, admin, { amount: 10n, to }), [
          admin,
        ])
      ).status,
    ).toBe('success');
  },
);

it('what a passkey approved is the same with another value of its nonce', async () => {
  const passkey = p256Signer('passkey');
  const wallet = await smart.aWallet({ adminSigner: passkey.signer }, { tokens: 10n });
  const prepared = await smart.prepareTransfer(wallet, passkey, { amount: 1n, to: newAddress() });
  const [found] = await query(
    'select message from solana_operations where operation_id = $1',
    await smart.submit(wallet, prepared, [passkey]),
  );
  const bytes = new Uint8Array(found!.message);
  const other = { ...readMessage(bytes), lifetimeToken: newAddress() };
  const later = new Uint8Array(getCompiledTransactionMessageEncoder().encode(other as never));
  expect(later).not.toEqual(bytes);
  expect(approvedDigest(later)).toEqual(approvedDigest(bytes));
  const different = await smart.prepareTransfer(wallet, passkey, { amount: 1n, to: newAddress() });
  const id = await smart.submit(wallet, different, [passkey]);
  const [row] = await query('select message from solana_operations where operation_id = $1', id);
  expect(approvedDigest(new Uint8Array(row!.message))).not.toEqual(approvedDigest(bytes));
});
