export {
  createSolanaChain,
  type SolanaChain,
  type SolanaChainControl,
  type SolanaChainOptions,
  startSolanaChain,
} from './local-chain.ts';
