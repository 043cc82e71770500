import type { JsonObject } from '../../../lib/json/json.ts';
import type { Store } from '../../../store/types.ts';
import type { LateEnd, LateNetwork } from '../../family/late/network.ts';
import type { OperationError } from '../../family.ts';
import { explorerLinkOf, type SuiNetwork } from '../config/networks.ts';
import { endUses, useCoin } from '../relay/gas/store.ts';
import type { SigningAccount } from '../relay/keys.ts';
import { endObjectLeases, leaseObjects, selectLeased } from '../relay/objects.ts';
import { readGasPrice, readHead } from '../rpc/checkpoints.ts';
import type { SuiConnection } from '../rpc/connections.ts';
import { readCoins, readObjects, sumOf } from '../rpc/objects.ts';
import { type Executed, sendTransaction } from '../rpc/transactions.ts';
import { costOf, findInPlace, readFate } from './fate.ts';
import { type ObjectRef, ownedInputs, type Program } from './program.ts';
import { readOperation, type StoredOperation } from './stored.ts';
import {
  buildTransaction,
  checkTransaction,
  decodeSigned,
  encodeSigned,
  isSignedBy,
  serializeSignature,
  transactionDigest,
} from './transaction.ts';
import { chooseCoins, type Transfer } from './transfer-program.ts';

export interface NetworkDeps {
  readonly store: Store;
  readonly chain: string;
  readonly connect: () => Promise<SuiConnection>;
  readonly sponsors: readonly SigningAccount[];
}

interface Asked {
  readonly operation: StoredOperation;
  readonly operationId: string;
}

/** The epoch after the one in which it is built is the last that takes a transaction. */
const epochsMore = 1n;
const notItsCoin =
  'The coin that was to pay for it is of another operation by now: it waited too long. Create it again.';

/** What the relay of intents asks of the network. */
export function createSuiNetwork(deps: NetworkDeps): LateNetwork {
  const { store, chain, connect, sponsors } = deps;

  return {
    async build(value, { operationId }) {
      const operation = readOperation(value);
      const { gas, lease, does } = operation;
      if (!(await useCoin(store, { chain, lease, operationId, coin: gas.coin })))
        return refuse(notItsCoin);
      const connection = await connect();
      const [{ epoch }, price] = await Promise.all([
        readHead(connection),
        readGasPrice(connection),
      ]);
      if (price > gas.priceMax) return 'later';
      const asked = { operation, operationId };
      await endObjectLeases(store, [operationId]);
      const taken =
        'transfer' in does
          ? await takeCoins(deps, connection, asked, does.transfer)
          : await takeNamed(deps, connection, asked, does.program);
      if (taken === 'later' || 'refused' in taken) return taken;
      return {
        bytes: buildTransaction(operation, {
          ...taken,
          budget: gas.budgetMax,
          price,
          expiresAfterEpoch: epoch + epochsMore,
        }),
      };
    },

    async complete(value, built, signature) {
      const operation = readOperation(value);
      checkTransaction(operation, built);
      const sponsor = sponsors.find(({ address }) => address === operation.gas.sponsor);
      if (!sponsor) throw new Error(`no key of ${operation.gas.sponsor} is known here`);
      const signatures = [serializeSignature(operation.publicKey, signature), sponsor.sign(built)];
      return { txId: transactionDigest(built), raw: encodeSigned({ bytes: built, signatures }) };
    },

    identify(value, raw) {
      const operation = readOperation(value);
      const transaction = decodeSigned(raw);
      checkTransaction(operation, transaction.bytes);
      if (!isSignedBy([operation.wallet, operation.gas.sponsor], transaction))
        throw new Error('its signatures are not those that were given');
      return transaction.digest;
    },

    async send(raw) {
      const done = await sendTransaction(await connect(), decodeSigned(raw));
      if ('refusal' in done) throw new Error(`The node does not take it: ${done.refusal}`);
    },

    async look({ raw }) {
      const connection = await connect();
      const transaction = decodeSigned(raw);
      const fate = await readFate(connection, transaction);
      if (fate === 'pending') return 'pending';
      // While the coin that pays is untouched others may be built with it: one of them is executed
      // at most.
      if ('never' in fate && fate.never !== 'payment') return 'stale';
      const landed = 'never' in fate ? await findInPlace(connection, transaction) : fate;
      return landed ? endOf(connection.network, landed, transaction.budget) : 'gone';
    },

    async ended(tx, operationIds) {
      await endUses(tx, operationIds);
      await endObjectLeases(tx, operationIds);
    },
  };
}

interface Refused {
  readonly refused: OperationError;
}

type Taken = { readonly coins: readonly ObjectRef[] } | Refused | 'later';

const refuse = (message: string): Refused => ({ refused: { reason: 'build_failed', message } });

/**
 * The largest coins that make up a transfer, of those that no transaction takes which may be
 * anywhere.
 */
async function takeCoins(
  { store, chain }: NetworkDeps,
  connection: SuiConnection,
  { operation: { wallet: owner }, operationId }: Asked,
  { coinType, amount }: Transfer,
): Promise<Taken> {
  const all = await readCoins(connection, { owner, coinType });
  const leased = await selectLeased(store, {
    chain,
    operationId,
    objectIds: all.map(({ objectId }) => objectId),
  });
  const coins = chooseCoins(
    all.filter(({ objectId }) => !leased.has(objectId)),
    amount,
  );
  if (sumOf(coins) < amount)
    return leased.size > 0
      ? 'later'
      : refuse(
          `The wallet has ${sumOf(all)} of ${coinType} by now, and the transfer needs ${amount}.`,
        );
  const isTaken = await leaseObjects(store, {
    chain,
    operationId,
    objectIds: coins.map(({ objectId }) => objectId),
  });
  return isTaken ? { coins } : 'later';
}

/** The objects that a program names, at the versions that it names. */
async function takeNamed(
  { store, chain }: NetworkDeps,
  connection: SuiConnection,
  { operationId }: Asked,
  program: Program,
): Promise<Taken> {
  const named = ownedInputs(program);
  const objects = await readObjects(
    connection,
    named.map(({ objectId }) => objectId),
  );
  // What is frozen any number of transactions may name at once.
  const objectIds = named
    .map(({ objectId }) => objectId)
    .filter((id) => objects.get(id)?.isFrozen !== true);
  if ((await selectLeased(store, { chain, operationId, objectIds })).size > 0) return 'later';
  const changed = named.find(
    ({ objectId, version }) => objects.get(objectId)?.version !== String(version),
  );
  if (changed)
    return refuse(
      `It names ${changed.objectId} at version ${changed.version}, which is not its version any more.`,
    );
  if (objectIds.length === 0 || (await leaseObjects(store, { chain, operationId, objectIds })))
    return { coins: [] };
  return 'later';
}

/** @throws Error where it cost more than was signed for */
function endOf(network: SuiNetwork, { digest, failure, gas }: Executed, budget: bigint): LateEnd {
  if (gas.computation + gas.storage > budget + gas.rebate)
    throw new Error(`the node says that ${digest} cost more than was signed for`);
  const costMinor = costOf(gas);
  const end = {
    onChain: onChainOf(network, digest),
    costMinor,
    fees: { actual: { amountMist: costMinor.toString(), token: network.native.symbol } },
  };
  if (failure === undefined) return { ...end, status: 'success' };
  const printable = failure.replace(/[^\x20-\x7e]/g, ' ').slice(0, 500);
  return {
    ...end,
    status: 'failed',
    error: {
      reason: 'program_error',
      message: `The network executed it, and it failed: ${printable}`,
    },
  };
}

/** `onChain` of a transaction. */
export function onChainOf(network: SuiNetwork, txId: string): JsonObject {
  const explorerLink = explorerLinkOf(network, txId);
  return { txId, ...(explorerLink !== undefined && { explorerLink }) };
}
