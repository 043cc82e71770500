import { ServiceError } from '../../lib/errors.ts';
import type { FamilyDeps } from '../family/facts.ts';
import { watchChain } from '../family/following/index.ts';
import { signsLate } from '../family/late/signing.ts';
import { readIntentQueue, releaseIntents, withholdIntents } from '../family/late/store.ts';
import { checkMoveAddress } from '../family/names/move-addresses.ts';
import { readRelayStatus } from '../family/spending/relay-status.ts';
import type { ChainFamily } from '../family.ts';
import { addressOfPublicKey, canonicalSuiAddress, isSuiRecipient } from './addresses.ts';
import { suiFees } from './config/fees.ts';
import { suiNetwork } from './config/networks.ts';
import { describeOperation } from './operation/describe.ts';
import { prepareSuiOperation } from './operation/prepare.ts';
import { readSigned, signedBytes } from './operation/stored.ts';
import { submitSuiOperations } from './operation/submit.ts';
import { suiTransactionParamsSchema } from './operation/transaction-params.ts';
import { suiTransferParams } from './operation/transfer.ts';
import { createSuiReads } from './reads.ts';
import { createGasLeases } from './relay/gas/leases.ts';
import { createConnections } from './rpc/connections.ts';
import { runSui } from './run.ts';

/**
 * The Sui family over the configured node: wallets that are keys in custody. Opens no connection
 * before it is used.
 */
export function createSuiFamily({
  config,
  store,
  clock,
  log,
  workerName = `pid-${process.pid}`,
}: FamilyDeps): ChainFamily {
  const { rpcUrl, secondRpcUrl, rpcTimeoutMs, testCoinType, relay } = config.sui;
  const network = suiNetwork(
    config.environment,
    testCoinType === undefined ? {} : { testCoinType },
  );
  const onFirstUse = (chain: string) => watchChain(store, chain);
  const connections = createConnections({
    network,
    rpcUrl,
    secondRpcUrl,
    rpcTimeoutMs,
    log,
    onFirstUse,
  });
  const reads = createSuiReads({ config, store, log, connections });
  const prepareDeps = {
    connections,
    coins: createGasLeases(store),
    tokens: reads,
    budgetMax: relay.budgetMaxMist,
    priceMax: relay.priceMaxMist,
  };
  return {
    ...reads,
    ...signsLate({ signedBytes }),
    chainType: 'sui',
    walletTypes: ['mpc'],
    adminSignerTypes: [],
    isAddress: (text) => checkMoveAddress(text, 'sui') === undefined,
    checkAddress: (text) => checkMoveAddress(text, 'sui'),
    isRecipient: isSuiRecipient,
    canonicalAddress: canonicalSuiAddress,
    formatAddress: (address) => address,
    custodyCurve: 'ed25519',
    addressOfPublicKey,
    completeSigner: (signer) => signer,
    planWallet(input) {
      if (input.type !== 'mpc')
        throw new ServiceError('WALLET_TYPE_NOT_SUPPORTED', {
          message: 'Wallets on sui are of the type "mpc": there is no wallet contract.',
        });
      return {
        address: addressOfPublicKey(input.publicKey),
        setup: { publicKey: Buffer.from(input.publicKey).toString('hex') },
      };
    },
    transactionParams: { mpc: suiTransactionParamsSchema },
    transferParams: (intent) => suiTransferParams(connections.connect, intent),
    prepareOperation: (input) => prepareSuiOperation(prepareDeps, input),
    readSigned,
    describeSigned: (value) => describeOperation(network, value),
    submitOperations: submitSuiOperations,
    withholdOperations: withholdIntents,
    releaseOperations: releaseIntents,
    run: (entrances) => runSui({ config, store, clock, log, workerName, connections }, entrances),
    relayStatus: () =>
      readRelayStatus(
        store,
        { ...suiFees, bounds: suiFees.bounds[config.environment] },
        readIntentQueue,
      ),
  };
}
