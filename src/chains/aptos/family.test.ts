import { describeChainFamily } from '../family.contract.ts';
import { startAptosHarness } from './testing/harness.ts';

describeChainFamily('aptos, wallets that are keys', startAptosHarness, ['operations', 'funding']);
