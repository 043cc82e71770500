import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { createMicroBatcher, type MicroBatcher } from '../../store/micro-batch.ts';
import type { Store } from '../../store/types.ts';
import {
  ScreeningError,
  type ScreeningProvider,
  type ScreeningResult,
  screenedAddressesMax,
} from './screening.ts';

export interface ScreenedAddresses {
  readonly projectId: string;
  /** What the decision is about, e.g. `transaction:<id>`; at most 200 characters. */
  readonly subject: string;
  readonly chain: string;
  readonly addresses: readonly string[];
}

interface Decision extends ScreenedAddresses {
  readonly id: string;
  readonly result: ScreeningResult;
  readonly decidedAt: Date;
}

/** Decisions that are made together share one commit. */
const batchers = new WeakMap<Store, MicroBatcher<Decision, void>>();

/**
 * Compares addresses with the sanctions lists and stores the decision with the versions of the
 * lists, before it is answered. Repetitions of an address count once; without addresses the answer
 * is clear and nothing is stored.
 * @throws provider-unavailable when no list can be read: nothing may be paid to them then
 */
export async function screenAddresses(
  ctx: Pick<Ctx, 'providers' | 'store' | 'clock' | 'ids' | 'log'>,
  input: ScreenedAddresses,
): Promise<ScreeningResult> {
  const addresses = [...new Set(input.addresses)];
  if (addresses.length === 0) return { status: 'clear', lists: [] };
  const result = await screenAll(ctx.providers.screening, { addresses, chain: input.chain }).catch(
    (error: unknown) => {
      if (!(error instanceof ScreeningError)) throw error;
      ctx.log.error(
        { err: error, subject: input.subject },
        'addresses could not be compared with the sanctions lists',
      );
      throw new ServiceError('provider-unavailable', {
        message: 'The recipient could not be compared with the sanctions lists: retry later.',
        cause: error,
      });
    },
  );
  const decision: Decision = {
    ...input,
    addresses,
    id: ctx.ids.uuid(),
    result,
    decidedAt: ctx.clock.now(),
  };
  await batcherOf(ctx.store).add(decision);
  if (result.status === 'blocked')
    ctx.log.warn({ subject: input.subject, hit: result.hit }, 'an address is on a sanctions list');
  return result;
}

/** As many as a provider takes at once, one portion after the other. */
async function screenAll(
  screening: ScreeningProvider,
  { addresses, chain }: { readonly addresses: readonly string[]; readonly chain: string },
): Promise<ScreeningResult> {
  for (let from = 0; ; from += screenedAddressesMax) {
    const result = await screening.screen({
      addresses: addresses.slice(from, from + screenedAddressesMax),
      chain,
    });
    if (result.status === 'blocked' || from + screenedAddressesMax >= addresses.length)
      return result;
  }
}

function batcherOf(store: Store): MicroBatcher<Decision, void> {
  let batcher = batchers.get(store);
  if (!batcher) {
    batcher = createMicroBatcher<Decision, void>({
      maxItems: 64,
      concurrency: 2,
      run: (decisions) => insertDecisions(store, decisions),
    });
    batchers.set(store, batcher);
  }
  return batcher;
}

async function insertDecisions(store: Store, decisions: readonly Decision[]): Promise<void[]> {
  await store.query({
    name: 'screening-decisions-insert',
    text: `insert into screening_decisions (id, project_id, subject, chain, addresses, outcome, hit, lists, decided_at)
      select id, project_id, subject, chain, array(select jsonb_array_elements_text(addresses)), outcome, hit, lists, decided_at
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::jsonb[], $6::text[], $7::jsonb[], $8::jsonb[], $9::timestamptz[])
        as d (id, project_id, subject, chain, addresses, outcome, hit, lists, decided_at)`,
    values: [
      decisions.map((one) => one.id),
      decisions.map((one) => one.projectId),
      decisions.map((one) => one.subject.slice(0, 200)),
      decisions.map((one) => one.chain),
      decisions.map((one) => JSON.stringify(one.addresses)),
      decisions.map(({ result }) =>
        result.status === 'clear' && result.off ? 'off' : result.status,
      ),
      decisions.map((one) =>
        one.result.status === 'blocked' ? JSON.stringify(one.result.hit) : null,
      ),
      decisions.map((one) => JSON.stringify(one.result.lists)),
      decisions.map((one) => one.decidedAt),
    ],
  });
  return decisions.map(() => undefined);
}
