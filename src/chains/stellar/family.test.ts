import { describeChainFamily } from '../family.contract.ts';
import { startStellarHarness } from './testing/harness.ts';

describeChainFamily('stellar, smart wallets', () => startStellarHarness('smart'), [
  'operations',
  'funding',
  'deposits',
  'delegates',
  'signatures',
]);
describeChainFamily(
  'stellar, wallets that are keys',
  () => startStellarHarness('mpc'),
  ['operations', 'funding', 'deposits', 'signatures'],
  { tags: 'slow' },
);
