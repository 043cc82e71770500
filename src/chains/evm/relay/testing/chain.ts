import {
  type Address,
  createTestClient,
  defineChain,
  http,
  numberToHex,
  publicActions,
  walletActions,
} from 'viem';
import type { TestChain } from '../../../../../contracts/test/chain.ts';
import {
  type Anvil,
  planGenesis,
  prepareGenesis,
  startAnvil,
  testStablecoinAddress,
} from '../../../../../devnet/index.ts';

/** A local chain with the contracts of the service, as the relay tests and benches use it. */
export interface RelayTestChain extends TestChain {
  readonly url: string;
  readonly anvil: Anvil;
  /** One call to the node, outside of what is tested. */
  call(method: string, params?: readonly unknown[]): Promise<unknown>;
  balanceOf(address: string): Promise<bigint>;
  setBalance(address: string, wei: bigint): Promise<void>;
}

export const chainName = 'base-sepolia';
export const chainId = 84532;
const minter: Address = '0x00000000000000000000000000000000000000f1';

export interface RelayTestChainOptions {
  /** Kept there between starts. */
  readonly stateFile?: string;
  readonly port?: number;
  /** Rules of an older EVM. */
  readonly hardfork?: string;
}

export async function startRelayTestChain(
  options: RelayTestChainOptions = {},
): Promise<RelayTestChain> {
  const anvil = await startAnvil({ chainId, log: () => undefined, ...options });
  await prepareGenesis(
    anvil.url,
    planGenesis({ tokens: [], minter, funded: [{ address: minter, wei: 10n ** 24n }] }),
  );
  const chain = defineChain({
    id: chainId,
    name: 'relay test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [anvil.url] } },
  });
  const client = createTestClient({
    mode: 'anvil',
    chain,
    transport: http(anvil.url, { timeout: 30_000, retryCount: 0 }),
    pollingInterval: 5,
  })
    .extend(publicActions)
    .extend(walletActions);
  await client.request({
    method: 'anvil_autoImpersonateAccount' as never,
    params: [true] as never,
  });
  const call = (method: string, params: readonly unknown[] = []) =>
    client.request({ method: method as never, params: params as never }) as Promise<unknown>;
  return {
    chainId,
    client,
    accounts: [minter, minter, minter, minter, minter],
    token: testStablecoinAddress(minter),
    url: anvil.url,
    anvil,
    call,
    stop: () => anvil.stop(),
    balanceOf: (address) => client.getBalance({ address: address as Address }),
    setBalance: async (address, wei) =>
      void (await call('anvil_setBalance', [address, numberToHex(wei)])),
  };
}
