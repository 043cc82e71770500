import { privateKeyToAddress } from 'viem/accounts';
import { evmNetworks } from '../../src/chains/evm/config/networks.ts';
import type { Config } from '../../src/config/config.ts';
import { developmentSecrets } from '../../src/config/development-config.ts';
import type { LocalFamiliesInput, LocalFamily } from '../families.ts';
import { evmChains } from './chains.ts';
import { planGenesis, testStablecoinAddress } from './genesis-plan.ts';

const fundedWei = 10n ** 24n;

/**
 * A local chain of every test network that has a chain id, with money for the accounts of the
 * instance.
 */
export function plan({ dataDir, chainsDir, onProgress, now }: LocalFamiliesInput): LocalFamily {
  const { treasuryKey, executorKeys } = developmentSecrets(dataDir);
  const treasury = privateKeyToAddress(treasuryKey.reveal());
  const funded = [treasury, ...executorKeys.map((key) => privateKeyToAddress(key.reveal()))].map(
    (address) => ({
      address,
      wei: fundedWei,
    }),
  );
  const networks = evmNetworks.flatMap((network) =>
    network.testnet && network.chainId !== undefined
      ? [{ ...network, chainId: network.chainId }]
      : [],
  );
  return {
    chains: evmChains({
      dataDir: chainsDir,
      chains: networks,
      genesis: (network) => planGenesis({ tokens: network.tokens, minter: treasury, funded }),
      onProgress,
      now,
    }),
    settings: { testTokenAddress: testStablecoinAddress(treasury) },
  };
}

/** The local instance's own stablecoin stands where its treasury account deployed it. */
export function completeConfig(config: Config): Config {
  const { treasuryKey, testTokenAddress } = config.evm;
  if (treasuryKey === undefined || testTokenAddress !== undefined) return config;
  return {
    ...config,
    evm: {
      ...config.evm,
      testTokenAddress: testStablecoinAddress(privateKeyToAddress(treasuryKey.reveal())),
    },
  };
}
