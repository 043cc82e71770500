import type { FamilyDeps } from '../family/facts.ts';
import { watchChain } from '../family/following/index.ts';
import { readIntentQueue, releaseIntents, withholdIntents } from '../family/late/store.ts';
import {
  adminSignerTypes,
  completeSigner,
  singleDelegateTypes,
} from '../family/signing/quorums.ts';
import { readRelayStatus } from '../family/spending/relay-status.ts';
import type { ChainFamily } from '../family.ts';
import { readyMaker } from './account/make-ready.ts';
import { readSetUp } from './account/set-up.ts';
import { checkStellarAddress, isStellarRecipient } from './addresses.ts';
import { describeClassic, signedClassic } from './classic/describe.ts';
import { isClassic } from './classic/stored.ts';
import { stellarFees } from './config/fees.ts';
import { stellarNetwork } from './config/networks.ts';
import { stellarTransactionParams } from './operation/params.ts';
import { type PrepareDeps, prepareStellarOperation } from './operation/prepare.ts';
import { messageOf, readOperation } from './operation/stored.ts';
import { submitStellarOperations } from './operation/submit.ts';
import { stellarTransferParams } from './operation/transfer.ts';
import { createStellarReads } from './reads.ts';
import { createConnections } from './rpc/connections.ts';
import { runStellar } from './run.ts';
import { checkStellarApproval, custodyApproval, custodyDigest } from './signing/approvals.ts';
import { completeAuthEntries, prepareAuthEntries } from './signing/auth-entries.ts';
import { describeStellarSigned } from './signing/describe-signed.ts';
import { stellarLateSigning } from './signing/late.ts';
import { createStellarTokens } from './tokens/tokens.ts';
import { readStellarControl } from './wallet/control.ts';
import {
  prepareStellarEnd,
  prepareStellarSignerChange,
  readStellarDelegates,
  readStellarLimits,
} from './wallet/delegates.ts';
import { claimNumber, claimSequence } from './wallet/numbers.ts';
import {
  addressOfPublicKey,
  noWalletFactory,
  planAccount,
  planSmartWallet,
} from './wallet/plan.ts';

/** The Stellar family over the configured node. Opens no connection before it is used. */
export function createStellarFamily({
  config,
  store,
  clock,
  log,
  workerName = `pid-${process.pid}`,
}: FamilyDeps): ChainFamily {
  const {
    rpcUrl,
    secondRpcUrl,
    rpcTimeoutMs,
    testTokenContract,
    walletFactoryId: factory,
    walletCodeHash,
    relay,
  } = config.stellar;
  const network = stellarNetwork(config.environment, { testTokenContract });
  const nodes = { rpcUrl, secondRpcUrl, rpcTimeoutMs, log };
  const connections = createConnections({
    network,
    ...nodes,
    onFirstUse: (chain) => watchChain(store, chain),
  });
  const tokens = createStellarTokens(connections);
  const makeReady = readyMaker({ store, tokens });
  const prepareDeps: PrepareDeps = {
    connect: connections.connect,
    claimNumber: (input) => claimNumber(store, input),
    feeMaxStroops: relay.feeMaxStroops,
    walletCodeHash,
    makeReady,
    claimSequence: (input) => claimSequence(store, input),
    describeTokens: tokens.describe,
  };
  /** Of an instance that knows where the wallet factory stands. */
  const smart: Partial<ChainFamily> =
    factory === undefined
      ? {}
      : {
          delegates: {
            delegatedSignerTypes: singleDelegateTypes,
            prepareSignerChange: (input) => prepareStellarSignerChange(prepareDeps, input),
            readDelegates: async (wallet, chain, delegates) =>
              readStellarDelegates(await connections.connect(chain), wallet, delegates),
            readLimits: async (input) =>
              readStellarLimits(await connections.connect(input.chain), input),
          },
          control: {
            read: async (input) =>
              readStellarControl(await connections.connect(input.chain), input),
            prepareEnd: (input) => prepareStellarEnd(prepareDeps, input),
          },
          signatures: {
            prepareSignature: (input) => prepareAuthEntries(prepareDeps, input),
            completeSignature: async (_wallet, request, approvals) =>
              completeAuthEntries(request, approvals),
          },
        };
  return {
    ...createStellarReads({ config, store, clock, connections, tokens, makeReady }),
    ...smart,
    chainType: 'stellar',
    walletTypes: factory === undefined ? [] : ['smart', 'mpc'],
    adminSignerTypes: factory === undefined ? [] : adminSignerTypes,
    isAddress: (text) => checkStellarAddress(text) === undefined,
    checkAddress: checkStellarAddress,
    isRecipient: isStellarRecipient,
    canonicalAddress: (address) => address,
    formatAddress: (address) => address,
    custodyCurve: 'ed25519',
    addressOfPublicKey,
    custodyDigest,
    custodyApproval,
    completeSigner,
    planWallet(input) {
      if (input.type === 'mpc') return planAccount(input.publicKey);
      if (factory === undefined) throw noWalletFactory();
      return planSmartWallet({ network, factory }, input);
    },
    transactionParams: stellarTransactionParams,
    transferParams: async (intent) => stellarTransferParams(network, intent),
    prepareOperation: (input) => prepareStellarOperation(prepareDeps, input),
    late: stellarLateSigning,
    readSigned(value) {
      const setUp = readSetUp(value);
      if (isClassic(value)) return signedClassic(value);
      if (setUp) return { chain: setUp.chain, walletAddress: setUp.wallet, message: '' };
      const { chain, wallet, authorization } = readOperation(value);
      return { chain, walletAddress: wallet, message: messageOf(authorization) };
    },
    describeSigned: (value) =>
      isClassic(value) ? describeClassic(network, value) : describeStellarSigned(network, value),
    checkApproval: async (operation, approval) =>
      !isClassic(operation) && checkStellarApproval(operation, approval),
    submitOperations: submitStellarOperations,
    withholdOperations: withholdIntents,
    releaseOperations: releaseIntents,
    run: (entrances) =>
      runStellar({ config, store, clock, log, workerName, connections, tokens }, entrances),
    relayStatus: () =>
      readRelayStatus(
        store,
        { ...stellarFees, bounds: stellarFees.bounds[config.environment] },
        readIntentQueue,
      ),
  };
}
