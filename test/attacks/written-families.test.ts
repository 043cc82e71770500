import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueKey, scopesOf } from '../../src/areas/api-keys/index.ts';
import { createProject } from '../../src/areas/projects/index.ts';
import { rowMacMetrics } from '../../src/store/row-mac.ts';
import type { CallAnswer } from '../harness/http.ts';
import { type Stack, startStack } from '../harness/stack.ts';
import {
  type ClientAccount,
  pendingOf,
  solanaClient,
  stellarClient,
} from '../interface/client-chains.ts';
import { mpcChains } from '../interface/mpc-chains.ts';

/**
 * As written-database.test.ts, on the other families: a thief who writes the main database, and has
 * an account of his own with the service. Wallets hold ten dollars; each attack ends with as many.
 */

type Body = CallAnswer['body'];
let stack: Stack;
let thiefKey: string;
let thiefProjectId: string;
beforeAll(async () => {
  stack = await startStack({ families: mpcChains.map(({ chainType }) => chainType) });
  thiefProjectId = (await createProject(stack.ctx, { name: 'Thief' })).id;
  thiefKey = (
    await issueKey(stack.ctx, {
      projectId: thiefProjectId,
      kind: 'server',
      scopes: scopesOf('server'),
    })
  ).key;
});
afterAll(() => stack?.close());

const sql = async <Row extends object>(text: string, values: readonly unknown[] = []) =>
  (await stack.ctx.store.query<Row>({ text, values })).rows;
const pathOf = (locator: string, rest = '') => `/2025-06-09/wallets/${locator}${rest}`;
const transferOf = (recipient: string, amount: string) => ({ body: { recipient, amount } });

async function aFundedWallet(chain: string, body: object): Promise<string> {
  const created = await stack.call('POST', '/2025-06-09/wallets', {
    body: { chainType: chain, ...body },
  });
  expect([created.status, created.text]).toEqual([201, expect.any(String)]);
  const { address } = created.body as { address: string };
  const funded = await stack.call('POST', `/v1-alpha2/wallets/${address}/balances`, {
    body: { amount: 10, token: 'usdxm', chain },
  });
  expect([funded.status, funded.text]).toEqual([201, expect.any(String)]);
  return address;
}

async function heldBy(address: string, chain: string): Promise<string> {
  const family = stack.ctx.chains.familyOfChain(chain);
  const token = await family.resolveToken(chain, { symbol: 'usdxm' });
  const { amountMinor } = (await family.readBalances(address, [token]))[0]!;
  return (Number(amountMinor) / 10 ** token.decimals).toString();
}

/** Nothing left the wallet, and the caller was told so. */
async function expectRefused(
  chain: string,
  address: string,
  answer: { status: number; text: string; body: Body },
): Promise<void> {
  if (answer.status < 300 && answer.body.status === 'pending')
    await stack.waitForTransaction(address, answer.body.id).catch(() => undefined);
  expect(await heldBy(address, chain)).toBe('10');
  expect([answer.status >= 400, answer.text]).toEqual([
    true,
    expect.stringContaining('internal-error'),
  ]);
}

const copyRow = (address: string) =>
  sql(
    `insert into wallets select (jsonb_populate_record(w, jsonb_build_object('id', $1::uuid, 'project_id', $2::uuid))).* from wallets w where address = $3`,
    [randomUUID(), thiefProjectId, address],
  );

describe.each([solanaClient, stellarClient])(
  'a thief who writes the database moves nothing of a smart wallet on $chainType',
  (client) => {
    const { chain, token, account, somebody: thief } = client;
    const transfers = (address: string) => pathOf(address, `/tokens/${token}/transfers`);
    const ownedBy = ({ address }: ClientAccount) => ({
      type: 'smart',
      config: { adminSigner: { type: 'external-wallet', address } },
    });
    const approve = async (wallet: string, owner: ClientAccount, object: Body) => {
      const approvals = [
        { signer: `external-wallet:${owner.address}`, signature: await owner.sign(object) },
      ];
      return stack.call('POST', pathOf(wallet, `/transactions/${object.id}/approvals`), {
        body: { approvals },
      });
    };

    it('A: with a copy of a wallet’s row under his own project', async () => {
      const address = await aFundedWallet(chain, {
        type: 'smart',
        config: { adminSigner: { type: 'api-key' } },
      });
      await copyRow(address);
      await expectRefused(
        chain,
        address,
        await stack.call('POST', transfers(address), { key: thiefKey, ...transferOf(thief, '10') }),
      );
    });

    it('B: with a wallet of somebody whose admin he names an api-key signer', async () => {
      const address = await aFundedWallet(chain, ownedBy(account()));
      await sql(
        `update wallets set admin_signer = admin_signer || '{"type": "api-key"}' where address = $1`,
        [address],
      );
      await expectRefused(
        chain,
        address,
        await stack.call('POST', transfers(address), transferOf(thief, '10')),
      );
    });

    it('D: with another operation and its message where an external wallet is asked for an approval', {
      tags: 'slow',
    }, async () => {
      const owner = account();
      const address = await aFundedWallet(chain, ownedBy(owner));
      const [asked, theft] = [
        (await stack.call('POST', transfers(address), transferOf(thief, '1'))).body,
        (await stack.call('POST', transfers(address), transferOf(thief, '10'))).body,
      ];
      await sql(
        `update transactions t set operation = o.operation, on_chain = o.on_chain, approvals = o.approvals from transactions o where t.id = $1 and o.id = $2`,
        [asked.id, theft.id],
      );
      const shown = await stack.call('GET', pathOf(address, `/transactions/${asked.id}`));
      // What his page would show the owner instead, with its right message.
      const object = shown.status === 200 ? shown.body : { ...theft, id: asked.id };
      expect(pendingOf(theft)).toHaveLength(1);
      await expectRefused(chain, address, await approve(address, owner, object));
    });

    it('E: with what another operation is shown as, so that who signs it approves that one', async () => {
      const owner = account();
      const address = await aFundedWallet(chain, ownedBy(owner));
      const [asked, theft] = [
        (await stack.call('POST', transfers(address), transferOf(thief, '1'))).body,
        (await stack.call('POST', transfers(address), transferOf(thief, '10'))).body,
      ];
      await sql(
        'update transactions t set on_chain = o.on_chain from transactions o where t.id = $1 and o.id = $2',
        [asked.id, theft.id],
      );
      const shown = await stack.call('GET', pathOf(address, `/transactions/${asked.id}`));
      const approved =
        shown.status === 200
          ? await stack.call('POST', pathOf(address, `/transactions/${theft.id}/approvals`), {
              body: {
                approvals: [
                  {
                    signer: `external-wallet:${owner.address}`,
                    signature: await owner.sign(shown.body),
                  },
                ],
              },
            })
          : shown;
      await expectRefused(chain, address, approved);
    });

    it('G: with an operation, approved for one wallet, in the row of another', {
      tags: 'slow',
    }, async () => {
      const owner = account();
      const [address, other] = [
        await aFundedWallet(chain, ownedBy(owner)),
        await aFundedWallet(chain, { ...ownedBy(owner), owner: 'userId:g' }),
      ];
      const { body: created } = await stack.call(
        'POST',
        transfers(address),
        transferOf(thief, '10'),
      );
      await sql(
        'update transactions set wallet_id = (select id from wallets where address = $2) where id = $1',
        [created.id, other],
      );
      await expectRefused(chain, other, await approve(other, owner, created));
      expect(await heldBy(address, chain)).toBe('10');
    });
  },
);

describe.each(mpcChains)(
  'a thief who writes the database moves nothing of a wallet of type mpc on $chainType',
  ({ chainType: chain, freshAddress }) => {
    const transfer = (address: string, recipient: string, options: { key?: string } = {}) =>
      stack.call('POST', pathOf(address, `/tokens/${chain}:usdxm/transfers`), {
        ...options,
        ...transferOf(recipient, '10'),
      });

    it('A: with a copy of a wallet’s row under his own project', async () => {
      const address = await aFundedWallet(chain, { type: 'mpc' });
      await copyRow(address);
      await expectRefused(
        chain,
        address,
        await transfer(address, freshAddress(), { key: thiefKey }),
      );
    });

    it.each([
      ['the budget of another owner', "new.owner = 'userId:victim'"],
      ['the budget of another project', `new.project_id = '${randomUUID()}'`],
    ])(
      'I: with %s in an operation that waits to be sent: it is not sent, and an alarm names it',
      { tags: 'slow' },
      async (_what, change) => {
        const table = chain === 'solana' ? 'solana_operations' : 'operation_intents';
        const address = await aFundedWallet(chain, { type: 'mpc' });
        const alarms = rowMacMetrics().changed;
        await sql(
          `create function move_row() returns trigger language plpgsql as $$ begin ${change}; return new; end $$`,
        );
        await sql(
          `create trigger move_row before insert on ${table} for each row execute function move_row()`,
        );
        try {
          expect((await transfer(address, freshAddress())).status).toBe(201);
        } finally {
          await sql(`drop trigger move_row on ${table}`);
          await sql('drop function move_row');
        }
        await expect
          .poll(() => rowMacMetrics().changed, { timeout: 20_000 })
          .toBeGreaterThan(alarms);
        await delay(500);
        expect(await heldBy(address, chain)).toBe('10');
        expect(await sql(`select 1 from fee_spent where owner = 'userId:victim'`)).toEqual([]);
      },
    );
  },
);
