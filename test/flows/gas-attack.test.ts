import { setTimeout as delay } from 'node:timers/promises';
import { encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testArtifact } from '../../contracts/test/hostile.ts';
import { gasCommand } from '../../src/chains/cli/gas.ts';
import { type Stack, startStack } from '../harness/stack.ts';

/**
 * End users who make the executors pay for nothing. They have a client key and their own token, and
 * nothing else.
 */

const chain = 'base-sepolia';
const trapAbi = parseAbi(['function work(uint256 gas) view', 'function set(uint256 until)']);

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.close());

async function mined(params: object): Promise<{ contractAddress: Hex; blockNumber: Hex }> {
  const from = await aPayer();
  const hash = await stack.chainCall(chain, 'eth_sendTransaction', [
    { from, gas: '0x5b8d80', ...params },
  ]);
  for (;;) {
    const receipt = await stack.chainCall<{ contractAddress: Hex; blockNumber: Hex } | null>(
      chain,
      'eth_getTransactionReceipt',
      [hash],
    );
    if (receipt) return receipt;
    await delay(20);
  }
}

async function aPayer(): Promise<Hex> {
  const payer = '0x00000000000000000000000000000000000a77ac';
  await stack.setNativeBalance(chain, payer, 10n ** 18n);
  await stack.chainCall(chain, 'anvil_impersonateAccount', [payer]);
  return payer;
}

interface Attacker {
  readonly trap: Hex;
  readonly path: string;
  call(method: string, path: string, body?: object): ReturnType<Stack['call']>;
  /** A transaction that runs in every simulation; answers its id. */
  attack(gas?: bigint): Promise<string>;
}

async function anAttacker(user: string): Promise<Attacker> {
  const { contractAddress: trap } = await mined({ data: testArtifact('GasTrap').bytecode });
  const jwt = await stack.api.userJwt(user);
  const call = (method: string, path: string, body?: object) =>
    stack.call(method, path, { key: stack.api.clientKey, jwt, ...(body && { body }) });
  const created = await call('POST', '/2025-06-09/wallets/me', {
    chainType: 'evm',
    type: 'smart',
    config: { adminSigner: { type: 'external-wallet', address: trap } },
  });
  expect([created.status, created.text]).toEqual([201, expect.any(String)]);
  const path = `/2025-06-09/wallets/${created.body.address}/transactions`;
  return {
    trap,
    path,
    call,
    async attack(gas = 8_000_000n) {
      const data = encodeFunctionData({ abi: trapAbi, functionName: 'work', args: [gas] });
      const made = await call('POST', path, {
        params: { chain, calls: [{ to: trap, value: '0', data }] },
      });
      expect([made.status, made.text]).toEqual([201, expect.any(String)]);
      const signer = made.body.approvals.pending[0].signer.locator;
      const approved = await call('POST', `${path}/${made.body.id}/approvals`, {
        approvals: [{ signer, signature: '0x01' }],
      });
      expect([approved.status, approved.text]).toEqual([201, expect.any(String)]);
      return made.body.id;
    },
  };
}

async function ended({ call, path }: Attacker, id: string) {
  for (const endAt = Date.now() + 40_000; ; await delay(100)) {
    const { body } = await call('GET', `${path}/${id}`);
    if (body.status === 'success' || body.status === 'failed') return body;
    if (Date.now() > endAt) throw new Error(`still ${JSON.stringify(body)}`);
  }
}

/** Gas of the executors' transactions since a block. */
async function executorGas(fromBlock: bigint): Promise<bigint[]> {
  const executors = stack.ctx.config.evm.executorKeys.map((key) =>
    privateKeyToAddress(key.reveal()).toLowerCase(),
  );
  const head = BigInt(await stack.chainCall<Hex>(chain, 'eth_blockNumber', []));
  const gas: bigint[] = [];
  for (let number = fromBlock; number <= head; number++) {
    const block = await stack.chainCall<{ transactions: { from: string; hash: Hex }[] }>(
      chain,
      'eth_getBlockByNumber',
      [numberToHex(number), true],
    );
    for (const { from, hash } of block.transactions)
      if (executors.includes(from.toLowerCase()))
        gas.push(
          BigInt(
            (await stack.chainCall<{ gasUsed: Hex }>(chain, 'eth_getTransactionReceipt', [hash]))
              .gasUsed,
          ),
        );
  }
  return gas;
}

const height = async () => BigInt(await stack.chainCall<Hex>(chain, 'eth_blockNumber', [])) + 1n;

describe('an owner that is a contract and signs only where gas costs nothing', {
  tags: 'slow',
}, () => {
  it('is asked at a real price before anything is sent: no executor pays', async () => {
    const attacker = await anAttacker('mallory');
    const from = await height();
    const failed = await ended(attacker, await attacker.attack());
    expect([failed.status, await executorGas(from)]).toEqual(['failed', []]);
  });
});

describe('an owner that is a contract and signs until its transaction is in a block', {
  tags: 'slow',
}, () => {
  /** The trap opens in the simulations of the transaction and closes in each of its blocks. */
  async function trapped(user: string, gas: bigint, count = 1) {
    const attacker = await anAttacker(user);
    const rearm = async () => {
      const number = await stack.chainCall<Hex>(chain, 'eth_blockNumber', []);
      await stack.chainCall(chain, 'anvil_setStorageAt', [
        attacker.trap,
        numberToHex(0, { size: 32 }),
        numberToHex(BigInt(number), { size: 32 }),
      ]);
    };
    await rearm();
    const from = await height();
    const ids = await Promise.all(Array.from({ length: count }, () => attacker.attack(gas)));
    let isOver = false;
    const armed = (async () => {
      while (!isOver) {
        await rearm();
        await delay(20);
      }
    })();
    const all = await Promise.all(ids.map((id) => ended(attacker, id)));
    isOver = true;
    await armed;
    return { failed: all[0], all, ids, burned: await executorGas(from) };
  }

  it('burns once: what took more than half of its cap is not sent again, and its project is charged', async () => {
    const { failed, burned } = await trapped('trudy', 1_000n);
    expect([failed.status, burned.length]).toEqual(['failed', 1]);
    expect(failed.error.message).toMatch(/was refused in a block/);
    expect(Number(failed.fees.billed.usd)).toBeGreaterThan(0);
  });

  it('burns nothing of what its calls are to get, and is tried again at most once', async () => {
    const { failed, burned } = await trapped('mallet', 8_000_000n);
    expect([failed.status, burned.length]).toEqual(['failed', 2]);
    for (const gas of burned) expect(gas).toBeLessThan(1_500_000n);
    expect(Number(failed.fees.billed.usd)).toBeGreaterThan(0);
  });

  it('of several that are refused at once none is tried a third time', async () => {
    const { all, ids, burned } = await trapped('mob', 4_000_000n, 5);
    expect(all.map(({ status }) => status)).toEqual(ids.map(() => 'failed'));
    const { rows } = await stack.ctx.store.query<{ refusals: number }>({
      text: 'select item_refusals as refusals from evm_operations where operation_id = any($1)',
      values: [ids],
    });
    // One that its trap was not open for in time ends in simulation.
    const refusals = rows.map((row) => row.refusals);
    expect(refusals).toHaveLength(ids.length);
    expect(Math.max(...refusals)).toBeLessThanOrEqual(2);
    expect(burned.length).toBeGreaterThan(0);
    expect(burned.length).toBeLessThanOrEqual(2 * ids.length);
  });
});

describe('the gas budget', () => {
  const gas = async (...argv: string[]) => {
    const lines: string[] = [];
    await gasCommand(stack.ctx, {
      argv,
      print: (line) => lines.push(line),
      projectOf: async () => stack.api.projectId,
    });
    return lines.join('\n');
  };

  it('of an owner ends the spending of that owner and of nobody else, and says what to do', {
    tags: 'slow',
  }, async () => {
    expect(await gas('set', '--chain', chain, '--owner-per-day', '5000000000000000')).toMatch(
      /each owner 5000000000000000\./,
    );
    const [spender, other] = [await anAttacker('spendthrift'), await anAttacker('frugal')];
    for (const { trap } of [spender, other])
      await stack.chainCall(chain, 'anvil_setStorageAt', [
        trap,
        numberToHex(0, { size: 32 }),
        numberToHex(10n ** 18n, { size: 32 }),
      ]);
    let last: { status: string; error?: { message: string } } = { status: 'none' };
    for (let times = 0; times < 5 && last.status !== 'failed'; times++)
      last = await ended(spender, await spender.attack());
    expect(last).toMatchObject({
      status: 'failed',
      error: {
        message: expect.stringMatching(
          /^The gas budget of the owner of the wallet on base-sepolia is used up for today: \d+ of 5000000000000000 wei are spent\. .*purser gas/,
        ),
      },
    });
    expect((await ended(other, await other.attack(10_000n))).status).toBe('success');
    expect(await gas('show')).toMatch(/base-sepolia +userId:spendthrift\S* +\d{16,}/);
  });

  it('that is used up is not filled again by whoever deletes what was spent from the database', async () => {
    const { store } = stack.ctx;
    const attacker = await anAttacker('eraser');
    await stack.chainCall(chain, 'anvil_setStorageAt', [
      attacker.trap,
      numberToHex(0, { size: 32 }),
      numberToHex(10n ** 18n, { size: 32 }),
    ]);
    expect((await ended(attacker, await attacker.attack(10_000n))).status).toBe('success');
    await gas('set', '--chain', chain, '--owner-per-day', '1');
    await store.query({ text: 'delete from evm_gas_spent' });
    expect((await ended(attacker, await attacker.attack(10_000n))).error.message).toMatch(
      /^The gas budget of the owner of the wallet on base-sepolia is used up/,
    );
    await gas('set', '--chain', chain, '--owner-per-day', 'default');
  });

  it('of a project ends all of it, and the operator may raise it', async () => {
    await gas('set', '--chain', chain, '--per-day', '1');
    const attacker = await anAttacker('grace');
    await stack.chainCall(chain, 'anvil_setStorageAt', [
      attacker.trap,
      numberToHex(0, { size: 32 }),
      numberToHex(10n ** 18n, { size: 32 }),
    ]);
    expect((await ended(attacker, await attacker.attack(10_000n))).error.message).toMatch(
      /^The gas budget of the project/,
    );
    await gas('set', '--chain', chain, '--per-day', 'default');
    expect((await ended(attacker, await attacker.attack(10_000n))).status).toBe('success');
    await expect(gas('set', '--chain', chain, '--per-day', 'much')).rejects.toThrow(
      '--per-day is a whole number of wei',
    );
  });
});
