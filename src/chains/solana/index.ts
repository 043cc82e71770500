import type { Address } from '@solana/kit';
import type { FamilyDeps } from '../family/facts.ts';
import type { ChainFamily } from '../family.ts';
import { checkSolanaAddress } from './addresses.ts';
import { newSolanaMemo, solanaDepositInstructions, solanaPayerState } from './deposits/deposits.ts';
import { proveSolanaDeposits } from './deposits/prove-deposits.ts';
import { readSolanaDeposits } from './deposits/read-deposits.ts';
import { fundSolanaWallet } from './dev/fund.ts';
import { prepareSolanaOperation } from './operation/prepare.ts';
import { readOperation } from './operation/stored.ts';
import { submitSolanaOperations } from './operation/submit.ts';
import { solanaTransactionParamsSchema } from './operation/transaction-params.ts';
import { isSolanaRecipient, solanaTransferParams } from './operation/transfer.ts';
import { createNonceLeases } from './relay/nonces/leases.ts';
import { releaseWithheld, selectOperationIds, withholdOperations } from './relay/queue/store.ts';
import { solanaRelayStatus } from './relay/status.ts';
import { createConnections } from './rpc/connections.ts';
import { runSolana } from './run.ts';
import { addressOfPublicKey, checkSolanaApproval, custodyApproval, custodyDigest } from './signing/approvals.ts';
import { describeSolanaSigned } from './signing/describe-signed.ts';
import { approvalMessage } from './signing/p256-message.ts';
import { readFinalSolanaBalances, readSolanaBalances } from './tokens/balances.ts';
import { createSolanaTokens } from './tokens/tokens.ts';
import {
  planSmartWallet,
  prepareSolanaEnd,
  prepareSolanaSignerChange,
  readSolanaControl,
  readSolanaDelegates,
  solanaAdminSignerTypes,
  solanaDelegatedSignerTypes,
  takeNumbers,
} from './wallet/index.ts';
import type { NumberInput } from './wallet/numbers.ts';
import { noWalletProgram, planAccount } from './wallet/plan.ts';
import { selectFinalSlot, watchChain, watcherStatus } from './watcher/index.ts';

/** The Solana family over the configured node. Opens no connection before it is used. */
export function createSolanaFamily({ config, store, clock, log, workerName = `pid-${process.pid}` }: FamilyDeps): ChainFamily {
  const connections = createConnections({ config, log, onFirstUse: (chain) => watchChain(store, chain) });
  const { network } = connections;
  const tokens = createSolanaTokens(connections);
  const prepareDeps = {
    connect: connections.connect,
    nonces: createNonceLeases(store),
    takeNumbers: (input: NumberInput) => takeNumbers(store, input),
    tokens: { resolveToken: tokens.resolve },
    unitPriceMax: config.solana.relay.priorityFeeMaxMicroLamports,
  };
  const { walletProgramId: program } = config.solana;
  /** Of an instance that knows where the wallet program stands. */
  const smart: Partial<ChainFamily> =
    program === undefined
      ? {}
      : {
          delegates: {
            delegatedSignerTypes: solanaDelegatedSignerTypes,
            prepareSignerChange: (input) => prepareSolanaSignerChange(prepareDeps, input),
            readDelegates: async (wallet, chain, delegates) => readSolanaDelegates(await connections.connect(chain), wallet, delegates),
          },
          control: {
            read: async (input) => readSolanaControl(await connections.connect(input.chain), input),
            prepareEnd: (input) => prepareSolanaEnd(prepareDeps, input),
          },
        };
  return {
    ...smart,
    chainType: 'solana',
    walletTypes: program === undefined ? ['mpc'] : ['smart', 'mpc'],
    adminSignerTypes: program === undefined ? [] : solanaAdminSignerTypes,
    networks: [network],
    requireNetwork: connections.requireNetwork,
    isAddress: (text) => checkSolanaAddress(text) === undefined,
    checkAddress: checkSolanaAddress,
    isRecipient: isSolanaRecipient,
    canonicalAddress: (address) => address,
    formatAddress: (address) => address,
    custodyCurve: 'ed25519',
    addressOfPublicKey,
    custodyDigest,
    custodyApproval,
    completeSigner: (signer) => signer,
    planWallet(input) {
      if (input.type === 'mpc') return planAccount(input.publicKey);
      if (program === undefined) throw noWalletProgram();
      return planSmartWallet({ program: program as Address, cluster: network.cluster }, input);
    },
    resolveToken: tokens.resolve,
    readBalances: async (address, asked) =>
      asked.length === 0 ? [] : readSolanaBalances(await connections.connect(network.name), address, asked),
    async readFinalBalances({ chain, address, tokens: asked }) {
      return readFinalSolanaBalances(await connections.connect(chain), {
        address,
        tokens: asked,
        finalSlot: () => selectFinalSlot(store, network.name),
      });
    },
    readMetadataUris: tokens.readMetadataUris,
    transactionParams: { smart: solanaTransactionParamsSchema, mpc: solanaTransactionParamsSchema },
    transferParams: (intent) => solanaTransferParams(connections.connect, intent),
    prepareOperation: (input) => prepareSolanaOperation(prepareDeps, input),
    readSigned(value) {
      const { chain, wallet, messageBytes } = readOperation(value);
      return { chain, walletAddress: wallet, message: approvalMessage(messageBytes) };
    },
    describeSigned: (value) => describeSolanaSigned(network, value),
    checkApproval: async (operation, approval) => checkSolanaApproval(operation, approval),
    submitOperations: submitSolanaOperations,
    withholdOperations,
    releaseOperations: releaseWithheld,
    deposits: {
      newMemo: newSolanaMemo,
      depositInstructions: (input) => solanaDepositInstructions(connections, input),
      payerState: (input) => solanaPayerState(connections, input),
      async readDeposits(input) {
        const found = await readSolanaDeposits({ clock, tokens }, await connections.connect(input.chain), input);
        if (found.transfers.length === 0) return found;
        const operationId = (await selectOperationIds(store, network.name, [input.txId])).get(input.txId);
        return operationId === undefined ? found : { ...found, transfers: found.transfers.map((seen) => ({ ...seen, operationId })) };
      },
      proveDeposits: (input) => proveSolanaDeposits({ clock, tokens, config, connections }, input),
    },
    funding: { fund: (input) => fundSolanaWallet({ store, config: config.solana, connections }, input) },
    run: (entrances) => runSolana({ config, store, clock, log, workerName, connections, tokens }, entrances),
    watchStatus: async () => (connections.isUsable ? watcherStatus(store, network.name) : []),
    relayStatus: () => solanaRelayStatus(store),
  };
}
