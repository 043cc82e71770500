// Generated from contracts/ and the service's networks by `npm run docs`: do not edit.

/** Where our contracts and those of Safe 1.4.1 stand on every chain. */
export const contracts = {
  "walletModule": "0xdBB1bc11FF827a70F183734d5756DC722120a43A",
  "safeProxyFactory": "0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67",
  "walletSetup": "0xc6185FC60eaf44107DCa18a9064B93A3e7fC71DF",
  "signatureHandler": "0xD545E23E13D9EB0DEFc46e67A9560282975f8FD3",
  "signerOwner": "0x5244A479540AB0c32a5A0f992ce0EC6e71d79680",
  "signerOwnerFactory": "0xd6b17aaE9958972164dcB6F61678f0dd79319082"
} as const;

export const proxyInitCodeHash = '0x76733d705f71b79841c0ee960a0ca880f779cde7ef446c989e6d23efc0a4adfb';

/** Functions that a wallet is set up with, and those of its module that the admin calls. */
export const functions = {
  "setup": "setup(address[],uint256,address,bytes,address,address,uint256,address)",
  "setUp": "setUp(bytes32[],(bytes32,uint48,uint48,(address,uint112,uint32,address[])[])[])",
  "addSigner": "addSigner(bytes32,uint32,uint48,uint48,(address,uint112,uint32,address[])[])",
  "removeSigner": "removeSigner(bytes32)",
  "bumpEpoch": "bumpEpoch()",
  "cancelNonce": "cancelNonce(uint256)"
} as const;

/** Domain and types of an operation (EIP-712), but for the chain id. */
export const operationDomain = {
  "name": "Purser WalletModule",
  "version": "1"
} as const;
export const operationTypes = {
  "Operation": [
    {
      "name": "wallet",
      "type": "address"
    },
    {
      "name": "calls",
      "type": "Call[]"
    },
    {
      "name": "nonce",
      "type": "uint256"
    },
    {
      "name": "epoch",
      "type": "uint64"
    },
    {
      "name": "validAfter",
      "type": "uint48"
    },
    {
      "name": "validUntil",
      "type": "uint48"
    },
    {
      "name": "callGas",
      "type": "uint256"
    }
  ],
  "Call": [
    {
      "name": "to",
      "type": "address"
    },
    {
      "name": "value",
      "type": "uint256"
    },
    {
      "name": "data",
      "type": "bytes"
    }
  ]
} as const;

/** The stablecoin of test networks, whose address each instance has its own. */
export const testTokenSymbol = 'usdxm';

/**
 * Name, chain id, symbol and decimals of the native money, USDC, the network that takes its place
 * outside production, `t` for test.
 */
export const chainRows =
  'abstract,2741,eth,18,,abstract-testnet;abstract-testnet,11124,eth,18,,,t;apechain,33139,ape,18,,curtis;arbitrum,42161,eth,18,0xaf88d065e77c8cC2239327C5EDb3A432268e5831,arbitrum-sepolia;arbitrum-sepolia,421614,eth,18,0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d,,t;arbitrumnova,42170,eth,18,,;arc-testnet,5042002,usdc,18,,,t;astar-zkevm,3776,eth,18,,;avalanche,43114,avax,18,0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E,avalanche-fuji;avalanche-fuji,43113,avax,18,0x5425890298aed601595a70AB815c96711a31Bc65,,t;base,8453,eth,18,0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913,base-sepolia;base-goerli,84531,eth,18,,,t;base-sepolia,84532,eth,18,0x036CbD53842c5426634e7929541eC2318f3dCF7e,,t;bsc,56,bnb,18,,;bsc-testnet,97,bnb,18,,,t;chiliz,88888,chz,18,,;chiliz-spicy-testnet,88882,chz,18,,,t;coti,2632500,coti,18,,;coti-testnet,7082400,coti,18,,,t;curtis,33111,ape,18,,,t;ethereum,1,eth,18,0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48,ethereum-sepolia;ethereum-goerli,5,eth,18,,,t;ethereum-sepolia,11155111,eth,18,0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238,,t;flow,747,flow,18,,flow-testnet;flow-testnet,545,flow,18,,,t;hedera,295,hbar,18,,;hedera-testnet,296,hbar,18,,,t;lightlink,1890,eth,18,,;lightlink-pegasus,1891,eth,18,,,t;mantle,5000,mnt,18,,mantle-sepolia;mantle-sepolia,5003,mnt,18,,,t;mode,34443,eth,18,,mode-sepolia;mode-sepolia,919,eth,18,,,t;optimism,10,eth,18,0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85,optimism-sepolia;optimism-goerli,420,eth,18,,,t;optimism-sepolia,11155420,eth,18,0x5fd84259d66Cd46123540766Be93DFE6D43130D7,,t;plume,98866,plume,18,0x222365EF19F7947e5484218551B56bb3965Aa7aF,plume-testnet;plume-testnet,98867,plume,18,0xcB5f30e335672893c7eb944B374c196392C19D18,,t;polygon,137,pol,18,0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359,polygon-amoy;polygon-amoy,80002,pol,18,0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582,,t;polygon-mumbai,80001,matic,18,,,t;rari,1380012617,eth,18,,;rari-testnet,1918988905,eth,18,,,t;robinhood-chain,4663,eth,18,,;robinhood-chain-testnet,46630,eth,18,,,t;scroll,534352,eth,18,,scroll-sepolia;scroll-sepolia,534351,eth,18,,,t;sei-atlantic-2-testnet,1328,sei,18,0x4fCF1784B31630811181f670Aea7A7bEF803eaED,,t;sei-pacific-1,1329,sei,18,0xe15fC38F6D8c56aF07bbCBe3BAf5708A2Bf42392,sei-atlantic-2-testnet;shape,360,eth,18,,;shape-sepolia,11011,eth,18,,,t;skale-nebula,1482601649,sfuel,18,,;skale-nebula-testnet,37084624,sfuel,18,,,t;soneium,1868,eth,18,,;soneium-minato-testnet,1946,eth,18,,,t;story,1514,data,18,,story-testnet;story-testnet,1315,data,18,,,t;tempo,4217,usd,6,,tempo-testnet;tempo-testnet,42431,usd,6,,,t;u2u-nebulas,2484,u2u,18,,,t;u2u-solaris,39,u2u,18,,;verify-testnet,1833,matic,18,,,t;viction,88,vic,18,,;viction-testnet,89,vic,18,,,t;world-chain,480,eth,18,0x79A02482A880bCE3F13e09Da970dC34db4CD24d1,world-chain-sepolia;world-chain-sepolia,4801,eth,18,0x66145f38cBAC35Ca6F1Dfb4914dF98F1614aeA88,,t;xai,660279,xai,18,,;xai-sepolia-testnet,37714555429,xai,18,,,t;zenchain-testnet,8408,ztc,18,,,t;zkatana,1261120,eth,18,,,t;zkyoto,6038361,eth,18,,,t;zora,7777777,eth,18,,zora-sepolia;zora-goerli,999,eth,18,,,t;zora-sepolia,999999999,eth,18,,,t';
