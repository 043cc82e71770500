import type { Config } from '../src/config/config.ts';
import { DevnetError, type Log } from './errors.ts';
import type { LocalChain } from './local-chain.ts';

export interface LocalFamiliesInput {
  /** Where the instance lies; its secrets say which accounts have money. */
  readonly dataDir: string;
  /** Where the chains are kept between starts. */
  readonly chainsDir: string;
  readonly onProgress: Log;
  readonly now: () => Date;
}

export interface LocalFamily {
  readonly chains: readonly LocalChain[];
  /** What the service is told of the chains, as fields of its development configuration. */
  readonly settings: { readonly testTokenAddress?: `0x${string}` };
}

export interface LocalFamilyModule {
  plan(input: LocalFamiliesInput): LocalFamily;
  /** What a command learns of the local instance that its settings do not say. */
  completeConfig(config: Config): Config;
}

/** Every family with a local chain: a folder, and its line here. */
const families = {
  evm: () => import('./evm/local.ts'),
  solana: () => import('./solana/local.ts'),
  aptos: () => import('./aptos/family.ts'),
  sui: () => import('./sui/family.ts'),
  stellar: () => import('./stellar/family.ts'),
} satisfies Record<string, () => Promise<LocalFamilyModule>>;

export type LocalFamilyName = keyof typeof families;

/** @throws DevnetError naming those that there are */
export function readLocalFamilies(names: readonly string[]): readonly LocalFamilyName[] {
  return names.map((name) => {
    if (Object.hasOwn(families, name)) return name as LocalFamilyName;
    throw new DevnetError(
      `There are no local chains of the family "${name}": ${Object.keys(families).join(', ')} have some.`,
    );
  });
}

/** The local chains of `npm start`: of these families, of all when absent. */
export async function planLocalFamilies(
  input: LocalFamiliesInput,
  names = Object.keys(families) as readonly LocalFamilyName[],
): Promise<LocalFamily> {
  const planned = await Promise.all(
    names.map(async (name) => (await families[name]()).plan(input)),
  );
  return {
    chains: planned.flatMap(({ chains }) => chains),
    settings: Object.assign({}, ...planned.map(({ settings }) => settings)),
  };
}

export async function completeLocalConfig(config: Config): Promise<Config> {
  if (config.environment !== 'development') return config;
  let completed = config;
  for (const load of Object.values(families)) completed = (await load()).completeConfig(completed);
  return completed;
}
