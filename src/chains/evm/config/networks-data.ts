/**
 * Every EVM chain name of the interface, one row each. Chain ids, native tokens and explorers are
 * those of `viem/chains` (a test compares them, it is not imported here: it is large) or of the
 * public registry ethereum-lists/chains. USDC is listed where its issuer publishes an address.
 */

export interface EvmNetworkRow {
  readonly name: string;
  /**
   * Absent: not established in public. The node's own answer counts then, and the operator vouches
   * for it.
   */
  readonly chainId?: number;
  readonly testnet?: true;
  readonly native: { readonly symbol: string; readonly decimals: number };
  readonly explorerUrl?: string;
  /**
   * Blocks, its own included, after which an operation is answered as confirmed. More where blocks
   * are replaced now and then.
   */
  readonly confirmations: number;
  /** When a deposit can no longer be taken back. */
  readonly final: FinalityRule;
  readonly usdc?: string;
  /** The name that takes the place of this one outside production (supplement, section 20). */
  readonly testName?: string;
  /**
   * In the list of smart wallets (supplement, section 20); all of these take signer removal too.
   */
  readonly smart?: true;
  /** Takes signer removal without being in that list. */
  readonly removal?: true;
  /** Has the test stablecoin (supplement, section 10). */
  readonly testToken?: true;
  /**
   * Accounts of keys can delegate to code (EIP-7702), as the network's own announcements say;
   * absent: not, or not known.
   */
  readonly delegation?: true;
}

export type FinalityRule =
  /** The node knows: the block is at or below its `finalized` block. */
  | { readonly kind: 'finalized-tag' }
  /** The block has this many blocks, its own included. */
  | { readonly kind: 'depth'; readonly blocks: number };

const eth = coin('eth');
const tag: FinalityRule = { kind: 'finalized-tag' };
/** Consensus ends with the block: there is nothing to wait for. */
const atOnce: FinalityRule = { kind: 'depth', blocks: 1 };
/** Where nothing better is known: two epochs of Ethereum. */
const deep: FinalityRule = { kind: 'depth', blocks: 64 };
const testnet = true;
const smart = true;
const removal = true;
const testToken = true;
const delegation = true;

/* One line is one network. */
/* biome-ignore format: a table */
export const evmNetworkRows: readonly EvmNetworkRow[] = [
  { name: 'abstract', chainId: 2741, native: eth, explorerUrl: 'https://abscan.org', confirmations: 1, final: tag, testName: 'abstract-testnet', smart },
  { name: 'abstract-testnet', chainId: 11124, testnet, native: eth, explorerUrl: 'https://sepolia.abscan.org', confirmations: 1, final: tag, smart },
  { name: 'apechain', chainId: 33139, native: coin('ape'), explorerUrl: 'https://apescan.io', confirmations: 1, final: tag, testName: 'curtis', smart },
  { name: 'arbitrum', chainId: 42161, native: eth, explorerUrl: 'https://arbiscan.io', confirmations: 1, final: tag, usdc: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', testName: 'arbitrum-sepolia', smart, delegation },
  { name: 'arbitrum-sepolia', chainId: 421614, testnet, native: eth, explorerUrl: 'https://sepolia.arbiscan.io', confirmations: 1, final: tag, usdc: '0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d', smart, testToken, delegation },
  { name: 'arbitrumnova', chainId: 42170, native: eth, explorerUrl: 'https://nova.arbiscan.io', confirmations: 1, final: tag, smart, delegation },
  { name: 'arc-testnet', chainId: 5042002, testnet, native: coin('usdc'), explorerUrl: 'https://testnet.arcscan.app', confirmations: 1, final: atOnce, smart },
  { name: 'astar-zkevm', chainId: 3776, native: eth, explorerUrl: 'https://astar-zkevm.explorer.startale.com', confirmations: 1, final: tag },
  { name: 'avalanche', chainId: 43114, native: coin('avax'), explorerUrl: 'https://snowtrace.io', confirmations: 1, final: atOnce, usdc: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', testName: 'avalanche-fuji', removal },
  { name: 'avalanche-fuji', chainId: 43113, testnet, native: coin('avax'), explorerUrl: 'https://testnet.snowtrace.io', confirmations: 1, final: atOnce, usdc: '0x5425890298aed601595a70AB815c96711a31Bc65', removal, testToken },
  { name: 'base', chainId: 8453, native: eth, explorerUrl: 'https://basescan.org', confirmations: 1, final: tag, usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', testName: 'base-sepolia', smart, delegation },
  { name: 'base-goerli', chainId: 84531, testnet, native: eth, explorerUrl: 'https://goerli.basescan.org', confirmations: 1, final: tag },
  { name: 'base-sepolia', chainId: 84532, testnet, native: eth, explorerUrl: 'https://sepolia.basescan.org', confirmations: 1, final: tag, usdc: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', smart, testToken, delegation },
  { name: 'bsc', chainId: 56, native: coin('bnb'), explorerUrl: 'https://bscscan.com', confirmations: 3, final: tag, smart, delegation },
  { name: 'bsc-testnet', chainId: 97, testnet, native: coin('bnb'), explorerUrl: 'https://testnet.bscscan.com', confirmations: 3, final: tag, delegation },
  { name: 'chiliz', chainId: 88888, native: coin('chz'), explorerUrl: 'https://scan.chiliz.com', confirmations: 3, final: deep },
  { name: 'chiliz-spicy-testnet', chainId: 88882, testnet, native: coin('chz'), explorerUrl: 'http://spicy-explorer.chiliz.com', confirmations: 3, final: deep },
  { name: 'coti', chainId: 2632500, native: coin('coti'), explorerUrl: 'https://mainnet.cotiscan.io', confirmations: 3, final: deep },
  { name: 'coti-testnet', chainId: 7082400, testnet, native: coin('coti'), explorerUrl: 'https://testnet.cotiscan.io', confirmations: 3, final: deep },
  { name: 'svc-private-testnet-ethereum', testnet, native: eth, confirmations: 3, final: deep },
  { name: 'svc-private-testnet-polygon', testnet, native: coin('pol'), confirmations: 3, final: deep },
  { name: 'curtis', chainId: 33111, testnet, native: coin('ape'), explorerUrl: 'https://explorer.curtis.apechain.com', confirmations: 1, final: tag, smart },
  { name: 'ethereum', chainId: 1, native: eth, explorerUrl: 'https://etherscan.io', confirmations: 2, final: tag, usdc: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', testName: 'ethereum-sepolia', smart, delegation },
  { name: 'ethereum-goerli', chainId: 5, testnet, native: eth, explorerUrl: 'https://goerli.etherscan.io', confirmations: 2, final: tag },
  { name: 'ethereum-sepolia', chainId: 11155111, testnet, native: eth, explorerUrl: 'https://sepolia.etherscan.io', confirmations: 2, final: tag, usdc: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238', smart, testToken, delegation },
  { name: 'flow', chainId: 747, native: coin('flow'), explorerUrl: 'https://evm.flowscan.io', confirmations: 1, final: deep, testName: 'flow-testnet', smart },
  { name: 'flow-testnet', chainId: 545, testnet, native: coin('flow'), explorerUrl: 'https://evm-testnet.flowscan.io', confirmations: 1, final: deep, smart },
  { name: 'hedera', chainId: 295, native: coin('hbar'), explorerUrl: 'https://hashscan.io/mainnet', confirmations: 1, final: atOnce },
  { name: 'hedera-testnet', chainId: 296, testnet, native: coin('hbar'), explorerUrl: 'https://hashscan.io/testnet', confirmations: 1, final: atOnce },
  { name: 'hypersonic-testnet', testnet, native: eth, confirmations: 3, final: deep },
  { name: 'lightlink', chainId: 1890, native: eth, explorerUrl: 'https://phoenix.lightlink.io', confirmations: 1, final: deep },
  { name: 'lightlink-pegasus', chainId: 1891, testnet, native: eth, explorerUrl: 'https://pegasus.lightlink.io', confirmations: 1, final: deep },
  { name: 'mantle', chainId: 5000, native: coin('mnt'), explorerUrl: 'https://mantlescan.xyz', confirmations: 1, final: tag, testName: 'mantle-sepolia', smart },
  { name: 'mantle-sepolia', chainId: 5003, testnet, native: coin('mnt'), explorerUrl: 'https://explorer.sepolia.mantle.xyz', confirmations: 1, final: tag, smart },
  { name: 'mode', chainId: 34443, native: eth, explorerUrl: 'https://modescan.io', confirmations: 1, final: tag, testName: 'mode-sepolia', smart, delegation },
  { name: 'mode-sepolia', chainId: 919, testnet, native: eth, explorerUrl: 'https://sepolia.explorer.mode.network', confirmations: 1, final: tag, smart, delegation },
  { name: 'optimism', chainId: 10, native: eth, explorerUrl: 'https://optimistic.etherscan.io', confirmations: 1, final: tag, usdc: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85', testName: 'optimism-sepolia', smart, delegation },
  { name: 'optimism-goerli', chainId: 420, testnet, native: eth, explorerUrl: 'https://goerli-optimism.etherscan.io', confirmations: 1, final: tag },
  { name: 'optimism-sepolia', chainId: 11155420, testnet, native: eth, explorerUrl: 'https://optimism-sepolia.blockscout.com', confirmations: 1, final: tag, usdc: '0x5fd84259d66Cd46123540766Be93DFE6D43130D7', smart, testToken, delegation },
  { name: 'plume', chainId: 98866, native: coin('plume'), explorerUrl: 'https://explorer.plume.org', confirmations: 1, final: tag, usdc: '0x222365EF19F7947e5484218551B56bb3965Aa7aF', testName: 'plume-testnet', smart },
  { name: 'plume-testnet', chainId: 98867, testnet, native: coin('plume'), explorerUrl: 'https://testnet-explorer.plume.org', confirmations: 1, final: tag, usdc: '0xcB5f30e335672893c7eb944B374c196392C19D18', smart },
  { name: 'polygon', chainId: 137, native: coin('pol'), explorerUrl: 'https://polygonscan.com', confirmations: 3, final: tag, usdc: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', testName: 'polygon-amoy', smart, delegation },
  { name: 'polygon-amoy', chainId: 80002, testnet, native: coin('pol'), explorerUrl: 'https://amoy.polygonscan.com', confirmations: 3, final: tag, usdc: '0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582', smart, testToken, delegation },
  { name: 'polygon-mumbai', chainId: 80001, testnet, native: coin('matic'), explorerUrl: 'https://mumbai.polygonscan.com', confirmations: 3, final: deep },
  { name: 'rari', chainId: 1380012617, native: eth, explorerUrl: 'https://mainnet.explorer.rarichain.org', confirmations: 1, final: tag },
  { name: 'rari-testnet', chainId: 1918988905, testnet, native: eth, explorerUrl: 'https://explorer.rarichain.org', confirmations: 1, final: tag },
  { name: 'robinhood-chain', chainId: 4663, native: eth, explorerUrl: 'https://robinhoodchain.blockscout.com', confirmations: 1, final: tag },
  { name: 'robinhood-chain-testnet', chainId: 46630, testnet, native: eth, explorerUrl: 'https://explorer.testnet.chain.robinhood.com', confirmations: 1, final: tag },
  { name: 'scroll', chainId: 534352, native: eth, explorerUrl: 'https://scrollscan.com', confirmations: 1, final: tag, testName: 'scroll-sepolia', smart, delegation },
  { name: 'scroll-sepolia', chainId: 534351, testnet, native: eth, explorerUrl: 'https://sepolia.scrollscan.com', confirmations: 1, final: tag, smart, delegation },
  { name: 'sei-atlantic-2-testnet', chainId: 1328, testnet, native: coin('sei'), explorerUrl: 'https://testnet.seiscan.io', confirmations: 1, final: atOnce, usdc: '0x4fCF1784B31630811181f670Aea7A7bEF803eaED', smart, testToken },
  { name: 'sei-pacific-1', chainId: 1329, native: coin('sei'), explorerUrl: 'https://seiscan.io', confirmations: 1, final: atOnce, usdc: '0xe15fC38F6D8c56aF07bbCBe3BAf5708A2Bf42392', testName: 'sei-atlantic-2-testnet', smart },
  { name: 'shape', chainId: 360, native: eth, explorerUrl: 'https://shapescan.xyz', confirmations: 1, final: tag, smart },
  { name: 'shape-sepolia', chainId: 11011, testnet, native: eth, explorerUrl: 'https://explorer-sepolia.shape.network', confirmations: 1, final: tag },
  { name: 'skale-nebula', chainId: 1482601649, native: coin('sfuel'), explorerUrl: 'https://green-giddy-denebola.explorer.mainnet.skalenodes.com', confirmations: 1, final: atOnce },
  { name: 'skale-nebula-testnet', chainId: 37084624, testnet, native: coin('sfuel'), explorerUrl: 'https://lanky-ill-funny-testnet.explorer.testnet.skalenodes.com', confirmations: 1, final: atOnce, testToken },
  { name: 'soneium', chainId: 1868, native: eth, explorerUrl: 'https://soneium.blockscout.com', confirmations: 1, final: tag, delegation },
  { name: 'soneium-minato-testnet', chainId: 1946, testnet, native: eth, explorerUrl: 'https://soneium-minato.blockscout.com', confirmations: 1, final: tag, testToken, delegation },
  { name: 'space', native: eth, confirmations: 3, final: deep },
  { name: 'space-testnet', testnet, native: eth, confirmations: 3, final: deep },
  { name: 'story', chainId: 1514, native: coin('data'), explorerUrl: 'https://datanetscan.io', confirmations: 1, final: atOnce, testName: 'story-testnet', smart },
  { name: 'story-testnet', chainId: 1315, testnet, native: coin('data'), explorerUrl: 'https://aeneid.datanetscan.io', confirmations: 1, final: atOnce, smart },
  { name: 'tempo', chainId: 4217, native: coin('usd', 6), explorerUrl: 'https://explore.tempo.xyz', confirmations: 1, final: atOnce, testName: 'tempo-testnet', smart },
  { name: 'tempo-testnet', chainId: 42431, testnet, native: coin('usd', 6), explorerUrl: 'https://explore.testnet.tempo.xyz', confirmations: 1, final: atOnce, smart },
  { name: 'u2u-nebulas', chainId: 2484, testnet, native: coin('u2u'), explorerUrl: 'https://testnet.u2uscan.xyz', confirmations: 1, final: deep },
  { name: 'u2u-solaris', chainId: 39, native: coin('u2u'), explorerUrl: 'https://u2uscan.xyz', confirmations: 1, final: deep },
  { name: 'verify-testnet', chainId: 1833, testnet, native: coin('matic'), explorerUrl: 'https://verify-testnet.blockscout.com', confirmations: 3, final: deep },
  { name: 'viction', chainId: 88, native: coin('vic'), explorerUrl: 'https://vicscan.xyz', confirmations: 3, final: deep },
  { name: 'viction-testnet', chainId: 89, testnet, native: coin('vic'), explorerUrl: 'https://testnet.vicscan.xyz', confirmations: 3, final: deep, testToken },
  { name: 'world-chain', chainId: 480, native: eth, explorerUrl: 'https://worldscan.org', confirmations: 1, final: tag, usdc: '0x79A02482A880bCE3F13e09Da970dC34db4CD24d1', testName: 'world-chain-sepolia', smart, delegation },
  { name: 'world-chain-sepolia', chainId: 4801, testnet, native: eth, explorerUrl: 'https://sepolia.worldscan.org', confirmations: 1, final: tag, usdc: '0x66145f38cBAC35Ca6F1Dfb4914dF98F1614aeA88', smart, delegation },
  { name: 'xai', chainId: 660279, native: coin('xai'), explorerUrl: 'https://explorer.xai-chain.net', confirmations: 1, final: tag },
  { name: 'xai-sepolia-testnet', chainId: 37714555429, testnet, native: coin('xai'), explorerUrl: 'https://testnet-explorer-v2.xai-chain.net', confirmations: 1, final: tag },
  { name: 'zenchain-testnet', chainId: 8408, testnet, native: coin('ztc'), explorerUrl: 'https://zentrace.io', confirmations: 1, final: deep },
  { name: 'zkatana', chainId: 1261120, testnet, native: eth, explorerUrl: 'https://zkatana.explorer.startale.com', confirmations: 1, final: tag },
  { name: 'zkyoto', chainId: 6038361, testnet, native: eth, explorerUrl: 'https://zkyoto.explorer.startale.com', confirmations: 1, final: tag },
  { name: 'zora', chainId: 7777777, native: eth, explorerUrl: 'https://explorer.zora.energy', confirmations: 1, final: tag, testName: 'zora-sepolia', smart, delegation },
  { name: 'zora-goerli', chainId: 999, testnet, native: eth, explorerUrl: 'https://testnet.explorer.zora.energy', confirmations: 1, final: tag },
  { name: 'zora-sepolia', chainId: 999999999, testnet, native: eth, explorerUrl: 'https://sepolia.explorer.zora.energy', confirmations: 1, final: tag, smart, delegation },
];

function coin(symbol: string, decimals = 18): EvmNetworkRow['native'] {
  return { symbol, decimals };
}
