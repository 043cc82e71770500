import { xdr } from '@stellar/stellar-sdk/base';
import type { Envelope } from '../classic/transaction.ts';
import { hasMemo, sourceOf } from '../classic/transaction.ts';
import { describeFailure, type HostOutcome, runHostFunction } from '../host/host.ts';
import { type Footprint, Storage } from '../host/storage.ts';
import { accountAddress } from '../ledger/accounts.ts';
import type { Chain } from '../ledger/chain.ts';
import { declaredResources, resourceFee, usageOf } from '../ledger/fees.ts';
import { assetContract } from '../token/index.ts';
import { invalid } from './errors.ts';

/**
 * Room above what was used, as what a transaction meets may be a little more than what its
 * simulation met.
 */
const margins = { instructions: 1.1, fee: 115n };

export type AuthMode = 'record' | 'enforce' | 'record_allow_nonroot';

/** What `simulateTransaction` answers: nothing is kept. */
export function simulate(chain: Chain, envelope: Envelope, mode: AuthMode | undefined): object {
  const [operation, ...others] = envelope.tx.operations;
  if (!operation || others.length > 0)
    throw invalid('A transaction with exactly one operation can be simulated.');
  const latestLedger = chain.sequence;
  const { body } = operation;
  if (body.type === 'extendFootprintTtl' || body.type === 'restoreFootprint')
    return simulateFootprint(chain, envelope);
  if (body.type !== 'invokeHostFunction')
    throw invalid(`An operation of the kind ${body.type} cannot be simulated.`);
  if (hasMemo(envelope))
    throw invalid('Transaction contains a memo. Soroban transactions do not support memos.');
  const { hostFunction, auth } = body.invokeHostFunctionOp;
  const isRecorded = mode === undefined ? auth.length === 0 : mode !== 'enforce';
  if (isRecorded && auth.length > 0)
    throw invalid(
      'Authorisations are recorded where there are none: leave out authMode, or the entries.',
    );
  const outcome = runHostFunction({
    ledger: chain.entries,
    info: chain.info(chain.sequence + 1),
    call: hostFunction,
    source: accountAddress(sourceOf(envelope)),
    auth: isRecorded ? undefined : auth,
    mayBeBelowRoot: mode === 'record_allow_nonroot',
    assetContract,
  });
  if (outcome.failure || !outcome.result) {
    const notes =
      outcome.diagnostics.length > 0 ? `\n\nlog: ${outcome.diagnostics.join('\n')}` : '';
    return {
      latestLedger,
      error: `${outcome.failure ? describeFailure(outcome.failure) : 'HostError'}${notes}`,
      events: [],
    };
  }
  const { data, fee } = sorobanDataOf(chain, envelope, outcome);
  return {
    latestLedger,
    transactionData: data.toXdr('base64'),
    minResourceFee: fee.toString(),
    events: outcome.events.map((event) =>
      new xdr.DiagnosticEvent({ inSuccessfulContractCall: true, event }).toXdr('base64'),
    ),
    results: [
      {
        auth: (isRecorded ? outcome.auth : auth).map((entry) => entry.toXdr('base64')),
        xdr: outcome.result.toXdr('base64'),
      },
    ],
    stateChanges: outcome.changes.map(({ key, before, after }) => ({
      type: before ? (after ? 2 : 3) : 1,
      key,
      before: before?.entry.toXdr('base64') ?? null,
      after: after?.entry.toXdr('base64') ?? null,
    })),
  };
}

interface Estimate {
  readonly data: xdr.SorobanTransactionData;
  readonly fee: bigint;
}

const keys = (texts: readonly string[]) =>
  texts.map((text) => xdr.LedgerKey.fromXdr(text, 'base64'));

function sorobanDataOf(chain: Chain, envelope: Envelope, outcome: HostOutcome): Estimate {
  const { footprint, restored } = outcome;
  const readBytes = [...footprint.readOnly, ...footprint.readWrite].reduce(
    (sum, key) => sum + (chain.entries.get(key)?.entry.toXdr().length ?? 0),
    0,
  );
  const usage = usageOf(outcome, readBytes);
  return estimate(envelope, {
    footprint,
    restored,
    instructions: Math.ceil(outcome.instructions * margins.instructions),
    ...usage,
  });
}

interface Used {
  readonly footprint: Footprint;
  readonly restored: readonly string[];
  readonly instructions: number;
  readonly readBytes: number;
  readonly writeBytes: number;
  readonly refundable: bigint;
}

function estimate(
  envelope: Envelope,
  { footprint, restored, instructions, readBytes, writeBytes, refundable }: Used,
): Estimate {
  const indexes = restored.map((key) => footprint.readWrite.indexOf(key)).sort((a, b) => a - b);
  const resources = new xdr.SorobanResources({
    footprint: new xdr.LedgerFootprint({
      readOnly: keys(footprint.readOnly),
      readWrite: keys(footprint.readWrite),
    }),
    instructions,
    diskReadBytes: readBytes,
    writeBytes,
  });
  // Signatures and the data itself come on top of what is simulated.
  const bytes = Buffer.byteLength(envelope.xdr, 'base64') + resources.toXdr().length + 1_000;
  const fee =
    ((resourceFee(declaredResources(resources), bytes) + refundable) * margins.fee) / 100n;
  const ext =
    indexes.length > 0
      ? xdr.SorobanTransactionDataExt.resourceExt(
          new xdr.SorobanResourcesExtV0({ archivedSorobanEntries: indexes }),
        )
      : xdr.SorobanTransactionDataExt.v0();
  return { data: new xdr.SorobanTransactionData({ ext, resources, resourceFee: fee }), fee };
}

/** Of an operation that names its entries itself. */
function simulateFootprint(chain: Chain, envelope: Envelope): object {
  const { ext } = envelope.tx;
  if (ext.type !== 'sorobanData')
    throw invalid('The transaction must have a footprint: set its Soroban data.');
  const { readOnly, readWrite } = ext.sorobanData.resources.footprint;
  const [operation] = envelope.tx.operations;
  const storage = new Storage({
    ledger: chain.entries,
    sequence: chain.sequence + 1,
    ttl: chain.info().ttl,
  });
  for (const key of readWrite) storage.get(key);
  if (operation?.body.type === 'extendFootprintTtl')
    for (const key of readOnly)
      if (storage.peek(key) === 'live')
        storage.extend(
          key,
          operation.body.extendFootprintTtlOp.extendTo,
          operation.body.extendFootprintTtlOp.extendTo,
        );
  const footprint = {
    readOnly: readOnly.map((key) => key.toXdr('base64')),
    readWrite: readWrite.map((key) => key.toXdr('base64')),
  };
  const changes = storage.changes();
  const size = changes.reduce((sum, { after }) => sum + (after?.entry.toXdr().length ?? 0), 0);
  const usage = usageOf({ changes, events: [] }, size);
  const { data, fee } = estimate(envelope, { footprint, restored: [], instructions: 0, ...usage });
  return {
    latestLedger: chain.sequence,
    transactionData: data.toXdr('base64'),
    minResourceFee: fee.toString(),
    events: [],
    results: [],
  };
}
