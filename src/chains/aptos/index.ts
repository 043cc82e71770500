import type { FamilyDeps } from '../family/facts.ts';
import { watchChain } from '../family/following/index.ts';
import { signsLate } from '../family/late/signing.ts';
import { readIntentQueue, releaseIntents, withholdIntents } from '../family/late/store.ts';
import { readRelayStatus } from '../family/spending/relay-status.ts';
import type { ChainFamily } from '../family.ts';
import {
  canonicalAptosAddress,
  checkAptosAddress,
  isAptosAddress,
  isAptosRecipient,
} from './addresses.ts';
import { aptosFees } from './config/fees.ts';
import { addressOfEd25519 } from './encoding/addresses.ts';
import { describeAptosSigned } from './operation/describe.ts';
import { aptosTransactionParamsSchema, aptosTransferParams } from './operation/params.ts';
import { prepareAptosOperation } from './operation/prepare.ts';
import { readOperation, signedBytes } from './operation/stored.ts';
import { submitAptosOperations } from './operation/submit.ts';
import { createAptosReads } from './reads.ts';
import { createConnections } from './rpc/connections.ts';
import { runAptos } from './run.ts';
import { createAptosTokens } from './tokens/tokens.ts';
import { planAptosWallet } from './wallet/plan.ts';

/** The Aptos family over the configured node. Opens no connection before it is used. */
export function createAptosFamily({
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
  const connect = () => connections.connect(network.name);
  const tokens = createAptosTokens(network, connect);
  return {
    ...createAptosReads({ config, store, connections, tokens }),
    ...signsLate({ signedBytes }),
    chainType: 'aptos',
    walletTypes: ['mpc'],
    adminSignerTypes: [],
    isAddress: isAptosAddress,
    checkAddress: checkAptosAddress,
    isRecipient: isAptosRecipient,
    canonicalAddress: canonicalAptosAddress,
    formatAddress: (address) => address,
    custodyCurve: 'ed25519',
    addressOfPublicKey: addressOfEd25519,
    completeSigner: (signer) => signer,
    planWallet: planAptosWallet,
    transactionParams: { mpc: aptosTransactionParamsSchema },
    transferParams: async (intent) => aptosTransferParams(network, intent),
    prepareOperation: (input) =>
      prepareAptosOperation({ connect, tokens, ceilings: config.aptos.relay }, input),
    readSigned(value) {
      const { chain, wallet, rawBytes } = readOperation(value);
      return { chain, walletAddress: wallet, message: Buffer.from(rawBytes).toString('base64') };
    },
    describeSigned: (value) => describeAptosSigned(network, value),
    submitOperations: submitAptosOperations,
    withholdOperations: withholdIntents,
    releaseOperations: releaseIntents,
    run: (entrances) =>
      runAptos({ config, store, clock, log, workerName, connections, tokens }, entrances),
    relayStatus: () =>
      readRelayStatus(
        store,
        { ...aptosFees, bounds: aptosFees.bounds[config.environment] },
        readIntentQueue,
      ),
  };
}
