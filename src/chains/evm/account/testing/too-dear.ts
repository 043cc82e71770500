import { setTimeout as delay } from 'node:timers/promises';
import { numberToHex } from 'viem';
import type { RelayTestChain } from '../../relay/testing/chain.ts';
import type { AccountsSetup } from './relay.ts';
import type { AccountsWorld, Wallet } from './world.ts';

/** With it a transaction that no block takes is raised after half a second. */
export const soon: Partial<AccountsSetup> = { relay: { bumpAfterMs: 500 } };

/** A call of an account that a worker has sent, and that no block has. It is over in 8 s. */
export async function aCallInNoBlock(
  chain: RelayTestChain,
  world: AccountsWorld,
  startWorker: () => unknown,
): Promise<{ readonly wallet: Wallet; readonly id: string }> {
  const wallet = await world.aWallet();
  await world.feed(wallet, 10n ** 18n);
  await chain.call('evm_setAutomine', [false]);
  const id = await world.submit(wallet, { validUntil: new Date(Date.now() + 8_000) });
  await startWorker();
  for (let looks = 0; (await world.attemptsOf(wallet)).length === 0; looks++) {
    if (looks > 400) throw new Error('the call was not sent');
    await delay(50);
  }
  return { wallet, id };
}

/** Blocks dearer than the 200 gwei that a call may pay, until something is so. */
export async function mineDear(
  chain: RelayTestChain,
  isDone: () => Promise<boolean>,
  gwei = 300,
): Promise<void> {
  for (let blocks = 0; blocks < 300 && !(await isDone()); blocks++) {
    await chain.call('anvil_setNextBlockBaseFeePerGas', [numberToHex(gwei * 1e9)]);
    await chain.call('anvil_mine', ['0x1']);
    await delay(100);
  }
}

/** Blocks of 1 gwei, and transactions are mined as they come. */
export async function cheapAgain(chain: RelayTestChain): Promise<void> {
  await chain.call('anvil_setNextBlockBaseFeePerGas', [numberToHex(1_000_000_000)]);
  await chain.call('anvil_mine', ['0x1']);
  await chain.call('evm_setAutomine', [true]);
  await chain.call('anvil_mine', ['0x1']);
}
