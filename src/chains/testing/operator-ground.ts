import { z } from 'zod';
import type { Environment } from '../../context.ts';

/**
 * Where the contract suite is run: a network, an account with money on it, and a token that it
 * gives or mints.
 */
export interface Ground {
  readonly url: string;
  readonly environment: Environment;
  readonly treasurySeed: Uint8Array;
  readonly testTokenAddress: string;
  /** What is plenty of native money there; absent: as much as anybody likes. */
  readonly plentyNativeMinor?: bigint;
  /** Gives native money, and waits until it is there. */
  give(address: string, amountMinor: bigint): Promise<void>;
  stop(): Promise<void>;
}

export interface Against {
  readonly url: string;
  readonly treasurySeed: Uint8Array;
  readonly testTokenAddress: string;
}

/** How a family writes keys and tokens. */
export interface AgainstForm {
  /** Undefined: it is none. */
  readonly readSeed: (text: string) => Uint8Array | undefined;
  readonly key: string;
  readonly token: RegExp;
  readonly tokenIs: string;
}

/**
 * The environment variables of `npm run contract-suite`; undefined: the local chain is meant.
 * @throws Error naming the one that is wrong
 */
export function readAgainst(env: NodeJS.ProcessEnv, form: AgainstForm): Against | undefined {
  if (env['CONTRACT_SUITE_RPC_URL'] === undefined) return undefined;
  const schema = z.object({
    CONTRACT_SUITE_RPC_URL: z.url(),
    CONTRACT_SUITE_TREASURY_KEY: z.string().transform((text, ctx) => {
      const seed = form.readSeed(text);
      if (!seed) ctx.addIssue({ code: 'custom', message: `is ${form.key}` });
      return seed ?? z.NEVER;
    }),
    CONTRACT_SUITE_TEST_TOKEN: z.string().regex(form.token, `is ${form.tokenIs}`),
  });
  const { data, error } = schema.safeParse(env);
  if (error)
    throw new Error(
      error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '),
    );
  return {
    url: data.CONTRACT_SUITE_RPC_URL,
    treasurySeed: data.CONTRACT_SUITE_TREASURY_KEY,
    testTokenAddress: data.CONTRACT_SUITE_TEST_TOKEN,
  };
}

/**
 * One after the other: two transactions of an account at once may take the same number, or the same
 * coin.
 */
export function oneByOne(give: Ground['give']): Ground['give'] {
  let last: Promise<void> = Promise.resolve();
  return (address, amountMinor) => {
    last = last.catch(() => undefined).then(() => give(address, amountMinor));
    return last;
  };
}
