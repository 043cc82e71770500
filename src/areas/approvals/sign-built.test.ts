import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Stack, startStack } from '../../../test/harness/stack.ts';
import { addressBytes } from '../../chains/aptos/encoding/addresses.ts';
import { readOperation, writeBuilt } from '../../chains/aptos/operation/stored.ts';
import { newAddress } from '../../chains/aptos/testing/world.ts';
import type { ChainFamily } from '../../chains/family.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { signBuilt } from './sign-built.ts';

let stack: Stack;
let family: ChainFamily;
beforeAll(async () => {
  stack = await startStack({ families: ['aptos'], worker: false });
  family = stack.ctx.chains.family('aptos');
});
afterAll(() => stack?.close());

interface Asked {
  readonly walletId: string;
  readonly projectId: string;
  readonly operation: JsonObject;
}

/** A wallet with an operation that waits for the relay. */
async function anOperation(): Promise<Asked> {
  const { body: wallet } = await stack.call('POST', '/2025-06-09/wallets', {
    body: { chainType: 'aptos', type: 'mpc' },
  });
  const mint = {
    method: 'POST',
    body: JSON.stringify({ address: wallet.address, amount: '10000000' }),
  };
  expect((await fetch(`${stack.urlOf('aptos')}/v1/mint`, mint)).status).toBe(200);
  const path = `/2025-06-09/wallets/${wallet.address}/tokens/aptos:apt/transfers`;
  const { body, status } = await stack.call('POST', path, {
    body: { recipient: newAddress(), amount: '0.01' },
  });
  expect(status).toBe(201);
  const { rows } = await stack.ctx.store.query<{
    wallet_id: string;
    project_id: string;
    operation: JsonObject;
  }>({
    text: 'select wallet_id, project_id, operation from operation_intents where operation_id = $1',
    values: [body.id],
  });
  const [row] = rows;
  return { walletId: row!.wallet_id, projectId: row!.project_id, operation: row!.operation };
}

const builtOf = ({ operation }: Pick<Asked, 'operation'>) =>
  writeBuilt(readOperation(operation).rawBytes, addressBytes(newAddress()));
const sign = (asked: Asked, built = builtOf(asked)) =>
  signBuilt(stack.ctx, family, { ...asked, built }, { isTransferOf: async () => false });

it('the key of a wallet signs what was built for an operation of that wallet, and of no other', async () => {
  const [one, other] = [await anOperation(), await anOperation()];
  expect(await sign(one)).toHaveLength(64);
  await expect(sign({ ...one, walletId: other.walletId })).rejects.toThrow(
    /was changed behind the service/,
  );
  await expect(sign({ ...one, projectId: randomUUID() })).rejects.toThrow(
    /was changed behind the service/,
  );
  await expect(sign({ ...one, walletId: randomUUID() })).rejects.toThrow(
    /was changed behind the service/,
  );
  await expect(sign(one, builtOf(other))).rejects.toThrow('its transaction is another one');
});

it('a wallet that somebody gave the key of another one signs nothing', async () => {
  const [victim, thief] = [await anOperation(), await anOperation()];
  await stack.ctx.store.query({
    text: 'update wallets set admin_signer = (select admin_signer from wallets where id = $2), address = (select address from wallets where id = $2) where id = $1',
    values: [thief.walletId, victim.walletId],
  });
  await expect(sign({ ...victim, walletId: thief.walletId })).rejects.toThrow(
    /was changed behind the service/,
  );
  expect(await sign(victim)).toHaveLength(64);
});
