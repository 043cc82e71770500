import { describeChainFamily } from '../family.contract.ts';
import { startSolanaHarness } from './testing/harness.ts';

describeChainFamily(
  'solana, wallets that are keys',
  () => startSolanaHarness('mpc'),
  ['operations', 'funding', 'deposits'],
  { tags: 'slow' },
);
describeChainFamily('solana, wallets of the program', () => startSolanaHarness('smart'), [
  'operations',
  'funding',
  'deposits',
  'delegates',
]);
