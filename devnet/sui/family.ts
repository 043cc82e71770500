import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { normalizeSuiAddress } from '@mysten/sui/utils';
import { suiCoinType, suiNetwork, testToken } from '../../src/chains/sui/config/networks.ts';
import {
  type DevelopmentSecrets,
  developmentSecrets,
  developmentSui,
} from '../../src/config/development-config.ts';
import type { LocalFamiliesInput, LocalFamily } from '../families.ts';
import { inProcessChain } from '../in-process.ts';
import type { LocalChain } from '../local-chain.ts';
import { type SuiChain, startSuiChain } from './local.ts';

/** A million SUI, in MIST. */
const funded = 1_000_000n * 1_000_000_000n;

/** The local Sui chain, with money for the accounts of the instance and its test stablecoin. */
export function plan(input: LocalFamiliesInput): LocalFamily {
  return { chains: [suiLocalChain(input)], settings: {} };
}

/** Local commands learn nothing more of it: addresses follow from the secrets of the instance. */
export const completeConfig = <Config>(config: Config): Config => config;

export function suiLocalChain({
  dataDir,
  chainsDir,
  now,
}: Omit<LocalFamiliesInput, 'onProgress'>): LocalChain {
  const { sui } = developmentSecrets(dataDir);
  return inProcessChain({
    name: suiNetwork('development').name,
    chainsDir,
    now,
    start: (folder) => startSuiChain({ folder }),
    prepare: (chain) => prepare(chain, sui),
  });
}

/**
 * What the chain holds before its first use; the currency comes last, and says that all is there.
 */
function prepare(chain: SuiChain, secrets: DevelopmentSecrets['sui']): void {
  const { testCoinType: type } = developmentSui(undefined, secrets);
  if (chain.hasCurrency(type!)) return;
  const treasury = addressOf(secrets.treasuryKey.reveal());
  const accounts = [treasury, ...secrets.feePayerKeys.map((key) => addressOf(key.reveal()))];
  for (const [index, address] of accounts.entries())
    chain.fund(normalizeSuiAddress((0xf0d_0000 + index).toString(16)), address, {
      type: suiCoinType,
      amount: funded,
    });
  const { name, symbol, decimals } = testToken;
  chain.addCurrency({
    type: type!,
    name,
    symbol: symbol.toUpperCase(),
    decimals,
    minter: treasury,
  });
}

function addressOf(seed: Uint8Array): string {
  return Ed25519Keypair.fromSecretKey(seed).toSuiAddress();
}
