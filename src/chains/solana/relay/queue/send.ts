import bs58 from 'bs58';
import { type GivenBack, storeSigned } from '../../../family/late/queue.ts';
import { programError } from '../../operation/failure.ts';
import { readComputeBudget } from '../../operation/instructions.ts';
import { readNonceAccount } from '../../operation/layout.ts';
import {
  instructionsOf,
  readMessage,
  readTable,
  signersOf,
  type Tables,
  tablesOf,
  writeTransaction,
} from '../../operation/message.ts';
import { readAccounts, send, simulate } from '../../operation/node.ts';
import { requireSponsored } from '../../operation/sponsor.ts';
import { storeOperation } from '../../operation/stored.ts';
import { programs } from '../../operation/wrapping/programs.ts';
import type { SolanaConnection } from '../../rpc/connections.ts';
import { isSignedBy } from '../../signing/approvals.ts';
import type { SigningAccount } from '../keys.ts';
import { relayLimits } from '../limits.ts';
import { useNonce } from '../nonces/store.ts';
import type { RelayDeps } from '../types.ts';
import { claimMessages } from './messages.ts';
import { type Ended, lost, messageKnown, nonceGone, refused } from './outcomes.ts';
import { type OpenOperation, solanaOperations } from './store.ts';

/** From an approved operation to bytes that are stored, and sent. */

export type Step = { readonly ended: Ended } | { readonly postponed: GivenBack } | undefined;

interface Checked {
  readonly payer: SigningAccount;
  readonly nonceAccount: string;
  readonly nonceValue: string;
  /** Whose signature is made now. */
  readonly late: string | undefined;
}

/** One operation of a claim. Undefined: it is stored and sent, or somebody else has it now. */
export async function signAndSend(
  deps: RelayDeps,
  connection: SolanaConnection,
  token: string,
  operation: OpenOperation,
): Promise<Step> {
  const { operationId } = operation;
  const checked = await check(deps, connection, operation);
  if (!('payer' in checked)) return checked;
  const { payer, nonceAccount, nonceValue, late } = checked;
  const given = signaturesOf(operation);
  const refusal = await simulated(deps, connection, operation, {
    wire: writeTransaction(operation.message, given),
    nonceAccount,
    nonceValue,
  });
  if (refusal) return refusal;
  deps.killPoint?.('before-signature');
  const feePayerSignature = payer.sign(operation.message);
  const raw = writeTransaction(operation.message, {
    ...given,
    ...(late !== undefined && { [late]: await signInCustody(deps, connection, operation, late) }),
    [payer.address]: feePayerSignature,
  });
  deps.killPoint?.('before-store');
  const stored = await deps.store.transaction(async (tx) => {
    if (
      !(await useNonce(tx, {
        lease: operation.lease,
        operationId,
        address: nonceAccount,
        value: nonceValue,
      }))
    )
      return 'gone';
    if (!(await claimMessages(tx, [operation])).has(operationId)) return 'known';
    return storeSigned(tx, solanaOperations, {
      token,
      operationId,
      txId: bs58.encode(feePayerSignature),
      raw,
      lookAfterMs: relayLimits.firstLookMs,
    });
  });
  if (stored === 'gone')
    return { ended: lost(connection.network, operation, nonceGone, deps.clock.now()) };
  if (stored === 'known')
    return { ended: lost(connection.network, operation, messageKnown, deps.clock.now()) };
  if (!stored) return { postponed: { operationId, pauseMs: relayLimits.waitPauseMs } };
  deps.killPoint?.('after-store');
  // An error says nothing about what the node did with it: it is looked for, and sent again.
  await send(connection, raw).catch((error: unknown) =>
    deps.log.warn({ err: error, operationId }, 'a transaction could not be sent; trying again'),
  );
  deps.killPoint?.('after-broadcast');
  return { postponed: { operationId, pauseMs: relayLimits.firstLookMs } };
}

/**
 * Whatever somebody wrote into the queue: the fee payer signs for nothing but what
 * {@link requireSponsored} allows.
 */
async function check(
  deps: RelayDeps,
  connection: SolanaConnection,
  operation: OpenOperation,
): Promise<Checked | NonNullable<Step>> {
  const now = deps.clock.now();
  try {
    const message = readMessage(operation.message);
    const [feePayer, ...signers] = signersOf(message);
    const payer = deps.feePayers.find(({ address }) => address === feePayer);
    if (!payer)
      return {
        postponed: { operationId: operation.operationId, pauseMs: relayLimits.foreignKeyPauseMs },
      };
    const instructions = instructionsOf(message, await readTables(connection, tablesOf(message)));
    const nonceAccount = instructions[0]?.accounts[0]?.address ?? '';
    await requireSponsored(instructions, {
      feePayer: payer.address,
      nonceAccount,
      walletProgram: deps.walletProgram,
    });
    const { units = relayLimits.unitsMax, price = 0n } = readComputeBudget(instructions);
    if (units > relayLimits.unitsMax || price > deps.settings.priorityFeeMaxMicroLamports)
      throw new Error(`It pays ${price} for each of ${units} units.`);
    const late = requireSignatures(operation, signers);
    return { payer, nonceAccount, nonceValue: message.lifetimeToken, late };
  } catch (error) {
    if (isNodeFailure(error)) throw error;
    deps.log.error(
      { err: error, operationId: operation.operationId },
      'an operation in the queue is not one that may be paid for',
    );
    return {
      ended: lost(
        connection.network,
        operation,
        'The service does not pay for this transaction.',
        now,
      ),
    };
  }
}

class TableUnknownError extends Error {}

function isNodeFailure(error: unknown): boolean {
  return error instanceof TableUnknownError;
}

async function readTables(
  connection: SolanaConnection,
  addresses: readonly string[],
): Promise<Tables> {
  const accounts = await readAccounts(connection, addresses).catch((error: unknown) => {
    throw new TableUnknownError('lookup tables could not be read', { cause: error });
  });
  return Object.fromEntries(
    addresses.map((address, index) => {
      const account = accounts[index];
      return [address, (account?.owner === programs.lookupTable && readTable(account.data)) || []];
    }),
  );
}

function signaturesOf({ signatures }: OpenOperation): Record<string, Uint8Array> {
  return Object.fromEntries(
    Object.entries(signatures).map(([address, signature]) => [address, bs58.decode(signature)]),
  );
}

/** Who signs in custody now: one at most, and only where the operation was handed over so. */
function requireSignatures(
  { walletId, signatures, message }: OpenOperation,
  signers: readonly string[],
): string | undefined {
  const late =
    walletId === undefined ? undefined : signers.find((signer) => signatures[signer] === undefined);
  for (const signer of signers)
    if (signer !== late && !isSignedBy(signer, signatures[signer], message))
      throw new Error(`The signature of ${signer} is missing or wrong.`);
  return late;
}

/** @throws SigningRefusedError, Error where its signature is another's */
async function signInCustody(
  { signBuilt }: RelayDeps,
  { network }: SolanaConnection,
  operation: OpenOperation,
  signer: string,
): Promise<Uint8Array> {
  const { projectId, walletId, wallet, message, lease, validUntil, costMax } = operation;
  const stored = { chain: network.name, wallet, messageBytes: message, lease, validUntil, costMax };
  const signature = await signBuilt({
    projectId,
    walletId: walletId!,
    operation: storeOperation(stored),
    built: message,
  });
  if (!isSignedBy(signer, bs58.encode(signature), message))
    throw new Error(`Custody has not signed for ${signer}.`);
  return signature;
}

/** What the chain would say now, before anything is signed that somebody could keep. */
async function simulated(
  deps: RelayDeps,
  connection: SolanaConnection,
  operation: OpenOperation,
  {
    wire,
    nonceAccount,
    nonceValue,
  }: { readonly wire: Uint8Array; readonly nonceAccount: string; readonly nonceValue: string },
): Promise<Step> {
  const { operationId } = operation;
  const { err, logs } = await simulate(connection, { wire, addresses: [], anyLifetime: false });
  if (err === null) return undefined;
  const again = (pauseMs: number, refusals = operation.refusals): Step => ({
    postponed: { operationId, pauseMs, refusals },
  });
  if (isPayerShort(err)) return again(relayLimits.waitPauseMs);
  const refusals = operation.refusals + 1;
  if (err === 'BlockhashNotFound') {
    const [account] = await readAccounts(connection, [nonceAccount], 'finalized');
    const isGone =
      account !== undefined &&
      readNonceAccount(account)?.value !== nonceValue &&
      refusals >= relayLimits.missesMax;
    return isGone
      ? { ended: lost(connection.network, operation, nonceGone, deps.clock.now()) }
      : again(relayLimits.refusalPauseMs, refusals);
  }
  if (refusals < relayLimits.refusalsMax) return again(relayLimits.refusalPauseMs, refusals);
  return { ended: refused(operation, programError(err, logs), deps.clock.now()) };
}

/** The service's own trouble, not the operation's. */
function isPayerShort(err: unknown): boolean {
  if (err === 'InsufficientFundsForFee' || err === 'AccountNotFound') return true;
  const rent =
    typeof err === 'object' && err !== null
      ? (err as { InsufficientFundsForRent?: { account_index?: number } }).InsufficientFundsForRent
      : undefined;
  return rent?.account_index === 0;
}
