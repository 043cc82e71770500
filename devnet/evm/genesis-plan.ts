import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Address, type Hex, isAddressEqual } from 'viem';
import { z } from 'zod';
import {
  addresses,
  coreDeployments,
  singletonFactory,
  testTokenDeployment,
} from '../../contracts/index.ts';
import type { FundedAccount, GenesisPlan } from './genesis.ts';

export interface GenesisInput {
  /**
   * Tokens of the chain that stand at an address of their own, e.g. its `usdc`: a mintable copy is
   * placed there. 6 decimals.
   */
  readonly tokens: readonly {
    readonly symbol: string;
    readonly name: string;
    readonly address?: string;
  }[];
  /** Mints the test tokens. */
  readonly minter: Address;
  readonly funded: readonly FundedAccount[];
}

const stablecoin = { symbol: 'usdxm', name: 'Test USD' } as const;

/** Where the test stablecoin of a minter stands, the same on every chain. */
export function testStablecoinAddress(minter: Address): Address {
  return testTokenDeployment({ ...stablecoin, owner: minter }).address;
}

/**
 * What every local chain of this service holds: the wallet contracts, Multicall3, the test
 * stablecoin and the chain's own tokens.
 */
export function planGenesis({ tokens, minter, funded }: GenesisInput): GenesisPlan {
  const usdxm = testTokenDeployment({ ...stablecoin, owner: minter });
  const ownTokens = tokens.flatMap(({ symbol, name, address }) => {
    if (address === undefined || isAddressEqual(address as Address, usdxm.address)) return [];
    return [
      {
        name: symbol,
        address: address as Address,
        initCode: testTokenDeployment({ symbol, name, owner: minter }).initCode,
      },
    ];
  });
  return {
    factory: singletonFactory,
    deployments: [...coreDeployments(), usdxm],
    placed: [
      { name: 'Multicall3', address: addresses.multicall3, initCode: readMulticall3() },
      ...ownTokens,
    ],
    funded,
  };
}

/**
 * Creation code of the canonical Multicall3. viem carries it for chains that lack the contract, but
 * exports only calls that use it.
 */
function readMulticall3(): Hex {
  const require = createRequire(import.meta.url);
  const constants: unknown = require(
    join(dirname(require.resolve('viem')), 'constants', 'contracts.js'),
  );
  return z
    .object({
      multicall3Bytecode: z.custom<Hex>(
        (value) => typeof value === 'string' && /^0x[0-9a-f]{1000,}$/.test(value),
      ),
    })
    .parse(constants).multicall3Bytecode;
}
