import { describeChainFamily } from '../family.contract.ts';
import { startStellarHarness } from './testing/harness.ts';

describeChainFamily('stellar, smart wallets', startStellarHarness, ['operations', 'funding', 'deposits', 'delegates', 'signatures']);
