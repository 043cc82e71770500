import { describeChainFamily } from '../family.contract.ts';
import { startSuiHarness } from './testing/harness.ts';

describeChainFamily('sui, wallets that are keys', startSuiHarness, [
  'operations',
  'funding',
  'deposits',
]);
