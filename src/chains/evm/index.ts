import { addresses } from '../../../contracts/index.ts';
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log/log.ts';
import type { Store } from '../../store/types.ts';
import { releaseIntents, withholdIntents } from '../family/late/store.ts';
import { adminSignerTypes, completeSigner } from '../family/signing/quorums.ts';
import type { ChainFamily, ResolvedToken, SubmitOperationInput } from '../family.ts';
import { checkEvmAddress, checksumAddress, isEvmAddress } from './abi/words.ts';
import { type AccountName, readFund } from './account/fund.ts';
import { prepareAccountCall } from './account/prepare.ts';
import { hashAccountCall, isAccountCall, readAccountCall, signedBytes } from './account/stored.ts';
import { submitAccountCalls } from './account/submit.ts';
import { listEvmNetworks } from './config/networks.ts';
import { evmDepositInstructions, evmPayerState, newEvmMemo } from './deposits/deposits.ts';
import { proveEvmDeposits } from './deposits/prove-deposits.ts';
import { fundEvmWallet } from './dev/fund.ts';
import { evmMpcTransactionParamsSchema } from './operation/mpc-params.ts';
import { createNonces } from './operation/nonces.ts';
import { type CallPlan, prepareEvmOperation } from './operation/prepare.ts';
import { createPreviews } from './operation/preview.ts';
import { submitEvmOperations } from './operation/submit.ts';
import { evmTransactionParamsSchema } from './operation/transaction-params.ts';
import { evmTransferParams, isEvmRecipient } from './operation/transfer.ts';
import { releaseWithheld, resumeOperations, withholdOperations } from './relay/index.ts';
import { evmRelayStatus } from './relay-status.ts';
import { createBoundedSet } from './rpc/bounded-set.ts';
import { createConnections, type EvmConnection } from './rpc/connections.ts';
import { createGasPrices } from './rpc/fees.ts';
import { createKnownContracts } from './rpc/known-contracts.ts';
import { runEvm } from './run.ts';
import {
  addressOfPublicKey,
  custodyApproval,
  custodyDigest,
  withDelegation,
} from './signing/approvals.ts';
import { checkEvmApproval } from './signing/check-approval.ts';
import { describeEvmSigned } from './signing/describe-signed.ts';
import { createP256Precompiles } from './signing/p256-precompile.ts';
import { readSignable } from './signing/signable.ts';
import { completeEvmSignature, prepareEvmSignature } from './signing/signatures.ts';
import { verifyEvmMessage } from './signing/verify-message.ts';
import { readEvmBalances } from './tokens/balances.ts';
import { readEvmMetadataUris } from './tokens/collectibles.ts';
import { createEvmCollections } from './tokens/collections.ts';
import { readEvmFinalBalances } from './tokens/final-balances.ts';
import { createTokens } from './tokens/tokens.ts';
import { readEvmControl } from './wallet/control.ts';
import {
  prepareEvmEnd,
  prepareEvmSignerChange,
  readEvmDelegates,
  readEvmLimits,
} from './wallet/delegates.ts';
import { delegationDigest } from './wallet/delegation.ts';
import { createDeployedWallets } from './wallet/deployed-wallets.ts';
import { evmDelegatedSignerTypes } from './wallet/signer-keys.ts';
import { planEvmWallet } from './wallet/wallet-plan.ts';
import { readEvmDeposits, watchChain, watcherStatus, watchTokens } from './watcher/index.ts';

export interface EvmFamilyDeps {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  /** Shown with the leases that this process holds. */
  readonly workerName?: string;
}

const watchedTokensMax = 10_000;

/** The EVM family over the configured nodes. Opens no connection before it is used. */
export function createEvmFamily({
  config,
  store,
  clock,
  log,
  workerName = `pid-${process.pid}`,
}: EvmFamilyDeps): ChainFamily {
  const networks = listEvmNetworks({
    testTokenAddress: config.evm.testTokenAddress,
    local: config.environment === 'development',
    bounds: config.evm.bounds,
    withoutDelegation: config.evm.withoutDelegation,
  });
  const connections = createConnections({
    config,
    networks,
    log,
    onFirstUse: (chain) => watchChain(store, chain),
  });
  const contracts = createKnownContracts();
  const deployed = createDeployedWallets(clock);
  const tokens = createTokens({ connections, contracts });
  const watched = createBoundedSet(watchedTokensMax);
  const gasPrices = createGasPrices(clock);
  const previews = createPreviews({ connections, tokens, clock });
  const readGasFund = (account: AccountName) => readFund(store, account);
  const prepareDeps = {
    connections,
    contracts,
    deployed,
    gasPrices,
    nonces: createNonces(),
    precompiles: createP256Precompiles(),
    previews,
    prepareAccountCall: (connection: EvmConnection, plan: CallPlan) =>
      prepareAccountCall({ gasPrices, previews, contracts, readGasFund }, connection, plan),
  };

  /** A token that is sent once may come back: its transfers are followed from here on. */
  async function watchToken(token: ResolvedToken): Promise<void> {
    const key = `${token.chain}:${token.address?.toLowerCase()}`;
    if (token.address === undefined || token.tokenId !== undefined || watched.has(key)) return;
    const listed = connections
      .requireNetwork(token.chain)
      .tokens.some((one) => one.address?.toLowerCase() === token.address!.toLowerCase());
    if (!listed) await watchTokens(store, token.chain, [{ ...token, address: token.address }]);
    watched.add(key);
  }

  return {
    chainType: 'evm',
    walletTypes: ['smart', 'mpc'],
    adminSignerTypes,
    networks,
    completeSigner,
    custodyCurve: 'secp256k1',
    transactionParams: { smart: evmTransactionParamsSchema, mpc: evmMpcTransactionParamsSchema },
    isAddress: isEvmAddress,
    checkAddress: checkEvmAddress,
    isRecipient: isEvmRecipient,
    canonicalAddress: (address) => address.toLowerCase(),
    formatAddress: checksumAddress,
    addressOfPublicKey,
    planWallet: planEvmWallet,
    requireNetwork: connections.requireNetwork,
    async watchStatus() {
      const usable = new Set(connections.usableNetworks().map((network) => network.name));
      return (await watcherStatus(store)).filter((status) => usable.has(status.chain));
    },
    relayStatus: () => evmRelayStatus(store, connections.usableNetworks()),
    resolveToken: tokens.resolve,
    readBalances: (address, asked) => readEvmBalances(connections, address, asked),
    readFinalBalances: (asked) => readEvmFinalBalances({ store, connections }, asked),
    readMetadataUris: (asked) => readEvmMetadataUris(connections, asked),
    collections: createEvmCollections(connections),
    transferParams: (intent) => evmTransferParams(connections, intent),
    async prepareOperation(input) {
      const prepared = await prepareEvmOperation(prepareDeps, input);
      if (input.transfer) await watchToken(input.transfer.token);
      return prepared;
    },
    delegates: {
      delegatedSignerTypes: evmDelegatedSignerTypes,
      prepareSignerChange: (input) => prepareEvmSignerChange(prepareDeps, input),
      readDelegates: (wallet, chain, delegates) =>
        readEvmDelegates({ connections, deployed }, wallet, chain, delegates),
      readLimits: (input) => readEvmLimits({ connections, deployed }, input),
    },
    control: {
      read: (input) => readEvmControl(connections, input),
      prepareEnd: (input) => prepareEvmEnd(prepareDeps, input),
    },
    signatures: {
      prepareSignature: (input) => prepareEvmSignature({ connections, deployed }, input),
      completeSignature: (wallet, request, approvals) =>
        completeEvmSignature({ connections, deployed }, wallet, request, approvals),
    },
    readSigned(value) {
      if (isAccountCall(value)) {
        const call = readAccountCall(value);
        const { chain, wallet: walletAddress } = call;
        return { chain, walletAddress, message: hashAccountCall(call) };
      }
      const { chain, wallet, hash } = readSignable(value);
      return { chain, walletAddress: wallet, message: hash };
    },
    describeSigned: (value) => describeEvmSigned(networks, value),
    late: { isLate: isAccountCall, signedBytes },
    custodyDigest: (value) => custodyDigest(readSignable(value).hash),
    custodyApproval,
    custodyExtra: {
      digest(value) {
        const { delegation } = readSignable(value);
        return delegation && delegationDigest(delegation);
      },
      add: withDelegation,
    },
    checkApproval: async (operation, approval) =>
      !isAccountCall(operation) && (await checkEvmApproval(connections, operation, approval)),
    async submitOperations(tx, inputs) {
      const isOwn = ({ operation }: SubmitOperationInput) => isAccountCall(operation);
      await submitAccountCalls(tx, inputs.filter(isOwn));
      await submitEvmOperations(
        deployed,
        tx,
        inputs.filter((input) => !isOwn(input)),
      );
    },
    async withholdOperations(tx, operationIds) {
      await withholdOperations(tx, operationIds);
      await withholdIntents(tx, operationIds);
    },
    async releaseOperations(tx, operationIds) {
      await releaseWithheld(tx, operationIds);
      await releaseIntents(tx, operationIds);
    },
    resumeOperations,
    messages: { verifyMessage: (input) => verifyEvmMessage(connections, input) },
    deposits: {
      newMemo: newEvmMemo,
      depositInstructions: (input) => evmDepositInstructions(prepareDeps, input),
      payerState: (input) => evmPayerState(prepareDeps, input),
      async readDeposits(input) {
        const connection = {
          ...(await connections.connect(input.chain)),
          rpc: connections.rpcOf(input.chain),
        };
        return readEvmDeposits(
          { store, log, moduleAddress: addresses.walletModule },
          connection,
          input,
        );
      },
      proveDeposits: (input) =>
        proveEvmDeposits(
          { store, log, moduleAddress: addresses.walletModule, config, connections },
          input,
        ),
    },
    funding: { fund: (input) => fundEvmWallet({ store, config: config.evm, connections }, input) },
    run: (entrances) => runEvm({ config, store, clock, log, workerName, connections }, entrances),
  };
}
