import { writeOwnSettings } from '../../src/areas/orders/pricing/index.ts';
import { diceOf } from './dice.ts';
import type { FaultWorld } from './world.ts';

/** What the project leaves to its operator changes from round to round. */
export async function setRules(world: FaultWorld, seed: number): Promise<void> {
  const dice = diceOf(seed ^ 0x5e77);
  const onPayoutReturned = dice.pick(['refund', 'operator'] as const);
  const onDispute = dice.pick(['operator', 'operator', 'accept'] as const);
  await writeOwnSettings(world.ctx, {
    projectId: world.projectId,
    settings: { kycRequired: false, limits: [], onPayoutReturned, onDispute },
  });
}
