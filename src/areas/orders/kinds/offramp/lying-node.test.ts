import { decodeFunctionData, encodeFunctionResult } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addresses, batchExecutorAbi } from '../../../../../contracts/index.ts';
import type { CallAnswer } from '../../../../../test/harness/http.ts';
import { type Stack, startStack } from '../../../../../test/harness/stack.ts';
import { relayStatus } from '../../../../chains/evm/relay/index.ts';
import {
  type FaultProxy,
  startFaultProxy,
} from '../../../../chains/evm/relay/testing/fault-proxy.ts';
import { selectFinalHeight } from '../../../../chains/evm/watcher/index.ts';
import { eventually } from '../../../../jobs/test-kit.ts';
import { aUsBody } from '../../../../vault/testing/methods-kit.ts';
import { reconcileProject } from '../../../reconciliation/index.ts';
import { requireTreasury, selectTreasuryTransfer } from '../../../treasury/index.ts';
import { payoutOf } from '../../legs/payout/fact.ts';
import { selectRefundsOfOrder } from '../../legs/refund/store.ts';
import { refuseHold, releaseHold } from '../../operator/operator.ts';
import { writeOwnSettings } from '../../pricing/index.ts';
import { selectOrder } from '../../state/store.ts';
import type { OrderRecord } from '../../state/types.ts';

/**
 * Deposits that a node makes up: nothing leaves for them. And transfers of the treasury whose
 * refusal it makes up: nothing leaves twice.
 */

const chain = 'base-sepolia';
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const secondNode = (urlOf: (name: string) => string) => ({
  secondRpcUrls: new Map([[chain, urlOf(chain)]]),
});

interface World {
  readonly stack: Stack;
  readonly node: FaultProxy;
  readonly treasury: string;
  readonly token: string;
  readonly payer: string;
  /** An order that waits for 50 USDXM. */
  order(): Promise<OrderRecord>;
  /** An order that pays 50 USDXM out to a bank, to which its payer sends this much. */
  paid(amountMinor: bigint): Promise<string>;
  read(orderId: string): Promise<OrderRecord>;
}

const word = (value: bigint) => value.toString(16).padStart(64, '0');

async function startWorld(options: Partial<Parameters<typeof startStack>[0]> = {}): Promise<World> {
  const node = await startFaultProxy('');
  const throughProxy = (url: string) => {
    node.target = url;
    return node.url;
  };
  const stack = await startStack({
    vault: true,
    nodeOf: (name, url) => (name === chain ? throughProxy(url) : url),
    ...options,
  });
  const { ctx } = stack;
  const { projectId } = stack.api;
  await writeOwnSettings(ctx, { projectId, settings: { kycRequired: false } });
  const { address: treasury } = await requireTreasury(ctx, { projectId, chainType: 'evm' });
  const token = await stack.tokenAddress(chain, 'usdxm');
  const { body } = await stack.call('POST', '/2025-06-09/wallets', {
    body: {
      chainType: 'evm',
      type: 'smart',
      owner: 'userId:alice',
      config: { adminSigner: { type: 'api-key' } },
    },
  });
  const payer: string = body.address;
  for (let times = 0; times < 5; times++) {
    const funded = await stack.call('POST', `/v1-alpha2/wallets/${payer}/balances`, {
      body: { amount: 100, token: 'usdxm', chain },
    });
    expect([funded.status, funded.text]).toEqual([201, expect.any(String)]);
  }
  await stack.setNativeBalance(chain, payer, 10n ** 18n);
  await stack.chainCall(chain, 'anvil_impersonateAccount', [payer]);
  await eventually(
    'the chain is followed',
    async () => (await selectFinalHeight(ctx.store, chain)) !== undefined,
  );
  const method = await stack.vault!.call('POST', '/unstable/payment-methods', {
    key: stack.api.serverKey,
    body: aUsBody({}, {}),
  });
  const read = async (orderId: string) =>
    (await selectOrder(ctx.store, { by: 'id', id: orderId }))!;
  const order = async () => {
    const created: CallAnswer = await stack.call('POST', '/2022-06-09/orders', {
      body: {
        recipient: { paymentMethodId: method.body.paymentMethodId },
        payment: {
          method: chain,
          currency: 'usdxm',
          payerAddress: payer,
          receiptEmail: 'alice@example.com',
        },
        lineItems: {
          currencyLocator: 'fiat:usd',
          executionParameters: { mode: 'exact-in', amount: '50' },
        },
      },
    });
    expect([created.status, created.text]).toEqual([201, expect.any(String)]);
    return read(created.body.order.orderId);
  };
  return {
    stack,
    node,
    treasury,
    token,
    payer,
    read,
    order,
    async paid(amountMinor) {
      const { id: orderId, memo } = await order();
      const data = `0xa9059cbb${treasury.slice(2).padStart(64, '0')}${word(amountMinor)}${memo!.slice(2)}`;
      await stack.chainCall(chain, 'eth_sendTransaction', [{ from: payer, to: token, data }]);
      return orderId;
    },
  };
}

interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** An answer with other logs, wherever they are in it. */
function changeLogs(change: (log: Log) => Log): (value: unknown) => unknown {
  const changed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(changed);
    if (typeof value !== 'object' || value === null) return value;
    if ('topics' in value) return change(value as unknown as Log);
    return 'logs' in value ? { ...value, logs: changed(value.logs) } : value;
  };
  return changed;
}

/**
 * The node tells of transfers of one unit to the treasury as if they were of 50 tokens, in every
 * answer.
 */
function inflate(
  { node, treasury }: World,
  also: (method: string, params: readonly unknown[]) => unknown = () => undefined,
): void {
  const isOurs = ({ topics }: Log) =>
    topics[0] === transferTopic && topics[2]?.endsWith(treasury.slice(2).toLowerCase()) === true;
  const blow = changeLogs((log) =>
    isOurs(log) ? { ...log, data: `0x${word(50_000_000n)}` } : log,
  );
  node.lie = (call, result) => also(call.method, call.params ?? []) ?? blow(result);
}

const worlds: World[] = [];
afterAll(async () => {
  for (const { stack, node } of worlds) {
    await stack.close();
    await node.close();
  }
});

async function expectHeld(world: World, orderId: string, words: RegExp): Promise<void> {
  await eventually('it is decided', async () => {
    const order = await world.read(orderId);
    return order.state === 'on_hold' || payoutOf(order) !== undefined;
  });
  const order = await world.read(orderId);
  expect([order.state, payoutOf(order), order.attention]).toEqual([
    'on_hold',
    undefined,
    expect.stringMatching(words),
  ]);
}

const untilPaid = (world: World, orderId: string) =>
  eventually(
    'the bank has it',
    async () => payoutOf(await world.read(orderId))?.submittedAt !== undefined,
  );

describe('with a second node', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ evm: secondNode });
    worlds.push(world);
  }, 180_000);
  afterEach(() => {
    world.node.lie = (_call, result) => result;
  });

  it('a deposit that only the first one tells of is not paid out: the order waits and says why', async () => {
    inflate(world);
    await expectHeld(world, await world.paid(1n), /second node does not have 50000000 of/);
  });

  it('an honest one is paid out', { tags: 'slow' }, async () => {
    await untilPaid(world, await world.paid(50_000_000n));
  });

  it('what the treasury holds is asked of both: a difference between them is an alarm, also where the first one agrees with the books', {
    tags: 'slow',
  }, async () => {
    const differences = async () =>
      (
        await reconcileProject(world.stack.ctx, world.stack.api.projectId, {
          full: true,
          pauseMs: 0,
        })
      ).differences;
    const ofNodes = async () =>
      (await differences()).filter(({ aspect }) => aspect === 'second-node');
    expect(await ofNodes()).toEqual([]);
    // Nothing of the token is there any more, the first node says.
    const word0 = `0x${'0'.repeat(64)}`;
    world.node.lie = (call, result) =>
      JSON.stringify(call).includes(
        `70a08231${world.treasury.slice(2).toLowerCase().padStart(64, '0')}`,
      )
        ? word0
        : result;
    expect(await ofNodes()).toMatchObject([
      {
        comparison: 'treasury',
        object: chain,
        problem: expect.stringMatching(
          /two nodes of base-sepolia contradict .* holds 0 units of usdxm by the first and \d+ units/,
        ),
      },
    ]);
    world.node.lie = (_call, result) => result;
    expect(await ofNodes()).toEqual([]);
  });

  it('an operator who has looked lets it go on', { tags: 'slow' }, async () => {
    inflate(world);
    const orderId = await world.paid(1n);
    await expectHeld(world, orderId, /second node/);
    await releaseHold(world.stack.ctx, {
      projectId: world.stack.api.projectId,
      orderId,
      note: 'seen in the explorer',
    });
    await untilPaid(world, orderId);
  });
});

describe('what never came', () => {
  it('is not sent back either: the refund waits for its operator', async () => {
    const world = worlds[0]!;
    inflate(world);
    const orderId = await world.paid(1n);
    await expectHeld(world, orderId, /second node/);
    const { stack } = world;
    await refuseHold(stack.ctx, {
      projectId: stack.api.projectId,
      orderId,
      note: 'nothing of it in the explorer',
    });
    await eventually('it asks', async () => (await world.read(orderId)).state === 'needs_operator');
    expect((await world.read(orderId)).attention).toMatch(/^refund \S+: deposit-unproven$/);
    expect(await selectRefundsOfOrder(stack.ctx.store, orderId)).toMatchObject([
      { status: 'failed' },
    ]);
    world.node.lie = (_call, result) => result;
  });

  // The order that was paid waits on: a deposit without a memo fits more than one from here on.
  it('pays nobody: what came for another, which somebody who writes the database books as if it had the memo of his order', async () => {
    const world = worlds[0]!;
    const sql = (text: string) => world.stack.ctx.store.query({ text });
    const { id, memo } = await world.order();
    // He is as fast as a trigger.
    await sql(
      `create function thief() returns trigger language plpgsql as $$ begin new.memo := '${memo}'; return new; end $$`,
    );
    await sql(
      'create trigger thief before insert on deposits for each row execute function thief()',
    );
    await world.paid(50_000_000n);
    try {
      await expectHeld(world, id, /second node does not have/);
    } finally {
      await sql('drop function thief cascade');
    }
  });
});

describe('with one node of somebody else', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ evm: () => ({ depositAloneMaxUsd: '50' }) });
    worlds.push(world);
  }, 180_000);
  afterEach(() => {
    world.node.lie = (_call, result) => result;
  });

  it('a deposit that the balance of the treasury does not carry is not paid out', async () => {
    inflate(world);
    await expectHeld(
      world,
      await world.paid(1n),
      /holds \d+ of .* at the final height \d+, less than the 50000000/,
    );
  });

  it('what is worth more than the setting allows waits for its operator, whatever the node says', async () => {
    await expectHeld(
      world,
      await world.paid(50_020_000n),
      /worth 50\.02 US dollars and only one node .*EVM_RPC_SECOND_URL_BASE_SEPOLIA/,
    );
  });
});

describe('a refund that the node refuses in simulation, keeps, and executes later', () => {
  const hour = 3_600_000;
  const world = () => worlds[0]!;
  const tokensOf = async ({ stack, token, payer }: World) => {
    const data = `0x70a08231${payer.slice(2).toLowerCase().padStart(64, '0')}`;
    return BigInt(
      await stack.chainCall<string>(chain, 'eth_call', [{ to: token, data }, 'latest']),
    );
  };

  /** An order that was paid too much: 30 tokens go back, of which the node tells nothing true. */
  async function aKeptRefund({ hides }: { readonly hides: boolean }) {
    const { stack, node, treasury } = world();
    const kept: { readonly to: string; readonly data: `0x${string}` }[] = [];
    const isKept = ({ to, data }: { to?: string; data?: string }) =>
      to?.toLowerCase() === addresses.batchExecutor.toLowerCase() &&
      data!.includes(treasury.slice(2).toLowerCase()) &&
      (kept.length === 0 || kept[0]!.data === data);
    node.lie = (call, result) => {
      if (call.method === 'eth_getLogs' && hides)
        return (result as { address: string }[]).filter(
          ({ address }) => address.toLowerCase() !== addresses.walletModule.toLowerCase(),
        );
      const asked = call.params?.[0] as (typeof kept)[number];
      if (call.method !== 'eth_call' || !isKept(asked)) return result;
      kept.push(asked);
      const batch = decodeFunctionData({ abi: batchExecutorAbi, data: asked.data });
      const refused = { executed: false, success: false, returnData: '0x', gasUsed: 0n } as const;
      return encodeFunctionResult({
        abi: batchExecutorAbi,
        functionName: 'executeBatch',
        result: (batch.args![0] as unknown[]).map(() => refused),
      });
    };
    const before = await tokensOf(world());
    const orderId = await world().paid(80_000_000n);
    // Each round of the relay asks for the last block and for the next one.
    await eventually('it was refused twice', async () => kept.length >= 4, 30_000);
    const refund = async () => (await selectRefundsOfOrder(stack.ctx.store, orderId))[0]!;
    return {
      refund,
      cameBack: async () => (await tokensOf(world())) - before + 80_000_000n,
      execute: async () => {
        const [from] = await stack.chainCall<string[]>(chain, 'eth_accounts', []);
        const send = { from, to: kept[0]!.to, data: kept[0]!.data, gas: '0x4c4b40' };
        await stack.chainCall(chain, 'eth_sendTransaction', [send]);
      },
    };
  }
  afterEach(() => {
    world().node.lie = (_call, result) => result;
  });

  it('comes back once: it is not told as failed while it can still execute', async () => {
    const { refund, cameBack, execute } = await aKeptRefund({ hides: false });
    await execute();
    await eventually('it is final', async () => (await refund()).status === 'final', 30_000);
    expect([await cameBack(), (await refund()).transfers]).toEqual([30_000_000n, 1]);
  });

  it('comes back once though its log is hidden: the second node says that it ran', {
    tags: 'slow',
  }, async () => {
    const { refund, cameBack, execute } = await aKeptRefund({ hides: true });
    await execute();
    const { ctx, advance } = world().stack;
    await advance(25 * hour);
    const isOver = async () => {
      const [told] = (await relayStatus(ctx.store)).chains.filter((one) => one.chain === chain);
      return (
        told?.alarm?.includes('has run as one of the two nodes says') ||
        told?.alarm?.includes('has run, by its nonce') ||
        (await refund()).transfers > 1
      );
    };
    await eventually('its validity is over', isOver, 30_000);
    expect([await cameBack(), (await refund()).transfers]).toEqual([30_000_000n, 1]);
    world().node.lie = (_call, result) => result;
    const { transferId } = await refund();
    const status = async () => (await selectTreasuryTransfer(ctx.store, transferId))?.status;
    await eventually('the node shows it', async () => (await status()) === 'success', 30_000);
  });

  it('comes back once more when it cannot execute any more', { tags: 'slow' }, async () => {
    const { refund, cameBack, execute } = await aKeptRefund({ hides: false });
    await world().stack.advance(7 * hour);
    await eventually('it is final', async () => (await refund()).status === 'final', 30_000);
    await execute();
    expect([await cameBack(), (await refund()).transfers]).toEqual([30_000_000n, 2]);
  });

  it('comes back once though it is said to have reverted: the second node says that it ran', {
    tags: 'slow',
  }, async () => {
    const { stack, node, treasury } = world();
    const reverted = `0x${word(0n)}${word(0x40n)}${word(0n)}`;
    const lie = changeLogs((log) =>
      log.address.toLowerCase() === addresses.walletModule.toLowerCase() &&
      log.topics[1]?.endsWith(treasury.slice(2).toLowerCase())
        ? { ...log, data: reverted }
        : log,
    );
    node.lie = (_call, result) => lie(result);
    const before = await tokensOf(world());
    const orderId = await world().paid(80_000_000n);
    const refund = async () => (await selectRefundsOfOrder(stack.ctx.store, orderId))[0];
    const { store } = stack.ctx;
    await eventually(
      'it is decided',
      async () => {
        const [row] = (
          await store.query<{ failure: string | null }>({
            text: 'select failure from evm_watched_chains where chain = $1',
            values: [chain],
          })
        ).rows;
        const isDoubted = row?.failure?.includes('does not say that a treasury') === true;
        return isDoubted || ((await refund())?.transfers ?? 0) > 1;
      },
      60_000,
    );
    node.lie = (_call, result) => result;
    await eventually('it is final', async () => (await refund())?.status === 'final', 60_000);
    const cameBack = (await tokensOf(world())) - before + 80_000_000n;
    expect([cameBack, (await refund())!.transfers]).toEqual([30_000_000n, 1]);
  });
});
