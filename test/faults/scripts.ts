import { setTimeout as delay } from 'node:timers/promises';
import { playOnramp } from './card-script.ts';
import { createClient } from './client.ts';
import { playCheckout, playOfframp } from './deposit-script.ts';
import { type MadeOrder, makeWallet } from './payer.ts';
import type { Plan } from './plan.ts';
import type { FaultWorld } from './world.ts';

/** Plays the payer of a plan, until there is nothing more to do for now. */
export async function playPlan(world: FaultWorld, plan: Plan): Promise<MadeOrder> {
  await delay(plan.startsAfterMs);
  const client = createClient(world);
  const wallet = await makeWallet(client, plan);
  switch (plan.kind) {
    case 'offramp':
      return playOfframp(world, client, { plan, wallet });
    case 'checkout':
      return playCheckout(world, client, { plan, wallet });
    case 'onramp':
      return playOnramp(world, client, { plan, wallet });
  }
}
