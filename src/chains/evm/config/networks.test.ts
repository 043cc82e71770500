import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Chain, getAddress } from 'viem';
import * as chains from 'viem/chains';
import { describe, expect, test } from 'vitest';
import {
  type EvmNetwork,
  evmNetworks,
  explorerLinkOf,
  findEvmNetwork,
  listEvmNetworks,
  testNameOf,
} from './networks.ts';
import { evmNetworkRows } from './networks-data.ts';

/** The chain names of the interface, EVM ones only. */
const interfaceNames = `
abstract abstract-testnet apechain arbitrum arbitrum-sepolia arbitrumnova arc-testnet astar-zkevm avalanche avalanche-fuji base base-goerli
base-sepolia bsc bsc-testnet chiliz chiliz-spicy-testnet coti coti-testnet svc-private-testnet-ethereum svc-private-testnet-polygon curtis
ethereum ethereum-goerli ethereum-sepolia flow flow-testnet hedera hedera-testnet hypersonic-testnet lightlink lightlink-pegasus mantle
mantle-sepolia mode mode-sepolia optimism optimism-goerli optimism-sepolia plume plume-testnet polygon polygon-amoy polygon-mumbai rari
rari-testnet robinhood-chain robinhood-chain-testnet scroll scroll-sepolia sei-atlantic-2-testnet sei-pacific-1 shape shape-sepolia
skale-nebula skale-nebula-testnet soneium soneium-minato-testnet space space-testnet story story-testnet tempo tempo-testnet u2u-nebulas
u2u-solaris verify-testnet viction viction-testnet world-chain world-chain-sepolia xai xai-sepolia-testnet zenchain-testnet zkatana zkyoto
zora zora-goerli zora-sepolia`
  .trim()
  .split(/\s+/);

const removalNames = `
abstract abstract-testnet apechain arbitrum arbitrum-sepolia arbitrumnova arc-testnet avalanche avalanche-fuji base base-sepolia bsc curtis
ethereum ethereum-sepolia flow flow-testnet mantle mantle-sepolia mode mode-sepolia optimism optimism-sepolia plume plume-testnet polygon
polygon-amoy scroll scroll-sepolia sei-atlantic-2-testnet sei-pacific-1 shape story story-testnet tempo tempo-testnet world-chain
world-chain-sepolia zora zora-sepolia`
  .trim()
  .split(/\s+/);

const fundingNames = `
arbitrum-sepolia avalanche-fuji base-sepolia ethereum-sepolia optimism-sepolia polygon-amoy sei-atlantic-2-testnet skale-nebula-testnet
soneium-minato-testnet viction-testnet`
  .trim()
  .split(/\s+/);

/** Where accounts of keys can delegate to code (EIP-7702), as the networks have announced it. */
const delegationNames = `
arbitrum arbitrum-sepolia arbitrumnova base base-sepolia bsc bsc-testnet ethereum ethereum-sepolia mode mode-sepolia optimism
optimism-sepolia polygon polygon-amoy scroll scroll-sepolia soneium soneium-minato-testnet world-chain world-chain-sepolia zora zora-sepolia`
  .trim()
  .split(/\s+/);

/** What viem calls the networks; those that it does not know are named below, with the reason. */
const viemNames: Record<string, Chain> = {
  abstract: chains.abstract,
  'abstract-testnet': chains.abstractTestnet,
  apechain: chains.apeChain,
  arbitrum: chains.arbitrum,
  'arbitrum-sepolia': chains.arbitrumSepolia,
  arbitrumnova: chains.arbitrumNova,
  'arc-testnet': chains.arcTestnet,
  'astar-zkevm': chains.astarZkEVM,
  avalanche: chains.avalanche,
  'avalanche-fuji': chains.avalancheFuji,
  base: chains.base,
  'base-goerli': chains.baseGoerli,
  'base-sepolia': chains.baseSepolia,
  bsc: chains.bsc,
  'bsc-testnet': chains.bscTestnet,
  chiliz: chains.chiliz,
  'chiliz-spicy-testnet': chains.spicy,
  curtis: chains.curtis,
  ethereum: chains.mainnet,
  'ethereum-goerli': chains.goerli,
  'ethereum-sepolia': chains.sepolia,
  flow: chains.flowMainnet,
  'flow-testnet': chains.flowTestnet,
  hedera: chains.hedera,
  'hedera-testnet': chains.hederaTestnet,
  lightlink: chains.lightlinkPhoenix,
  'lightlink-pegasus': chains.lightlinkPegasus,
  mantle: chains.mantle,
  'mantle-sepolia': chains.mantleSepoliaTestnet,
  mode: chains.mode,
  'mode-sepolia': chains.modeTestnet,
  optimism: chains.optimism,
  'optimism-goerli': chains.optimismGoerli,
  'optimism-sepolia': chains.optimismSepolia,
  plume: chains.plumeMainnet,
  'plume-testnet': chains.plumeSepolia,
  polygon: chains.polygon,
  'polygon-amoy': chains.polygonAmoy,
  'polygon-mumbai': chains.polygonMumbai,
  'robinhood-chain': chains.robinhood,
  'robinhood-chain-testnet': chains.robinhoodTestnet,
  scroll: chains.scroll,
  'scroll-sepolia': chains.scrollSepolia,
  'sei-atlantic-2-testnet': chains.seiTestnet,
  'sei-pacific-1': chains.sei,
  shape: chains.shape,
  'shape-sepolia': chains.shapeSepolia,
  'skale-nebula': chains.skaleNebula,
  'skale-nebula-testnet': chains.skaleNebulaTestnet,
  soneium: chains.soneium,
  'soneium-minato-testnet': chains.soneiumMinato,
  story: chains.story,
  'story-testnet': chains.storyAeneid,
  tempo: chains.tempo,
  'tempo-testnet': chains.tempoModerato,
  viction: chains.viction,
  'viction-testnet': chains.victionTestnet,
  'world-chain': chains.worldchain,
  'world-chain-sepolia': chains.worldchainSepolia,
  xai: chains.xai,
  'xai-sepolia-testnet': chains.xaiTestnet,
  'zenchain-testnet': chains.zenchainTestnet,
  zkyoto: chains.astarZkyoto,
  zora: chains.zora,
  'zora-goerli': chains.zoraTestnet,
  'zora-sepolia': chains.zoraSepolia,
};
/** Chain ids from the public registry of EVM chains. */
const registryIds: Record<string, number> = {
  coti: 2632500,
  'coti-testnet': 7082400,
  rari: 1380012617,
  'rari-testnet': 1918988905,
  'u2u-nebulas': 2484,
  'u2u-solaris': 39,
  'verify-testnet': 1833,
  zkatana: 1261120,
};
const withoutId = [
  'svc-private-testnet-ethereum',
  'svc-private-testnet-polygon',
  'hypersonic-testnet',
  'space',
  'space-testnet',
];
/**
 * Test networks whose native token viem gives a name of its own; here a symbol means the same on
 * main and test.
 */
const viemTestSymbols: Record<string, string> = {
  'bsc-testnet': 'bnb',
  'xai-sepolia-testnet': 'xai',
};

describe('networks', () => {
  test('are every EVM chain name of the interface, each once', () => {
    expect(interfaceNames).toHaveLength(79);
    expect(evmNetworks.map((network) => network.name)).toEqual(interfaceNames);
  });

  test('have a known chain id, save those that need the answer of a node', () => {
    expect([...Object.keys(viemNames), ...Object.keys(registryIds), ...withoutId].sort()).toEqual(
      [...interfaceNames].sort(),
    );
    expect(
      evmNetworks.filter((network) => network.chainId === undefined).map((network) => network.name),
    ).toEqual(withoutId);
    const ids = evmNetworks.flatMap((network) => network.chainId ?? []);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(Object.entries(viemNames))(
    '%s has the chain id, native token, explorer and kind that viem knows',
    (name, chain) => {
      const network = findEvmNetwork(name)!;
      expect(network.chainId).toBe(chain.id);
      expect(network.native).toEqual({
        symbol: viemTestSymbols[name] ?? chain.nativeCurrency.symbol.toLowerCase(),
        decimals: chain.nativeCurrency.decimals,
      });
      expect(network.explorerUrl).toBe(chain.blockExplorers!.default.url.replace(/\/$/, ''));
      expect(network.testnet).toBe(chain.testnet ?? false);
    },
  );

  test.each(Object.entries(registryIds))(
    '%s has the chain id of the public registry: %i',
    (name, chainId) => {
      expect(findEvmNetwork(name)!.chainId).toBe(chainId);
    },
  );

  test('of ether call their native token eth', () => {
    for (const name of ['ethereum', 'base', 'arbitrum-sepolia', 'optimism', 'zora'])
      expect(findEvmNetwork(name)!.native).toEqual({ symbol: 'eth', decimals: 18 });
    for (const network of evmNetworks)
      expect(network.native.symbol).toBe(network.native.symbol.toLowerCase());
  });

  test('say when an operation is confirmed and when it is final', () => {
    for (const network of evmNetworks) {
      expect(network.confirmations).toBeGreaterThanOrEqual(1);
      if (network.finality.kind === 'depth')
        expect(network.finality.blocks).toBeGreaterThanOrEqual(network.confirmations);
    }
  });

  test('have explorers without a slash at the end, so that links can be made', () => {
    for (const { explorerUrl } of evmNetworks)
      if (explorerUrl !== undefined) expect(explorerUrl).toMatch(/^https?:\/\/[^\s]+[^/]$/);
    expect(explorerLinkOf(findEvmNetwork('base-sepolia')!, '0xab')).toBe(
      'https://sepolia.basescan.org/tx/0xab',
    );
    expect(explorerLinkOf(findEvmNetwork('hedera')!, '0xab')).toBe(
      'https://hashscan.io/mainnet/transaction/0xab',
    );
    expect(explorerLinkOf(findEvmNetwork('space')!, '0xab')).toBeUndefined();
  });

  test('that take signer removal are the subset of the interface, and smart wallets those without Avalanche', () => {
    expect(
      evmNetworks
        .filter((network) => network.signerRemoval)
        .map((network) => network.name)
        .sort(),
    ).toEqual([...removalNames].sort());
    expect(
      evmNetworks
        .filter((network) => network.smartWallets)
        .map((network) => network.name)
        .sort(),
    ).toEqual(removalNames.filter((name) => !name.startsWith('avalanche')).sort());
  });

  test('other names are unknown', () => {
    for (const name of [
      '',
      'solana',
      'stellar',
      'aptos',
      'sui',
      'xion',
      'Base',
      'base ',
      'toString',
      '__proto__',
    ])
      expect(findEvmNetwork(name)).toBeUndefined();
  });
});

describe('tokens', () => {
  test('usdc is at its published addresses, with 6 decimals', () => {
    expect(findEvmNetwork('base-sepolia')!.tokens).toEqual([
      {
        symbol: 'usdc',
        name: 'USD Coin',
        decimals: 6,
        address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      },
    ]);
    const addresses = evmNetworks
      .flatMap((network) => network.tokens)
      .map((token) => token.address!);
    for (const address of addresses) expect(getAddress(address)).toBe(address);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  test('no symbol of a network has two meanings', () => {
    for (const network of listEvmNetworks({
      testTokenAddress: '0x1111111111111111111111111111111111111111',
    })) {
      const symbols = [network.native.symbol, ...network.tokens.map((token) => token.symbol)];
      expect(new Set(symbols).size).toBe(symbols.length);
    }
  });

  test('accounts delegate where the network has announced it, and on every local chain', () => {
    const having = (networks: readonly EvmNetwork[]) =>
      networks.filter(({ delegation }) => delegation).map(({ name }) => name);
    expect(having(evmNetworks)).toEqual(
      interfaceNames.filter((name) => delegationNames.includes(name)),
    );
    expect(having(listEvmNetworks({ local: true }))).toEqual(interfaceNames);
  });

  test('usdxm is where test funding is offered, at the address that was given, and nowhere without one', () => {
    const address = '0x1111111111111111111111111111111111111111';
    const funded = listEvmNetworks({ testTokenAddress: address }).filter((network) =>
      network.tokens.some((token) => token.symbol === 'usdxm'),
    );
    expect(funded.map((network) => network.name)).toEqual(
      interfaceNames.filter((name) => fundingNames.includes(name)),
    );
    expect(funded[0]!.tokens.at(-1)).toEqual({
      symbol: 'usdxm',
      name: 'Test USD',
      decimals: 6,
      address,
    });
    expect(funded.every((network) => network.testnet && network.testFunding)).toBe(true);
    expect(
      listEvmNetworks().some((network) => network.tokens.some((token) => token.symbol === 'usdxm')),
    ).toBe(false);
  });
});

describe('test names', () => {
  test.each([
    ['abstract', 'abstract-testnet'],
    ['apechain', 'curtis'],
    ['flow', 'flow-testnet'],
    ['plume', 'plume-testnet'],
    ['polygon', 'polygon-amoy'],
    ['sei-pacific-1', 'sei-atlantic-2-testnet'],
    ['story', 'story-testnet'],
    ['tempo', 'tempo-testnet'],
    ['arbitrum', 'arbitrum-sepolia'],
    ['base', 'base-sepolia'],
    ['ethereum', 'ethereum-sepolia'],
    ['mantle', 'mantle-sepolia'],
    ['mode', 'mode-sepolia'],
    ['optimism', 'optimism-sepolia'],
    ['scroll', 'scroll-sepolia'],
    ['world-chain', 'world-chain-sepolia'],
    ['zora', 'zora-sepolia'],
    ['avalanche', 'avalanche-fuji'],
  ])('%s is %s outside production', (main, test) => {
    expect(testNameOf(main)).toBe(test);
  });

  test('lead from a main network that takes signer removal to a test network that does, and from nowhere else', () => {
    const mains = evmNetworks.filter((network) => testNameOf(network.name) !== undefined);
    expect(mains).toHaveLength(18);
    for (const main of mains) {
      expect(main.testnet).toBe(false);
      expect(findEvmNetwork(testNameOf(main.name)!)).toMatchObject({
        testnet: true,
        signerRemoval: true,
      });
    }
    for (const name of ['bsc', 'shape', 'arbitrumnova', 'base-sepolia', 'nowhere'])
      expect(testNameOf(name)).toBeUndefined();
  });
});

test('the table loads without a library', () => {
  const source = ['networks.ts', 'networks-data.ts']
    .map((file) => readFileSync(fileURLToPath(new URL(file, import.meta.url)), 'utf8'))
    .join('\n');
  const imported = [...source.matchAll(/^(?:import|export) .*from '([^']+)'/gm)].map(
    (match) => match[1],
  );
  expect(imported.every((specifier) => specifier!.startsWith('.'))).toBe(true);
  expect(evmNetworkRows).toHaveLength(79);
});
