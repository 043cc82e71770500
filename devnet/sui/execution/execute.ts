import { fromBase58 } from '@mysten/sui/utils';
import { amountOf, contentsOf, type SuiObject, storageCost } from '../ledger/objects.ts';
import { type Draft, Machine, type Value } from './machine.ts';
import { Failure, insufficientGas } from './refusals.ts';
import { gasLimits, type Parsed } from './transaction.ts';

export interface GasUsed {
  readonly computationCost: bigint;
  readonly storageCost: bigint;
  readonly storageRebate: bigint;
  readonly nonRefundableStorageFee: bigint;
}

/** What a transaction changes. */
export interface Outcome {
  readonly failure: Failure | undefined;
  readonly gas: GasUsed;
  /** Id of the coin that gas was taken from. */
  readonly gasObject: string;
  readonly version: bigint;
  readonly before: readonly SuiObject[];
  /** At the new version; objects of `before` that are not here are gone. */
  readonly after: readonly SuiObject[];
  readonly results: readonly (readonly (Value | undefined)[])[];
}

/** Of what storage was paid with, this share is given back. */
const rebate = { basisPoints: 9_900n, whole: 10_000n } as const;

interface Objects {
  readonly payment: readonly SuiObject[];
  readonly inputs: readonly (SuiObject | Uint8Array)[];
}

/**
 * Runs a transaction that was let in. A failed one changes its gas coin and the versions of its
 * inputs.
 */
export function execute(parsed: Parsed, { payment, inputs }: Objects): Outcome {
  const { budget, price } = parsed.gas;
  const [first] = payment as [SuiObject];
  const smashed = payment.reduce((sum, coin) => sum + amountOf(coin), 0n);
  if (smashed < budget) throw new Error('The caller has looked at the balance');
  const objects = inputs.filter((input): input is SuiObject => !(input instanceof Uint8Array));
  const before = [...payment, ...objects];
  const version =
    before.reduce((most, object) => (object.version > most ? object.version : most), 0n) + 1n;
  const gasCoin = { ...first, contents: contentsOf(first.id, smashed - budget) };
  const frame: Frame = { before, version, budget, digest: parsed.digest, gasObject: first.id };
  const computation = gasLimits.unitsMin * price;
  const machine = new Machine({
    digest: fromBase58(parsed.digest),
    sender: parsed.sender,
    gas: gasCoin,
    inputs,
  });
  try {
    machine.run(parsed.commands);
    const drafts = [...machine.touched, ...machine.created()].filter(
      ({ id }) => !machine.isDeleted(id),
    );
    return {
      ...settle(frame, drafts, computation),
      failure: undefined,
      results: machine.results(),
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return {
      ...settle(frame, [gasCoin, ...objects], computation, { isFailed: true }),
      failure: error,
      results: [],
    };
  }
}

interface Frame {
  readonly before: readonly SuiObject[];
  readonly version: bigint;
  readonly budget: bigint;
  readonly digest: string;
  readonly gasObject: string;
}

/**
 * Charges for what is left, and gives the rest of the budget back.
 * @throws Failure when the budget does not do
 */
function settle(
  { before, version, budget, digest, gasObject }: Frame,
  drafts: readonly (Draft | SuiObject)[],
  computation: bigint,
  { isFailed = false } = {},
): Omit<Outcome, 'failure' | 'results'> {
  const cost = drafts.reduce((sum, draft) => sum + storageCost(draft), 0n);
  const paid = before.reduce((sum, object) => sum + object.storageRebate, 0n);
  const back = (paid * rebate.basisPoints + rebate.whole / 2n) / rebate.whole;
  const storage = cost > back ? cost - back : 0n;
  if (!isFailed && computation + storage > budget) throw insufficientGas();
  // Whoever fails pays no more than the budget.
  const computationCost = computation + storage > budget ? budget - storage : computation;
  const net = computationCost + cost - back;
  const after = drafts.map((draft): SuiObject => {
    if (draft.owner === undefined) throw new Error(`${draft.id} was given to nobody`);
    const isGas = draft.id === gasObject;
    const contents = isGas ? contentsOf(draft.id, amountOf(draft) + budget - net) : draft.contents;
    const { id, type, owner } = draft;
    return {
      id,
      type,
      owner,
      contents,
      version,
      previousTransaction: digest,
      storageRebate: storageCost(draft),
    };
  });
  const gas = {
    computationCost,
    storageCost: cost,
    storageRebate: back,
    nonRefundableStorageFee: paid - back,
  };
  return { gas, gasObject, version, before, after };
}
