import { xdr } from '@stellar/stellar-sdk/base';
import { z } from 'zod';
import {
  type Actor,
  type Authorization,
  nonceOf,
  type SignerKey,
  type Stamp,
} from '../../../../contracts/stellar/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { requireUnexpired } from '../../family/smart-wallets/registrations.ts';
import type { PreparedSignature, PrepareSignatureInput, SubmittedApproval } from '../../family.ts';
import { accountKey } from '../account/entry.ts';
import { stellarChain } from '../config/networks.ts';
import { authorityOf } from '../operation/authority.ts';
import { type BuildDeps, boundFrom, ledgerMs, randomNonce } from '../operation/build.ts';
import { allCalls } from '../operation/invocation.ts';
import {
  addressCredentials,
  entryAddress,
  messageOf,
  readOperation,
  storeOperation,
} from '../operation/stored.ts';
import { readEntries, readLatestLedger } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import { readSmartSetup } from '../wallet/plan.ts';
import { signerKeyOf } from '../wallet/signer-keys.ts';
import { readSmartState } from '../wallet/state.ts';
import { completeEntry } from './approvals.ts';

/**
 * Entries that somebody else made for the wallet to sign (SEP-45: who signs in to a service proves
 * that it controls the contract, or the account). The wallet's entry gets a nonce of the service:
 * of a contract nonces say which epoch they are of, of an account they are random.
 */

const paramsSchema = z.strictObject({ authorizationEntries: z.string().min(1).max(20_000) });
const entriesMax = 8;
/** Where the entry does not say until when. */
const lifetimeLedgers = 150;
const lifetimeLedgersMax = 14_400;
/** Of tokens (SEP-41): what moves money is a transaction, which is simulated, screened and told. */
const movingMethods = new Set([
  'transfer',
  'transfer_from',
  'approve',
  'burn',
  'burn_from',
  'mint',
  'clawback',
]);

/** As {@link Signatures.prepareSignature}. */
export async function prepareAuthEntries(
  deps: BuildDeps,
  input: PrepareSignatureInput,
): Promise<PreparedSignature> {
  const { wallet, type, params, signer, delegate, now } = input;
  if (type !== 'auth-entries')
    throw new ServiceError('signature-type-not-supported', {
      message: 'Wallets on stellar sign auth-entries, and nothing else without a transaction.',
    });
  const { entries, index } = readParams(params, wallet.address);
  if (delegate) requireUnexpired(delegate, now);
  if (delegate && delegate.scopes.length > 0)
    throw new ServiceError('signer-scope-violation', {
      message: `The signer "${signer.locator}" may make transfers only: sign with another one.`,
    });
  const connection = await deps.connect(stellarChain);
  const [signing, ledger] = await Promise.all([
    readSigning(deps, connection, input),
    readLatestLedger(connection),
  ]);
  const entry = entries[index]!;
  const expirationLedger = lastLedgerOf(entry, ledger.sequence);
  const validUntil = new Date(now.getTime() + (expirationLedger - ledger.sequence) * ledgerMs);
  const authorization: Authorization = {
    networkPassphrase: connection.network.passphrase,
    wallet: wallet.address,
    nonce: signing.nonce,
    expirationLedger,
    invocation: entry.rootInvocation,
    form: ledger.protocolVersion >= boundFrom ? 'bound' : 'unbound',
  };
  const operation = storeOperation({
    chain: connection.network.name,
    wallet: wallet.address,
    authorization,
    ...(signing.actor && { actor: signing.actor }),
    keys: signing.keys,
    threshold: signing.threshold,
    others: [],
    validUntil,
    costMax: 0n,
  });
  const request = { ...operation, entries: entries.map((one) => one.toXdr('base64')), index };
  return {
    chain: connection.network.name,
    params,
    request,
    message: messageOf(authorization),
    validUntil,
  };
}

interface Signing {
  /** Absent: an account, whose own key signs. */
  readonly actor?: Actor;
  readonly keys: readonly SignerKey[];
  readonly threshold: number;
  readonly nonce: bigint;
}

/**
 * Whose signatures the entry needs.
 * @throws validation-error, wallet-locked, transaction-invalid
 */
async function readSigning(
  deps: BuildDeps,
  connection: StellarConnection,
  { wallet, signer, delegate }: PrepareSignatureInput,
): Promise<Signing> {
  if (wallet.type === 'mpc') {
    const { entries } = await readEntries(connection, [accountKey(wallet.address)]);
    if (!entries[0])
      throw invalid(
        'the account of the wallet does not exist on the network yet; what it is sent first makes it',
      );
    return {
      keys: [{ kind: 'ed25519', address: wallet.address }],
      threshold: 1,
      nonce: randomNonce(),
    };
  }
  const smart = readSmartSetup(wallet);
  const state = await readSmartState(
    connection,
    smart,
    delegate ? [signerKeyOf(delegate.signer)] : [],
  );
  if (!state.deployed)
    throw invalid('the wallet does not exist on the network yet; its first transaction makes it');
  if (state.isLocked) throw new ServiceError('wallet-locked', { details: { statusCode: 409 } });
  const { actor, keys, threshold, stamp } = authorityOf(smart, { signer, delegate, state });
  const nonce = nonceOf(
    stamp,
    await deps.claimNumber({ wallet: wallet.address, stamp: nameOf(stamp) }),
  );
  return { actor, keys, threshold, nonce };
}

function nameOf(stamp: Stamp): string {
  return 'epoch' in stamp ? `epoch ${stamp.epoch}` : `generation ${stamp.generation}`;
}

function lastLedgerOf(entry: xdr.SorobanAuthorizationEntry, latest: number): number {
  const asked = addressCredentials(entry)?.signatureExpirationLedger ?? 0;
  return asked > latest && asked <= latest + lifetimeLedgersMax ? asked : latest + lifetimeLedgers;
}

/** @throws validation-error */
function readParams(params: JsonObject, wallet: string) {
  const { data } = paramsSchema.safeParse(params);
  if (!data)
    throw invalid(
      'must be a text, XDR in base64: four bytes with the count of entries, then the entries',
    );
  const entries = parseEntries(data.authorizationEntries);
  const own = entries.flatMap((entry, index) => (entryAddress(entry) === wallet ? [index] : []));
  if (own.length !== 1)
    throw invalid(`must hold one entry of the wallet ${wallet}, and holds ${own.length}`);
  const [index] = own as [number];
  const calls = callsOf(entries[index]!);
  if (calls.some(({ contract, method }) => contract === wallet || movingMethods.has(method)))
    throw invalid('changes the wallet or moves tokens: create a transaction for that');
  return { entries, index };
}

function parseEntries(text: string): readonly xdr.SorobanAuthorizationEntry[] {
  const bytes = Buffer.from(text, 'base64');
  try {
    const entries = xdr.decodeArray(xdr.SorobanAuthorizationEntry, bytes, {
      maxLength: entriesMax,
    });
    if (entries.length > 0) return entries;
  } catch {
    // Told below.
  }
  throw invalid(
    `must be XDR in base64: four bytes with the count of entries, ${entriesMax} at most, then the entries`,
  );
}

/** @throws validation-error for one that creates contracts */
function callsOf({ rootInvocation }: xdr.SorobanAuthorizationEntry) {
  const count = ({ subInvocations }: xdr.SorobanAuthorizedInvocation): number =>
    subInvocations.reduce((sum, one) => sum + count(one), 1);
  const calls = allCalls(rootInvocation);
  if (calls.length !== count(rootInvocation))
    throw invalid('creates a contract in the name of the wallet');
  return calls;
}

/** As {@link Signatures.completeSignature}: the same entries, with the wallet's signed. */
export function completeAuthEntries(
  request: JsonObject,
  approvals: readonly SubmittedApproval[],
): string {
  const { entries, index } = z
    .object({ entries: z.array(z.string()), index: z.int() })
    .parse(request);
  const signed = completeEntry(readOperation(request), approvals);
  const all = entries.map((text, at) =>
    at === index ? signed : xdr.SorobanAuthorizationEntry.fromXdr(text, 'base64'),
  );
  return xdr.encodeArray(xdr.SorobanAuthorizationEntry, all, 'base64');
}

function invalid(reason: string): ServiceError {
  return new ServiceError('validation-error', {
    message: `params.authorizationEntries: ${reason}.`,
  });
}
