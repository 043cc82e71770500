import type { Network, Token } from '../../family.ts';
import { type EvmNetworkRow, evmNetworkRows, type FinalityRule } from './networks-data.ts';
import { localBounds, type SpendingBounds, spendingBoundsOf } from './spending-bounds.ts';

export type { FinalityRule } from './networks-data.ts';
export type { SpendingBounds } from './spending-bounds.ts';

/**
 * An EVM network as data. All 79 EVM chain names of the interface are listed; a node address makes
 * one usable.
 */
export interface EvmNetwork extends Network {
  readonly chainType: 'evm';
  /**
   * Absent where no id is established in public (private and retired networks): then the configured
   * node's answer counts.
   */
  readonly chainId?: number;
  /** Blocks, its own included, after which an operation is confirmed; at least 1. */
  readonly confirmations: number;
  /** What may be spent for gas. */
  readonly bounds: SpendingBounds;
  /** When a block can no longer be replaced. */
  readonly finality: FinalityRule;
  /** Listed for smart wallets (supplement, section 20). */
  readonly smartWallets: boolean;
  /** Accepted as `chain` of signer removal. */
  readonly signerRemoval: boolean;
  /**
   * Accounts of keys can delegate to code (EIP-7702); elsewhere those of mpc wallets send by
   * themselves, with gas that the service gives them.
   */
  readonly delegation: boolean;
  /** Has the test stablecoin, which `POST …/balances` mints. */
  readonly testFunding: boolean;
}

/** Symbol and name of the test stablecoin on test networks. */
export const testToken = { symbol: 'usdxm', name: 'Test USD', decimals: 6 } as const;

const usdcName = 'USD Coin';

/**
 * The networks without the test stablecoin, whose address depends on who deployed it: see
 * {@link listEvmNetworks}.
 */
export const evmNetworks: readonly EvmNetwork[] = evmNetworkRows.map(toNetwork);

const byName = new Map(evmNetworks.map((network) => [network.name, network]));
const testNames = new Map(
  evmNetworkRows.flatMap((row) => (row.testName ? [[row.name, row.testName] as const] : [])),
);

/** Undefined for a name that is no EVM chain name of the interface. */
export function findEvmNetwork(name: string): EvmNetwork | undefined {
  return byName.get(name);
}

/** What stands for a network in the names of its settings. */
export function starOf(chain: string): string {
  return chain.toUpperCase().replaceAll('-', '_');
}

export interface NetworkOptions {
  /** Where the operator's test stablecoin stands, the same on every network; absent: nowhere. */
  readonly testTokenAddress?: string;
  /**
   * The nodes are local ones, which make no block without a transaction: each block counts, and is
   * final, at once.
   */
  readonly local?: boolean;
  /** What the operator sets of the bounds, by network. */
  readonly bounds?: ReadonlyMap<string, Partial<SpendingBounds>>;
  /** Whose nodes do not know EIP-7702, whatever the network's data say. */
  readonly withoutDelegation?: ReadonlySet<string> | undefined;
}

/** Every network, with the test stablecoin on the test networks that have it. */
export function listEvmNetworks({
  testTokenAddress,
  local = false,
  bounds,
  withoutDelegation,
}: NetworkOptions = {}): readonly EvmNetwork[] {
  const token: Token | undefined =
    testTokenAddress === undefined ? undefined : { ...testToken, address: testTokenAddress };
  if (!token && !local && !bounds && !withoutDelegation) return evmNetworks;
  return evmNetworks.map((network) => ({
    ...network,
    tokens: token && network.testFunding ? [...network.tokens, token] : network.tokens,
    bounds: {
      ...(local ? localBounds(network.bounds) : network.bounds),
      ...bounds?.get(network.name),
    },
    confirmations: local ? 1 : network.confirmations,
    delegation: (local || network.delegation) && !withoutDelegation?.has(network.name),
    finality: local ? { kind: 'depth', blocks: 1 } : network.finality,
  }));
}

/**
 * The test network that stands for a main one outside production (supplement, section 20);
 * undefined where there is none.
 */
export function testNameOf(name: string): string | undefined {
  return testNames.get(name);
}

/** Address of a transaction in the network's explorer. */
export function explorerLinkOf(network: EvmNetwork, txId: string): string | undefined {
  return (
    network.explorerUrl &&
    `${network.explorerUrl}${network.name.startsWith('hedera') ? '/transaction/' : '/tx/'}${txId}`
  );
}

function toNetwork(row: EvmNetworkRow): EvmNetwork {
  return {
    name: row.name,
    chainType: 'evm',
    chainId: row.chainId,
    testnet: row.testnet ?? false,
    native: row.native,
    explorerUrl: row.explorerUrl,
    tokens: row.usdc ? [{ symbol: 'usdc', name: usdcName, decimals: 6, address: row.usdc }] : [],
    confirmations: row.confirmations,
    bounds: spendingBoundsOf(row.native.symbol),
    finality: row.final,
    smartWallets: row.smart ?? false,
    signerRemoval: row.smart ?? row.removal ?? false,
    delegation: row.delegation ?? false,
    testFunding: row.testToken ?? false,
  };
}
