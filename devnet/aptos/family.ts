import { ed25519 } from '@noble/curves/ed25519.js';
import { aptosNetwork, testToken } from '../../src/chains/aptos/config/networks.ts';
import { addressOfEd25519 } from '../../src/chains/aptos/encoding/addresses.ts';
import {
  type DevelopmentSecrets,
  developmentAptos,
  developmentSecrets,
} from '../../src/config/development-config.ts';
import type { LocalFamiliesInput, LocalFamily } from '../families.ts';
import { inProcessChain } from '../in-process.ts';
import type { LocalChain } from '../local-chain.ts';
import { readAssetName } from './ledger/assets.ts';
import { type AptosChain, startAptosChain } from './local.ts';

/** A million APT, in octas; of the test stablecoin as many of its smallest units. */
const funded = 1_000_000n * 100_000_000n;

/** The local Aptos chain, with money for the accounts of the instance and its test stablecoin. */
export function plan(input: LocalFamiliesInput): LocalFamily {
  return { chains: [aptosLocalChain(input)], settings: {} };
}

/** Local commands learn nothing more of it: addresses follow from the secrets of the instance. */
export const completeConfig = <Config>(config: Config): Config => config;

export function aptosLocalChain({
  dataDir,
  chainsDir,
  now,
}: Omit<LocalFamiliesInput, 'onProgress'>): LocalChain {
  const { aptos } = developmentSecrets(dataDir);
  return inProcessChain({
    name: aptosNetwork('development').name,
    chainsDir,
    now,
    start: (folder) => startAptosChain({ folder }),
    prepare: (chain) => prepare(chain, aptos),
  });
}

/** What the chain holds before its first use. */
function prepare(chain: AptosChain, secrets: DevelopmentSecrets['aptos']): void {
  const { testTokenAddress: token } = developmentAptos(undefined, secrets);
  if (chain.hasAsset(token!)) return;
  const treasury = addressOf(secrets.treasuryKey.reveal());
  const { name, symbol, decimals } = testToken;
  for (const address of [treasury, ...secrets.feePayerKeys.map((key) => addressOf(key.reveal()))])
    chain.give(readAssetName('0xa'), address, funded);
  chain.addAsset(token!, { name, symbol: symbol.toUpperCase(), decimals });
  chain.give(token!, treasury, funded);
}

function addressOf(seed: Uint8Array): string {
  return addressOfEd25519(ed25519.getPublicKey(seed));
}
