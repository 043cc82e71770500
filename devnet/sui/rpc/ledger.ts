import { GrpcStatusCode, GrpcTypes } from '@mysten/sui/grpc';
import { normalizeSuiAddress } from '@mysten/sui/utils';
import { Refusal, refuse } from '../execution/refusals.ts';
import {
  type Chain,
  type Checkpoint,
  gasPrice,
  localChainId,
  timestampOf,
} from '../ledger/chain.ts';
import { digestOf } from '../ledger/hashes.ts';
import { type Method, method, pick } from './method.ts';
import { objectMessage } from './objects.ts';

const G = GrpcTypes;
type Mask = { readonly paths: readonly string[] } | undefined;
const batchMax = 1_000;
const objectFields = ['object_id', 'version', 'digest'];

export const ledgerMethods: Readonly<Record<string, Method>> = {
  GetServiceInfo: method(G.GetServiceInfoRequest, G.GetServiceInfoResponse, serviceInfo),
  GetEpoch: method(G.GetEpochRequest, G.GetEpochResponse, getEpoch),
  GetObject: method(G.GetObjectRequest, G.GetObjectResponse, (chain, request) => ({
    object: readObject(chain, request, request.readMask),
  })),
  BatchGetObjects: method(
    G.BatchGetObjectsRequest,
    G.BatchGetObjectsResponse,
    (chain, { requests, readMask }) => ({
      objects: checkBatch(requests).map((one) => ({
        result: attempt('object', () => readObject(chain, one, readMask)),
      })),
    }),
  ),
  GetTransaction: method(
    G.GetTransactionRequest,
    G.GetTransactionResponse,
    (chain, { digest, readMask }) => ({
      transaction: readTransaction(chain, digest, readMask),
    }),
  ),
  BatchGetTransactions: method(
    G.BatchGetTransactionsRequest,
    G.BatchGetTransactionsResponse,
    (chain, { digests, readMask }) => ({
      transactions: checkBatch(digests).map((digest) => ({
        result: attempt('transaction', () => readTransaction(chain, digest, readMask)),
      })),
    }),
  ),
  GetCheckpoint: method(G.GetCheckpointRequest, G.GetCheckpointResponse, getCheckpoint),
};

function serviceInfo(chain: Chain): GrpcTypes.GetServiceInfoResponse {
  const [oldest] = chain.checkpoints.keys();
  return {
    chainId: localChainId,
    chain: 'local',
    epoch: chain.epoch(),
    checkpointHeight: chain.sequence,
    timestamp: timestampOf(chain.now()),
    lowestAvailableCheckpoint: oldest,
    lowestAvailableCheckpointObjects: chain.sequence,
    server: 'purser-local-emulator',
  };
}

function getEpoch(
  chain: Chain,
  { epoch, readMask }: GrpcTypes.GetEpochRequest,
): GrpcTypes.GetEpochResponse {
  const current = chain.epoch();
  if (epoch !== undefined && epoch !== current)
    throw new Refusal('NOT_FOUND', `Epoch ${epoch} not found`);
  const message = G.Epoch.create({
    epoch: current,
    start: timestampOf(chain.epochStartMs()),
    referenceGasPrice: gasPrice,
  });
  return { epoch: pick(G.Epoch, message, readMask, ['epoch']) };
}

function readObject(
  chain: Chain,
  { objectId = '', version }: GrpcTypes.GetObjectRequest,
  mask: Mask,
): GrpcTypes.Object {
  const id = normalizeSuiAddress(objectId);
  const object = chain.read(id);
  if (!object) throw new Refusal('NOT_FOUND', `Object ${id} not found`);
  if (version !== undefined && version !== object.version)
    throw new Refusal('NOT_FOUND', `Object ${id} with version ${version} not found`);
  return pick(G.Object, objectMessage(object), mask, objectFields);
}

function readTransaction(chain: Chain, digest = '', mask: Mask): GrpcTypes.ExecutedTransaction {
  const transaction = chain.transactions.get(digest);
  if (!transaction) throw new Refusal('NOT_FOUND', `Transaction ${digest} not found`);
  return pick(G.ExecutedTransaction, transaction, mask, ['digest']);
}

function getCheckpoint(
  chain: Chain,
  { checkpointId: id, readMask }: GrpcTypes.GetCheckpointRequest,
): GrpcTypes.GetCheckpointResponse {
  const checkpoint = findCheckpoint(chain, id);
  if (!checkpoint) throw new Refusal('NOT_FOUND', 'Checkpoint not found');
  return {
    checkpoint: pick(G.Checkpoint, checkpointMessage(chain, checkpoint), readMask, [
      'sequence_number',
      'digest',
    ]),
  };
}

function findCheckpoint(
  chain: Chain,
  id: GrpcTypes.GetCheckpointRequest['checkpointId'],
): Checkpoint | undefined {
  if (id.oneofKind === 'sequenceNumber') return chain.checkpoints.get(id.sequenceNumber);
  if (id.oneofKind === 'digest')
    return [...chain.checkpoints.values()].find((one) => checkpointDigest(one) === id.digest);
  return chain.checkpoints.get(chain.sequence);
}

/** It tells checkpoints apart, and is made of nothing that validators sign. */
function checkpointDigest({ sequence, transaction = '' }: Checkpoint): string {
  return digestOf('CheckpointSummary', Buffer.from(`${sequence} ${transaction}`));
}

function checkpointMessage(chain: Chain, checkpoint: Checkpoint): GrpcTypes.Checkpoint {
  const { sequence: sequenceNumber, timeMs, transaction } = checkpoint;
  const executed = transaction === undefined ? undefined : chain.transactions.get(transaction);
  const digest = checkpointDigest(checkpoint);
  const before = chain.checkpoints.get(sequenceNumber - 1n);
  const previousDigest = before && checkpointDigest(before);
  return G.Checkpoint.create({
    sequenceNumber,
    digest,
    summary: { digest, previousDigest, sequenceNumber, timestamp: timestampOf(timeMs) },
    contents: executed && {
      transactions: [
        {
          transaction: executed.digest,
          effects: executed.effects?.digest,
          signatures: executed.signatures,
        },
      ],
    },
    transactions: executed ? [executed] : [],
  });
}

function checkBatch<Item>(items: readonly Item[]): readonly Item[] {
  return items.length <= batchMax ? items : refuse(`A batch holds at most ${batchMax} requests`);
}

type Attempt<Kind extends string, Value> =
  | (Record<Kind, Value> & { oneofKind: Kind })
  | { oneofKind: 'error'; error: { code: number; message: string; details: [] } };

/** A part of a batch fails alone. */
function attempt<Kind extends string, Value>(kind: Kind, read: () => Value): Attempt<Kind, Value> {
  try {
    return { oneofKind: kind, [kind]: read() } as Record<Kind, Value> & { oneofKind: Kind };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return {
      oneofKind: 'error',
      error: { code: error.code ?? GrpcStatusCode.UNKNOWN, message: error.message, details: [] },
    };
  }
}
