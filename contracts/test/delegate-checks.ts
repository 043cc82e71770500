import { expect } from 'vitest';
import { signerIdOf } from '../index.ts';
import { balanceOf, readSigner } from './chain.ts';
import {
  readNow,
  signerAt,
  signers,
  thiefKey,
  type World,
  walletAt,
  whoOf,
} from './delegate-model.ts';
import { windowSum } from './delegate-steps.ts';

/**
 * The chain's own numbers against the model: balances, registrations, and what every scope has
 * left.
 */
export async function checkWorld(world: World): Promise<void> {
  const now = await readNow(world);
  await Promise.all(world.wallets.map((_, wallet) => checkWallet(world, wallet, now)));
}

async function checkWallet(world: World, index: number, now: number): Promise<void> {
  const { chain, tokens } = world;
  const { address } = walletAt(world, index);
  const start = [1_000_000_000n, 1_000_000_000n, 10n ** 18n];
  const [thief, plain, hostile, native] = await Promise.all([
    readSigner(chain, { address }, thiefKey),
    balanceOf(chain, address),
    balanceOf(chain, address, tokens[1]),
    chain.client.getBalance({ address }),
    ...signers.map((_, signer) => checkSigner(world, { wallet: index, signer }, now)),
  ]);
  expect([plain, hostile, native], 'moved is what was signed and ran').toEqual(
    start.map((amount, token) => amount - (world.paid.get(`${index}/${token}`) ?? 0n)),
  );
  expect(thief).toMatchObject({ active: false, generation: 0 });
}

async function checkSigner(
  world: World,
  who: { readonly wallet: number; readonly signer: number },
  now: number,
): Promise<void> {
  const state = await readSigner(
    world.chain,
    walletAt(world, who.wallet),
    signerIdOf(signerAt(who.signer).key),
  );
  const registration = world.registrations.get(whoOf(who));
  expect([state.active, state.generation]).toEqual([
    registration !== undefined,
    world.generations.get(whoOf(who)) ?? 0,
  ]);
  if (!registration) return;
  expect([state.validAfter, state.validUntil, state.scopes.length]).toEqual([
    registration.validAfter,
    registration.validUntil,
    registration.scopes.length,
  ]);
  for (const [index, scope] of registration.scopes.entries()) {
    const list = world.spends.get(`${whoOf(who)}/${registration.generation}/${index}`) ?? [];
    if (scope.limit === undefined) continue;
    const spent = windowSum(list, scope.interval ?? 0, now);
    expect(spent <= scope.limit, 'never above the limit').toBe(true);
    expect(state.scopes[index]?.available, 'what is left').toBe(scope.limit - spent);
  }
}
