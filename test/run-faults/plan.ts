import { type ShopName, shopNames } from '../../fixtures/shops/index.ts';
import { type RunStep, runSteps } from '../../src/runner/types.ts';
import { diceOf } from '../faults/dice.ts';
import { type Victim, victims } from './world.ts';

/** One purchase and what happens to it. */
export interface RunPlan {
  readonly seed: number;
  readonly shop: ShopName;
  readonly product: string;
  readonly request: string;
  readonly mean: string | undefined;
  readonly victim: Victim;
  /** The kill comes this long after the step was recorded. */
  readonly step: RunStep;
  readonly delayMs: number;
  /** Whether the user can tell what became of the order, when asked. */
  readonly doesUserKnow: boolean;
}

/** Those that every purchase goes through and after which something is left to lose. */
const steps = runSteps.filter((step) => !['accepted', 'login', 'settled'].includes(step));

const wishes: Readonly<Record<ShopName, readonly [product: string, request: string]>> = {
  plain: ['trail-tee', 'size M, Moss'],
  steps: ['A-104', '100 g, tin'],
  accordion: ['', ''],
  app: ['sumi-ink', 'Indigo'],
  frames: ['bel', 'Brass'],
  mean: ['toolbox', 'Medium, Red'],
  tricks: ['', ''],
};
const meannesses = [
  'swallow-first-click',
  'repeat-request',
  'lose-answer',
  'bare-confirmation',
  'raise-total',
  'duplicate-on-reload',
];

/**
 * Every victim at every step in every shop, once in as many seeds as there are such triples; the
 * rest is drawn.
 */
export const planCount = victims.length * steps.length * shopNames.length;

export function planOf(seed: number): RunPlan {
  const { between, pick, percent } = diceOf(seed);
  const shop = shopNames[seed % shopNames.length]!;
  const [product, request] = wishes[shop];
  return {
    seed,
    shop,
    product,
    request,
    mean: shop === 'mean' ? pick(meannesses) : undefined,
    // The three counts share no divisor, so that the remainders together take every value.
    victim: victims[seed % victims.length]!,
    step: steps[seed % steps.length]!,
    delayMs: between(0, 250),
    doesUserKnow: percent(50),
  };
}
