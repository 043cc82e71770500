import { readFileSync } from 'node:fs';
import { Address, Asset, Keypair, Operation } from '@stellar/stellar-sdk/base';
import { stellarNetwork } from '../../src/chains/stellar/config/networks.ts';
import {
  type DevelopmentSecrets,
  developmentSecrets,
} from '../../src/config/development-config.ts';
import {
  developmentStellar,
  factorySalt,
  stellarContracts,
  testAssetCode,
} from '../../src/config/families/development-stellar.ts';
import type { LocalFamiliesInput, LocalFamily } from '../families.ts';
import { inProcessChain } from '../in-process.ts';
import type { LocalChain } from '../local-chain.ts';
import { type StellarChain, type StellarChainOptions, startStellarChain } from './local.ts';

/** Ten million lumens. */
const fundedStroops = 10_000_000n * 10_000_000n;

/**
 * The local Stellar chain, with money for the accounts of the instance, its test stablecoin and the
 * wallet factory.
 */
export function plan(input: LocalFamiliesInput): LocalFamily {
  return { chains: [stellarLocalChain(input)], settings: {} };
}

/** Local commands learn nothing more of it: addresses follow from the secrets of the instance. */
export const completeConfig = <Config>(config: Config): Config => config;

export function stellarLocalChain(
  { dataDir, chainsDir, now }: Omit<LocalFamiliesInput, 'onProgress'>,
  options: Pick<StellarChainOptions, 'ledgerMs'> = {},
): LocalChain {
  const { stellar } = developmentSecrets(dataDir);
  return inProcessChain({
    name: stellarNetwork('development').name,
    chainsDir,
    now,
    start: (folder) => startStellarChain({ folder, ...options }),
    prepare: (chain) => prepare(chain, stellar),
  });
}

/**
 * What the chain holds before its first use. The factory is looked for at each start: it may be of
 * a newer version.
 */
function prepare(chain: StellarChain, secrets: DevelopmentSecrets['stellar']): void {
  const { testTokenContract, walletFactoryId } = developmentStellar(undefined, secrets);
  const treasury = keyOf(secrets.treasuryKey.reveal());
  for (const key of [secrets.treasuryKey, ...secrets.feePayerKeys])
    chain.fund(keyOf(key.reveal()).publicKey(), fundedStroops);
  const usdxm = new Asset(testAssetCode, treasury.publicKey());
  const assets = [
    [stellarNetwork('development').nativeContract, Asset.native()],
    [testTokenContract!, usdxm],
  ] as const;
  for (const [contract, asset] of assets)
    if (!chain.hasContract(contract))
      chain.run(treasury, Operation.createStellarAssetContract({ asset }));
  if (chain.hasContract(walletFactoryId!)) return;
  const [wallet, factory] = [
    readFileSync(stellarContracts.wallet),
    readFileSync(stellarContracts.factory),
  ];
  for (const wasm of [wallet, factory]) chain.run(treasury, Operation.uploadContractWasm({ wasm }));
  // Its own hash is its salt.
  const [wasmHash, salt] = [factorySalt(), factorySalt()];
  chain.run(
    treasury,
    Operation.createCustomContract({ address: new Address(treasury.publicKey()), wasmHash, salt }),
  );
}

function keyOf(seed: Uint8Array): Keypair {
  return Keypair.fromRawEd25519Seed(Buffer.from(seed));
}
