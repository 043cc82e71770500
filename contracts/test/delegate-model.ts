import { type Address, encodeFunctionData, type Hex } from 'viem';
import { expect } from 'vitest';
import {
  addresses,
  encodeAddSigner,
  encodeBumpEpoch,
  encodeRemoveSigner,
  nativeToken,
  type Operation,
  operationEpoch,
  safeAbi,
  type TransferScopeInput,
} from '../index.ts';
import { anAccount, anOperation, sign, type TestChain, type TestWallet } from './chain.ts';
import type { Step } from './delegate-steps.ts';
import { aDeviceSigner, anEcdsaSigner, aQuorumSigner, type TestSigner } from './delegates.ts';

/** What the model of `delegate-world.ts` holds, and how the admin's changes move it. */

export const recipients = [1, 2, 3].map((index) => anAccount(`delegate payee ${index}`).address);
export const thiefKey = { kind: 'ecdsa', address: anAccount('delegate thief').address } as const;
const member = anEcdsaSigner(anAccount('delegate member'));
export const signers: readonly TestSigner[] = [
  anEcdsaSigner(anAccount('delegate one')),
  anEcdsaSigner(anAccount('delegate two'), 'eip191'),
  aDeviceSigner('delegate three'),
  aQuorumSigner(2, [
    member,
    anEcdsaSigner(anAccount('delegate one')),
    aDeviceSigner('delegate four'),
  ]),
];

export interface Registration {
  readonly generation: number;
  readonly validAfter: number;
  readonly validUntil: number;
  readonly scopes: readonly TransferScopeInput[];
}

export interface Payment {
  readonly token: number;
  readonly recipient: number;
  readonly amount: bigint;
  readonly form: 'transfer' | 'approve' | 'more bytes' | 'with value' | 'to the module';
}

export interface SignedSpend {
  readonly by: 'delegate';
  readonly wallet: number;
  readonly signer: number;
  readonly payments: readonly Payment[];
  readonly scopes: readonly number[];
  readonly op: Operation;
  readonly signature: Hex;
}

type Change =
  /** `generation`: which it expects. */
  | {
      readonly kind: 'register';
      readonly registration: Omit<Registration, 'generation'>;
      readonly generation: number;
    }
  | { readonly kind: 'remove' }
  /** Everything that was signed, and every delegate. */
  | { readonly kind: 'end'; readonly how: 'bump' | 'manage' };

export interface SignedChange {
  readonly by: 'admin';
  readonly wallet: number;
  readonly signer: number;
  readonly change: Change;
  readonly op: Operation;
  readonly signature: Hex;
}

export type Signed = SignedSpend | SignedChange;

export interface World {
  readonly chain: TestChain;
  readonly wallets: readonly TestWallet[];
  /** Plain token, hostile token, the native currency. */
  readonly tokens: readonly Address[];
  readonly hook: Address;
  readonly signed: Signed[];
  readonly ran: Set<Hex>;
  /** By wallet and signer. */
  readonly registrations: Map<string, Registration>;
  readonly generations: Map<string, number>;
  /** By wallet. */
  readonly epochs: number[];
  /** By wallet, signer, generation and scope: what was spent, and when. */
  readonly spends: Map<string, { readonly at: number; readonly amount: bigint }[]>;
  readonly paid: Map<string, bigint>;
  /** Transactions, transfers under a scope, operations that the rule refused. */
  readonly counts: { calls: number; spends: number; refusals: number };
}

export const signerAt = (index: number): TestSigner => signers[index] ?? member;
export const walletAt = ({ wallets }: World, index: number): TestWallet => {
  const wallet = wallets[index];
  if (!wallet) throw new Error(`No wallet ${index}.`);
  return wallet;
};
export const readNow = async ({ chain }: World) =>
  Number((await chain.client.getBlock()).timestamp);
export const whoOf = ({ wallet, signer }: { readonly wallet: number; readonly signer: number }) =>
  `${wallet}/${signer}`;

export const epochOf = ({ epochs }: World, { wallet }: { readonly wallet: number }) =>
  epochs[wallet] ?? 0;
export const generationOf = ({ generations }: World, who: Parameters<typeof whoOf>[0]) =>
  generations.get(whoOf(who)) ?? 0;
export const recipientAt = (index: number): Address => recipients[index] ?? nativeToken;

export async function signChange(
  world: World,
  step: Extract<Step, { do: 'register' | 'remove' | 'end' }>,
): Promise<SignedChange> {
  const change = await changeOf(world, step);
  const wallet = walletAt(world, step.wallet);
  const op = anOperation(world.chain, wallet, {
    calls: [callOfChange(wallet, signerAt(step.signer), change)],
    epoch: operationEpoch(epochOf(world, step)),
    callGas: 1_000_000n,
  });
  const signature = await sign(world.chain, wallet, op);
  const signed = {
    by: 'admin' as const,
    wallet: step.wallet,
    signer: step.signer,
    change,
    op,
    signature,
  };
  world.signed.push(signed);
  return signed;
}

async function changeOf(
  world: World,
  step: Extract<Step, { do: 'register' | 'remove' | 'end' }>,
): Promise<Change> {
  if (step.do === 'remove') return { kind: 'remove' };
  if (step.do === 'end') return { kind: 'end', how: step.how };
  const now = await readNow(world);
  const registration = {
    validAfter: now + step.opensIn,
    validUntil: step.closesIn === undefined ? 2 ** 48 - 1 : now + step.closesIn,
    scopes: step.scopes.map((scope) => scopeOf(world, scope)),
  };
  return { kind: 'register', registration, generation: generationOf(world, step) };
}

function callOfChange(
  { address }: TestWallet,
  { key }: TestSigner,
  change: Change,
): Operation['calls'][number] {
  const toModule = (data: Hex) => ({ to: addresses.walletModule, value: 0n, data });
  if (change.kind === 'register')
    return toModule(encodeAddSigner({ signer: key, ...change.registration }, change.generation));
  if (change.kind === 'remove') return toModule(encodeRemoveSigner(key));
  if (change.how === 'bump') return toModule(encodeBumpEpoch());
  const data = encodeFunctionData({
    abi: safeAbi,
    functionName: 'setFallbackHandler',
    args: [addresses.signatureHandler],
  });
  return { to: address, value: 0n, data };
}

export function isOfEpoch(world: World, { op, wallet }: Signed): boolean {
  return op.epoch >> 32n === BigInt(epochOf(world, { wallet }));
}

export function fits(world: World, { change, ...who }: SignedChange): boolean {
  if (change.kind === 'register') return change.generation === generationOf(world, who);
  return change.kind === 'end' || world.registrations.has(whoOf(who));
}

function scopeOf(
  world: World,
  scope: Extract<Step, { do: 'register' }>['scopes'][number],
): TransferScopeInput {
  return {
    token: world.tokens[scope.token] ?? nativeToken,
    interval: scope.interval,
    ...(scope.limit !== null && { limit: BigInt(scope.limit) }),
    ...(scope.recipients && { recipients: scope.recipients.map(recipientAt) }),
  };
}

export function bookChange(world: World, signed: SignedChange): void {
  expect(
    [isOfEpoch(world, signed), fits(world, signed)],
    'a change of the admin is of this epoch and generation',
  ).toEqual([true, true]);
  if (signed.change.kind === 'end') {
    world.epochs[signed.wallet] = epochOf(world, signed) + 1;
    for (const signer of signers.keys())
      world.registrations.delete(whoOf({ wallet: signed.wallet, signer }));
    return;
  }
  const generation = generationOf(world, signed) + 1;
  world.generations.set(whoOf(signed), generation);
  if (signed.change.kind === 'remove') world.registrations.delete(whoOf(signed));
  else world.registrations.set(whoOf(signed), { ...signed.change.registration, generation });
}
