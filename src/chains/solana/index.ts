import type { Address } from '@solana/kit';
import type { FamilyDeps } from '../family/facts.ts';
import { watchChain } from '../family/following/index.ts';
import { release, withhold } from '../family/late/queue.ts';
import {
  adminSignerTypes,
  completeSigner,
  singleDelegateTypes,
} from '../family/signing/quorums.ts';
import { readRelayStatus } from '../family/spending/relay-status.ts';
import type { ChainFamily } from '../family.ts';
import { checkSolanaAddress } from './addresses.ts';
import { solanaFees } from './config/fees.ts';
import { prepareSolanaOperation } from './operation/prepare.ts';
import { leaseIn, readOperation, signedBytes } from './operation/stored.ts';
import { submitSolanaOperations } from './operation/submit.ts';
import { solanaTransactionParamsSchema } from './operation/transaction-params.ts';
import { isSolanaRecipient, solanaTransferParams } from './operation/transfer.ts';
import { createSolanaReads } from './reads.ts';
import { createNonceLeases } from './relay/nonces/leases.ts';
import { freeLease } from './relay/nonces/store.ts';
import { readSolanaQueue, solanaOperations } from './relay/queue/store.ts';
import { createConnections } from './rpc/connections.ts';
import { runSolana } from './run.ts';
import {
  addressOfPublicKey,
  checkSolanaApproval,
  custodyApproval,
  custodyDigest,
} from './signing/approvals.ts';
import { describeSolanaSigned } from './signing/describe-signed.ts';
import { approvalMessage } from './signing/p256-message.ts';
import {
  claimNumbers,
  planSmartWallet,
  prepareSolanaEnd,
  prepareSolanaSignerChange,
  readSolanaControl,
  readSolanaDelegates,
  readSolanaLimits,
} from './wallet/index.ts';
import type { NumberInput } from './wallet/numbers.ts';
import { noWalletProgram, planAccount } from './wallet/plan.ts';

/** The Solana family over the configured node. Opens no connection before it is used. */
export function createSolanaFamily({
  config,
  store,
  clock,
  log,
  workerName = `pid-${process.pid}`,
}: FamilyDeps): ChainFamily {
  const connections = createConnections({
    config,
    log,
    onFirstUse: (chain) => watchChain(store, chain),
  });
  const { network } = connections;
  const reads = createSolanaReads({ config, store, clock, log, connections });
  const prepareDeps = {
    connect: connections.connect,
    nonces: createNonceLeases(store, { noncesMax: config.solana.relay.noncesMax }),
    claimNumbers: (input: NumberInput) => claimNumbers(store, input),
    tokens: reads,
    unitPriceMax: config.solana.relay.priorityFeeMaxMicroLamports,
  };
  const { walletProgramId: program } = config.solana;
  /** Of an instance that knows where the wallet program stands. */
  const smart: Partial<ChainFamily> =
    program === undefined
      ? {}
      : {
          delegates: {
            delegatedSignerTypes: singleDelegateTypes,
            prepareSignerChange: (input) => prepareSolanaSignerChange(prepareDeps, input),
            readDelegates: async (wallet, chain, delegates) =>
              readSolanaDelegates(await connections.connect(chain), wallet, delegates),
            readLimits: async (input) =>
              readSolanaLimits(await connections.connect(input.chain), input),
          },
          control: {
            read: async (input) => readSolanaControl(await connections.connect(input.chain), input),
            prepareEnd: (input) => prepareSolanaEnd(prepareDeps, input),
          },
        };
  return {
    ...reads,
    ...smart,
    chainType: 'solana',
    walletTypes: program === undefined ? ['mpc'] : ['smart', 'mpc'],
    adminSignerTypes: program === undefined ? [] : adminSignerTypes,
    isAddress: (text) => checkSolanaAddress(text) === undefined,
    checkAddress: checkSolanaAddress,
    isRecipient: isSolanaRecipient,
    canonicalAddress: (address) => address,
    formatAddress: (address) => address,
    custodyCurve: 'ed25519',
    addressOfPublicKey,
    custodyDigest,
    custodyApproval,
    // Whatever a key in custody approves alone; what others sign beside it waits without it.
    late: { isLate: () => true, signedBytes },
    completeSigner,
    planWallet(input) {
      if (input.type === 'mpc') return planAccount(input.publicKey);
      if (program === undefined) throw noWalletProgram();
      return planSmartWallet({ program: program as Address, cluster: network.cluster }, input);
    },
    transactionParams: { smart: solanaTransactionParamsSchema, mpc: solanaTransactionParamsSchema },
    transferParams: (intent) => solanaTransferParams(connections.connect, intent),
    prepareOperation: (input) => prepareSolanaOperation(prepareDeps, input),
    readSigned(value) {
      const { chain, wallet, messageBytes } = readOperation(value);
      return { chain, walletAddress: wallet, message: approvalMessage(messageBytes) };
    },
    describeSigned: (value) => describeSolanaSigned(network, value, program),
    checkApproval: async (operation, approval) => checkSolanaApproval(operation, approval),
    submitOperations: submitSolanaOperations,
    // Its fee payer signs nothing before it is handed over: nobody can land what others have signed.
    async dropOperation(db, operation) {
      const lease = leaseIn(operation);
      if (lease !== undefined) await freeLease(db, lease);
    },
    withholdOperations: (tx, ids) => withhold(tx, solanaOperations, ids),
    releaseOperations: (tx, ids) => release(tx, solanaOperations, ids),
    run: (entrances) =>
      runSolana({ config, store, clock, log, workerName, connections }, entrances),
    relayStatus: () =>
      readRelayStatus(
        store,
        { ...solanaFees, bounds: solanaFees.bounds[config.environment] },
        readSolanaQueue,
      ),
  };
}
