import type { Config } from '../config/config.ts';
import { ServiceError } from '../lib/errors.ts';
import { aptos } from './aptos/facts.ts';
import { evm } from './evm/facts.ts';
import type { FamilyDeps, FamilyFacts } from './family/facts.ts';
import type { ChainFamily, ChainType } from './family.ts';
import { solana } from './solana/facts.ts';
import { stellar } from './stellar/facts.ts';
import { sui } from './sui/facts.ts';
import { xion } from './xion/facts.ts';

/** Every family there is: a folder, and its line here. */
export const families: readonly FamilyFacts[] = [evm, solana, stellar, aptos, sui, xion];

/**
 * For the description of the interface: what `params` of a transaction are, on each family and for
 * each type of wallet.
 */
export function transactionParamsText(): string {
  const lines = families.flatMap(({ name, walletTypes, transactionParams }) =>
    walletTypes.map((type) => `- ${name}, ${type}: ${transactionParams[type] ?? ''}`),
  );
  return `By the wallet's \`chainType\` and type:\n\n${lines.join('\n')}`;
}

/** For the description of the interface: which families sign what without a transaction. */
export function signatureTypesText(): string {
  const signing = families.filter(({ signatureTypes }) => signatureTypes.length > 0);
  return `By chainType: ${signing.map(({ name, signatureTypes }) => `${name} ${signatureTypes.join(', ')}`).join('; ')}.`;
}

/** @throws chain-not-supported */
export function factsOf(chainType: ChainType): FamilyFacts {
  const facts = families.find(({ name }) => name === chainType);
  if (!facts) throw new ServiceError('chain-not-supported');
  return facts;
}

/** Of a chain by its name. @throws chain-not-supported */
export function factsOfChain(chain: string): FamilyFacts {
  const facts = families.find(
    ({ linking }) => linking.findChain(chain, 'development') !== undefined,
  );
  if (!facts)
    throw new ServiceError('chain-not-supported', {
      message: `The chain "${chain.slice(0, 64)}" is not known to this instance.`,
    });
  return facts;
}

/**
 * The families that this instance has nodes of. The code of the others, and their chain libraries,
 * are not read. With no node at all the first one is served: wallets have addresses before they
 * have a chain, and refusals name the setting that is missing.
 */
export async function loadFamilies(
  deps: FamilyDeps,
  known: readonly FamilyFacts[] = families,
): Promise<ChainFamily[]> {
  return Promise.all(
    configuredFamilies(deps.config, known).map(async ({ code }) => {
      const { create } = await code.load();
      return create(deps);
    }),
  );
}

type FactsWithCode = FamilyFacts & Required<Pick<FamilyFacts, 'code'>>;

export function configuredFamilies(
  config: Config,
  known: readonly FamilyFacts[] = families,
): readonly FactsWithCode[] {
  const withCode = known.filter((facts): facts is FactsWithCode => facts.code !== undefined);
  const configured = withCode.filter(({ code }) => code.isConfigured(config));
  return configured.length > 0 ? configured : withCode.slice(0, 1);
}
