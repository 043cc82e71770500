import type { Address } from '@solana/kit';
import { ServiceError } from '../../../lib/errors.ts';
import type { ControlTools, Delegates } from '../../family/delegates.ts';
import type { SmartWalletInput, Wallets } from '../../family/wallets.ts';
import type { Signer, WalletPlan } from '../../family.ts';
import { isQuorum, type QuorumSigner } from '../../family.ts';
import type { SolanaNetwork } from '../config/networks.ts';
import type { BuildDeps } from '../operation/build.ts';
import { readSolanaControl } from './control.ts';
import { prepareSolanaEnd, prepareSolanaSignerChange, readSolanaDelegates } from './delegates.ts';
import { solanaAdminSignerTypes, solanaDelegatedSignerTypes } from './signer-keys.ts';
import { planSmartWallet } from './smart-plan.ts';

/** What smart wallets add to the family. */

/** Which rules of the wallet program a passkey of this service is verified by. */
const validatorContractVersion = '1';

export interface SmartWalletDeps {
  readonly build: BuildDeps;
  readonly network: SolanaNetwork;
  /** Undefined: this instance has none, and no smart wallets. */
  readonly program: string | undefined;
}

export interface SmartWallets extends Pick<Wallets, 'adminSignerTypes' | 'completeSigner'> {
  planSmartWallet(input: SmartWalletInput): WalletPlan;
  readonly delegates: Delegates;
  readonly control: ControlTools;
}

export function createSmartWallets({ build, network, program }: SmartWalletDeps): SmartWallets {
  return {
    adminSignerTypes: solanaAdminSignerTypes,
    completeSigner,
    planSmartWallet(input) {
      if (program === undefined) throw noProgram();
      return planSmartWallet({ program: program as Address, cluster: network.cluster }, input);
    },
    delegates: {
      delegatedSignerTypes: solanaDelegatedSignerTypes,
      prepareSignerChange: (input) => prepareSolanaSignerChange(build, input),
      readDelegates: async (wallet, chain, delegates) => readSolanaDelegates(await build.connect(chain), wallet, delegates),
    },
    control: {
      read: async (input) => readSolanaControl(await build.connect(input.chain), input),
      prepareEnd: (input) => prepareSolanaEnd(build, input),
    },
  };
}

/** As {@link ChainFamily.completeSigner}. */
function completeSigner(signer: Signer): Signer {
  if (isQuorum(signer)) return { ...signer, members: signer.members.map(completeSigner) as unknown as QuorumSigner['members'] };
  return signer.type === 'passkey' ? { ...signer, validatorContractVersion } : signer;
}

function noProgram(): ServiceError {
  return new ServiceError('WALLET_TYPE_NOT_SUPPORTED', {
    message: 'This instance has no smart wallets on solana: set SOLANA_WALLET_PROGRAM_ID, or create a wallet of type "mpc".',
  });
}
