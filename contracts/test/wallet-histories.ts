import fc from 'fast-check';
import {
  type Address,
  concatHex,
  encodeFunctionData,
  type Hex,
  numberToHex,
  pad,
  slice,
} from 'viem';
import { expect } from 'vitest';
import {
  addresses,
  adminSignerId,
  encodeBumpEpoch,
  encodeWalletSetup,
  hashOperation,
  type Operation,
  operationEpoch,
  safeAbi,
  walletModuleAbi,
} from '../index.ts';
import {
  anAccount,
  anOperation,
  aWallet,
  type BatchItem,
  balanceOf,
  batchData,
  execute,
  executeBatch,
  executeData,
  readExecuted,
  type Submitted,
  sign,
  submit,
  type TestChain,
  type TestWallet,
  transferCall,
} from './chain.ts';
import { aHostile, setReentry, throughHostile } from './hostile.ts';

const payee = anAccount('invariant payee').address;
const thief = anAccount('invariant thief');
const admins = [anAccount('i 1'), anAccount('i 2'), anAccount('i 3')];
const sentinel = pad('0x01', { size: 20 });

interface Signed {
  readonly wallet: number;
  readonly op: Operation;
  readonly signature: Hex;
  /** What the wallet pays when the operation runs; nothing when its calls fail. */
  readonly amount: bigint;
  readonly callsSucceed: boolean;
  /** Ends everything that was signed for the wallet so far. */
  readonly ends: boolean;
}

interface World {
  readonly chain: TestChain;
  /** Burns all gas it gets. */
  readonly hostile: Address;
  readonly wallets: readonly TestWallet[];
  readonly signed: Signed[];
  /** Operation hash → how often it ran. */
  readonly ran: Map<Hex, number>;
  readonly paid: bigint[];
  readonly epochs: number[];
}

const anIndex = fc.nat({ max: 1_000 });
/** Plenty, or around what an operation needs. */
const anAmountOfGas = fc.oneof(fc.constant(900_000n), fc.bigInt({ min: 90_000n, max: 230_000n }));
const aStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('sign' as const),
      wallet: fc.nat({ max: 2 }),
      amount: fc.integer({ min: 1, max: 50 }),
      kind: fc.constantFrom(
        'pay' as const,
        'pay' as const,
        'pay twice' as const,
        'fail' as const,
        'eat gas' as const,
        'end' as const,
      ),
      window: fc.constantFrom('open' as const, 'past' as const, 'future' as const),
      scheme: fc.constantFrom('eip712' as const, 'eip191' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      which: anIndex,
      gas: anAmountOfGas,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('batch' as const),
      which: fc.array(anIndex, { minLength: 1, maxLength: 5 }),
      gas: fc.constantFrom(20_000_000n, 20_000_000n, 900_000n),
      cap: anAmountOfGas,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('tamper' as const),
      which: anIndex,
      field: fc.constantFrom(
        'wallet' as const,
        'calls' as const,
        'nonce' as const,
        'epoch' as const,
        'validAfter' as const,
        'validUntil' as const,
        'callGas' as const,
        'signer' as const,
        'byte' as const,
      ),
      at: fc.nat({ max: 500 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('call' as const),
      wallet: fc.nat({ max: 2 }),
      target: fc.nat({ max: 4 }),
      what: fc.nat({ max: 8 }),
      through: fc.constantFrom('directly' as const, 'forward' as const, 'delegate' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('garbage' as const),
      target: fc.nat({ max: 4 }),
      data: fc.uint8Array({ maxLength: 200 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('re-enter' as const), which: anIndex }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      seconds: fc.integer({ min: 1, max: 600 }),
    }),
  },
);
type Step = typeof aStep extends fc.Arbitrary<infer T> ? T : never;

/**
 * Plays random histories by several actors against a model: the admins sign, anybody submits, a
 * thief forges, replays, tampers and calls everything directly, time moves, gas runs short. After
 * every step each operation ran at most once and only if it was signed and in its time, and wallets
 * moved exactly what those operations say.
 * @throws AssertionError with the history that broke a rule
 */
export async function playWalletHistories(
  chain: TestChain,
  input: { readonly histories: number; readonly stepsMin: number; readonly stepsMax: number },
): Promise<void> {
  const hostile = await aHostile(chain, 'eatGas');
  let ran = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(aStep, { minLength: input.stepsMin, maxLength: input.stepsMax }),
      async (steps) => {
        const world = await aWorld(chain, hostile);
        for (const step of steps) {
          await takeStep(world, step);
          await checkBalances(world);
        }
        await checkControl(world);
        ran += world.ran.size;
      },
    ),
    { numRuns: input.histories, endOnFailure: true },
  );
  // Histories in which nothing runs would prove nothing.
  expect(ran, 'operations that ran').toBeGreaterThan(0);
}

async function aWorld(chain: TestChain, hostile: Address): Promise<World> {
  const wallets = [
    await aWallet(chain, { owners: admins.slice(0, 1), deployed: true }),
    await aWallet(chain, { owners: admins.slice(0, 1) }),
    await aWallet(chain, { owners: admins, threshold: 2n, deployed: true }),
  ];
  return {
    chain,
    hostile,
    wallets,
    signed: [],
    ran: new Map(),
    paid: [0n, 0n, 0n],
    epochs: [0, 0, 0],
  };
}

async function takeStep(world: World, step: Step): Promise<void> {
  const { chain } = world;
  if (step.do === 'sign') return signOperation(world, step);
  if (step.do === 'wait')
    return chain.client
      .increaseTime({ seconds: step.seconds })
      .then(() => chain.client.mine({ blocks: 1 }));
  if (step.do === 'call') return callAsThief(world, step);
  if (step.do === 'garbage')
    return settle(
      world,
      await submit(chain, {
        to: targetsOf(world)[step.target] ?? payee,
        data: numberToHexOf(step.data),
      }),
    );
  const picked = (index: number) => world.signed[index % world.signed.length];
  if (step.do === 'batch')
    return settle(
      world,
      await executeBatch(
        chain,
        step.which.flatMap((index) => itemOf(world, picked(index), step.cap)),
        step.gas,
      ),
    );
  const signed = picked(step.which);
  if (!signed) return;
  if (step.do === 'submit')
    return settle(world, await execute(chain, signed.op, signed.signature, step.gas));
  if (step.do === 'tamper') return tamper(world, signed, step);
  return reenter(world, signed);
}

/** Little more than the calls need, so that the last of it counts. */
const callGasOf = {
  pay: 60_000n,
  'pay twice': 75_000n,
  fail: 75_000n,
  'eat gas': 75_000n,
  end: 60_000n,
} as const;

async function signOperation(world: World, step: Extract<Step, { do: 'sign' }>): Promise<void> {
  const { chain, hostile } = world;
  const wallet = world.wallets[step.wallet];
  if (!wallet) return;
  const now = Number((await chain.client.getBlock()).timestamp);
  const pay = transferCall(chain.token, payee, BigInt(step.amount));
  const calls = {
    pay: [pay],
    'pay twice': [pay, pay],
    fail: [pay, transferCall(chain.token, payee, 10n ** 30n)],
    'eat gas': [pay, { to: hostile, value: 0n, data: '0x' as const }],
    end: [{ to: addresses.walletModule, value: 0n, data: encodeBumpEpoch() }],
  }[step.kind];
  const window = { open: {}, past: { validUntil: now - 1 }, future: { validAfter: now + 300 } }[
    step.window
  ];
  const epoch = operationEpoch(world.epochs[step.wallet] ?? 0);
  const op = anOperation(chain, wallet, { calls, epoch, callGas: callGasOf[step.kind], ...window });
  const amount =
    { pay: 1n, 'pay twice': 2n, fail: 0n, 'eat gas': 0n, end: 0n }[step.kind] * BigInt(step.amount);
  world.signed.push({
    wallet: step.wallet,
    op,
    amount,
    callsSucceed: amount > 0n || step.kind === 'end',
    ends: step.kind === 'end',
    signature: await sign(chain, wallet, op, { scheme: step.scheme }),
  });
}

function itemOf(world: World, signed: Signed | undefined, gasLimit: bigint): BatchItem[] {
  const deployment = signed && world.wallets[signed.wallet]?.deployment;
  return signed && deployment
    ? [{ op: signed.op, signature: signed.signature, deployment, gasLimit }]
    : [];
}

/** Books what a transaction says it executed, and holds it against what was signed and when. */
async function settle(world: World, { receipt }: Submitted): Promise<void> {
  const { chain } = world;
  const executed = readExecuted(receipt);
  if (executed.length === 0) return;
  const { timestamp } = await chain.client.getBlock({ blockNumber: receipt.blockNumber });
  for (const { operationHash, wallet, success } of executed) {
    const signed = world.signed.find(
      ({ op }) => hashOperation(chain.chainId, op) === operationHash,
    );
    expect(signed?.op.wallet, 'only what the admin signed runs').toBe(wallet);
    if (!signed) continue;
    expect(world.ran.get(operationHash) ?? 0, 'at most once').toBe(0);
    world.ran.set(operationHash, 1);
    expect(
      [signed.op.validAfter <= timestamp, timestamp <= signed.op.validUntil],
      'in its time',
    ).toEqual([true, true]);
    expect(signed.op.epoch, 'before what was signed is ended').toBe(
      operationEpoch(world.epochs[signed.wallet] ?? 0),
    );
    expect(success, 'whoever submits it, an operation does what it does').toBe(signed.callsSucceed);
    if (signed.ends) world.epochs[signed.wallet] = (world.epochs[signed.wallet] ?? 0) + 1;
    world.paid[signed.wallet] = (world.paid[signed.wallet] ?? 0n) + signed.amount;
  }
}

async function tamper(
  world: World,
  { op, signature, wallet }: Signed,
  step: Extract<Step, { do: 'tamper' }>,
): Promise<void> {
  const { chain } = world;
  const changes: Record<typeof step.field, [Operation, Hex]> = {
    wallet: [{ ...op, wallet: world.wallets[(wallet + 1) % 3]?.address ?? payee }, signature],
    calls: [
      { ...op, calls: [...op.calls, transferCall(chain.token, thief.address, 1n)] },
      signature,
    ],
    nonce: [{ ...op, nonce: op.nonce + 1_000_000n }, signature],
    epoch: [{ ...op, epoch: op.epoch + 2n ** 32n }, signature],
    validAfter: [{ ...op, validAfter: op.validAfter === 0 ? 1 : 0 }, signature],
    validUntil: [{ ...op, validUntil: op.validUntil + 1 }, signature],
    callGas: [{ ...op, callGas: op.callGas - 1n }, signature],
    signer: [
      op,
      await sign(
        chain,
        world.wallets[wallet] ?? { address: payee, owners: [], threshold: 1n, deployment: '0x' },
        op,
        {
          by: [thief, thief],
        },
      ),
    ],
    byte: [op, flipByte(signature, step.at)],
  };
  const [changed, forged] = changes[step.field];
  const submitted = await execute(chain, changed, forged);
  expect(readExecuted(submitted.receipt), `a changed ${step.field} runs nothing`).toEqual([]);
}

/** Changes one byte of what counts: the signer id and the r and s of the first signature. */
function flipByte(signature: Hex, at: number): Hex {
  const index = at % 96;
  const byte = numberToHex(Number(slice(signature, index, index + 1)) ^ 0x5a, { size: 1 });
  return concatHex(
    index === 0
      ? [byte, slice(signature, 1)]
      : [slice(signature, 0, index), byte, slice(signature, index + 1)],
  );
}

const targetsOf = ({ wallets }: World): Address[] => [
  ...wallets.slice(0, 1).map(({ address }) => address),
  wallets[2]?.address ?? payee,
  addresses.walletModule,
  addresses.batchExecutor,
  addresses.signatureHandler,
];

async function callAsThief(world: World, step: Extract<Step, { do: 'call' }>): Promise<void> {
  const { chain } = world;
  const wallet = world.wallets[step.wallet]?.address ?? payee;
  const pay = transferCall(chain.token, thief.address, 1n);
  const datas: Hex[] = [
    encodeFunctionData({ abi: safeAbi, functionName: 'enableModule', args: [thief.address] }),
    encodeFunctionData({
      abi: safeAbi,
      functionName: 'execTransactionFromModule',
      args: [pay.to, 0n, pay.data, 0],
    }),
    encodeFunctionData({
      abi: safeAbi,
      functionName: 'addOwnerWithThreshold',
      args: [thief.address, 1n],
    }),
    encodeFunctionData({ abi: safeAbi, functionName: 'setFallbackHandler', args: [thief.address] }),
    encodeFunctionData({
      abi: safeAbi,
      functionName: 'disableModule',
      args: [sentinel, addresses.walletModule],
    }),
    encodeFunctionData({
      abi: walletModuleAbi,
      functionName: 'runCallsAtomically',
      args: [wallet, [pay, pay], 512n],
    }),
    encodeFunctionData({
      abi: walletModuleAbi,
      functionName: 'simulate',
      args: [anOperation(chain, { address: wallet }, { calls: [pay] }), '0x'],
    }),
    executeData(
      anOperation(chain, { address: wallet }, { calls: [pay] }),
      concatHex([adminSignerId, `0x${'01'.repeat(65)}`]),
    ),
    encodeWalletSetup({ owners: [thief.address], threshold: 1n }),
  ];
  const target = targetsOf(world)[step.target] ?? wallet;
  const data = datas[step.what] ?? '0x';
  if (step.through === 'directly') return settle(world, await submit(chain, { to: target, data }));
  const bystander = await aHostile(chain, 'accept');
  return settle(
    world,
    await submit(chain, { to: bystander, data: throughHostile(step.through, target, data) }),
  );
}

/**
 * The first wallet's admin calls a contract that submits `signed` from inside, alone and in a
 * batch.
 */
async function reenter(world: World, signed: Signed): Promise<void> {
  const { chain } = world;
  const [wallet] = world.wallets;
  // The order of events would not say that the outer operation was looked at before the inner one
  // ended the epoch.
  if (!wallet || signed.ends) return;
  const target = await aHostile(chain, 'accept');
  const item = itemOf(world, signed, 400_000n);
  await setReentry(chain, target, addresses.batchExecutor, batchData([...item, ...item]));
  const calls = [{ to: target, value: 0n, data: '0x' as const }];
  const op = anOperation(chain, wallet, {
    calls,
    epoch: operationEpoch(world.epochs[0] ?? 0),
    callGas: 2_500_000n,
  });
  const outer = {
    wallet: 0,
    op,
    signature: await sign(chain, wallet, op),
    amount: 0n,
    callsSucceed: true,
    ends: false,
  };
  world.signed.push(outer);
  await settle(world, await execute(chain, op, outer.signature));
}

async function checkBalances(world: World): Promise<void> {
  const { chain } = world;
  for (const [index, { address }] of world.wallets.entries())
    expect(await balanceOf(chain, address)).toBe(1_000_000_000n - (world.paid[index] ?? 0n));
  expect(await balanceOf(chain, thief.address)).toBe(0n);
}

async function checkControl({ chain, wallets }: World): Promise<void> {
  for (const { address, owners, threshold } of wallets) {
    if ((await chain.client.getCode({ address })) === undefined) continue;
    expect(
      await chain.client.readContract({ address, abi: safeAbi, functionName: 'getOwners' }),
    ).toEqual(owners.map((owner) => owner.address));
    expect(
      await chain.client.readContract({ address, abi: safeAbi, functionName: 'getThreshold' }),
    ).toBe(threshold);
    expect(
      await chain.client.readContract({
        address,
        abi: safeAbi,
        functionName: 'getModulesPaginated',
        args: [sentinel, 10n],
      }),
    ).toEqual([[addresses.walletModule], sentinel]);
  }
}

function numberToHexOf(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}
