import type { Blockhash, TransactionMessageBytes } from '@solana/kit';
import { z } from 'zod';
import { fromBase58, toBase64 } from '../base.ts';
import type { Chain } from '../chain.ts';
import { prepareMachine, refusalOf } from '../execution.ts';
import type { Outcome, SimulatedOutcome } from '../machine.ts';
import { loadKeys, type ParsedTransaction, parseMessage, priceOf } from '../message.ts';
import { readNonce } from '../nonce.ts';
import { blockhashAge } from '../slots.ts';
import { describeError, type TransactionError } from '../transaction-error.ts';
import { encodeAccount, encodingSchema } from './encode-account.ts';
import {
  decodeText,
  decodeTransaction,
  describeInner,
  encodeTransaction,
  statusOf,
  transactionEncodingSchema,
} from './encode-transaction.ts';
import { codes, invalidParams, RpcError } from './errors.ts';
import type { Methods } from './methods.ts';
import {
  addressSchema,
  blockViewOf,
  commitmentSchema,
  contextSchema,
  countSchema,
  inContext,
  readConfig,
  readParam,
  signatureSchema,
  viewOf,
} from './params.ts';

const signaturesMax = 256;
const listMax = 1_000;
/** One request is not to empty the faucet. */
const airdropLamportsMax = 1_000_000n * 1_000_000_000n;
const wireEncodingSchema = z.enum(['base58', 'base64']);

const sendSchema = z.object({
  encoding: wireEncodingSchema.nullish(),
  skipPreflight: z.boolean().nullish(),
  preflightCommitment: commitmentSchema.nullish(),
  maxRetries: countSchema.nullish(),
  minContextSlot: countSchema.nullish(),
});
const simulateSchema = contextSchema.extend({
  encoding: wireEncodingSchema.nullish(),
  sigVerify: z.boolean().nullish(),
  replaceRecentBlockhash: z.boolean().nullish(),
  innerInstructions: z.boolean().nullish(),
  accounts: z
    .object({ addresses: z.array(addressSchema), encoding: encodingSchema.nullish() })
    .nullish(),
});
const transactionSchema = contextSchema.extend({
  encoding: transactionEncodingSchema.nullish(),
  maxSupportedTransactionVersion: countSchema.nullish(),
});
const addressListSchema = contextSchema.extend({
  before: signatureSchema.nullish(),
  until: signatureSchema.nullish(),
  limit: z
    .number()
    .int()
    .min(1, `Invalid limit; max ${listMax}`)
    .max(listMax, `Invalid limit; max ${listMax}`)
    .nullish(),
});

export const transactionMethods: Methods = {
  sendTransaction(chain, params) {
    const text = readParam(params, 0, z.string());
    const config = readConfig(params, 1, sendSchema);
    const parsed = decodeTransaction(text, config.encoding ?? 'base58');
    if (!config.skipPreflight)
      preflight(chain, parsed, {
        commitment: config.preflightCommitment,
        minContextSlot: config.minContextSlot,
      });
    // As on a network what does not get into a block is not told of here.
    chain.run(parsed);
    return parsed.signature;
  },
  simulateTransaction(chain, params) {
    const text = readParam(params, 0, z.string());
    const config = readConfig(params, 1, simulateSchema);
    if (config.sigVerify && config.replaceRecentBlockhash)
      throw new RpcError(
        codes.invalidParams,
        'sigVerify may not be used with replaceRecentBlockhash',
      );
    const encoding = config.accounts?.encoding ?? 'base64';
    if (config.accounts && (encoding === 'base58' || encoding === 'binary'))
      throw new RpcError(codes.invalidParams, 'base58 encoding not supported');
    const view = viewOf(chain, config);
    const given = decodeTransaction(text, config.encoding ?? 'base58');
    const parsed = config.replaceRecentBlockhash
      ? withBlockhash(given, chain.blockhashOf(view.slot))
      : given;
    if (
      config.accounts &&
      config.accounts.addresses.length > parsed.message.staticAccounts.length + 256
    )
      throw new RpcError(codes.invalidParams, 'Too many accounts provided');
    const done = simulate(chain, parsed, {
      slot: view.slot,
      checksSignatures: config.sigVerify ?? false,
    });
    return inContext(view, {
      ...describeOutcome(done),
      accounts:
        config.accounts?.addresses.map((address) => {
          const account = done.accounts.get(address) ?? chain.read(address);
          return (
            account &&
            encodeAccount(
              account,
              { encoding },
              (mint) => done.accounts.get(mint) ?? chain.read(mint),
            )
          );
        }) ?? null,
      innerInstructions: config.innerInstructions
        ? done.inner.flatMap((list, index) =>
            list.length === 0 ? [] : [{ index, instructions: describeInner(list, done.keys) }],
          )
        : null,
      ...(config.replaceRecentBlockhash
        ? { replacementBlockhash: describeBlockhash(chain, view.slot) }
        : {}),
    });
  },
  getFeeForMessage(chain, params) {
    const bytes = decodeText(readParam(params, 0, z.string()), 'base64');
    const view = viewOf(chain, readConfig(params, 1, contextSchema));
    const message = readMessage(bytes);
    const head = { slot: view.slot, height: chain.slots.heightOf(view.slot) ?? 0 };
    const isKnown =
      chain.heightOfBlockhash(message.lifetimeToken, head) !== undefined ||
      namesNonce(chain, message, view.slot);
    return inContext(view, isKnown ? priceOf(message).lamports : null);
  },
  requestAirdrop(chain, params) {
    const address = readParam(params, 0, addressSchema);
    const lamports = BigInt(readParam(params, 1, countSchema));
    if (lamports === 0n || lamports > airdropLamportsMax)
      throw invalidParams(`an airdrop is of 1 to ${airdropLamportsMax} lamports`);
    const { landed, error } = chain.airdrop(address, lamports);
    if (!landed || error)
      throw new RpcError(
        codes.internal,
        `The airdrop did not work: ${describeError(error ?? 'AccountNotFound')}`,
      );
    return landed.signature;
  },
  getSignatureStatuses(chain, params) {
    const signatures = readParam(
      params,
      0,
      z.array(signatureSchema).max(signaturesMax, `Too many inputs provided; max ${signaturesMax}`),
    );
    const config = readConfig(
      params,
      1,
      z.object({ searchTransactionHistory: z.boolean().nullish() }),
    );
    const head = chain.head();
    const statuses = signatures.map((signature) => {
      const landed = chain.history.get(signature);
      const isRecent = landed && landed.height + 2 * blockhashAge >= head.height;
      if (!landed || (!isRecent && !config.searchTransactionHistory)) return null;
      const confirmationStatus = chain.commitmentOf(landed.slot);
      const confirmations = confirmationStatus === 'finalized' ? null : head.height - landed.height;
      return {
        slot: landed.slot,
        confirmations,
        err: landed.error,
        status: statusOf(landed),
        confirmationStatus,
      };
    });
    return inContext(head, statuses);
  },
  getSignaturesForAddress(chain, params) {
    const address = readParam(params, 0, addressSchema);
    const config = readConfig(params, 1, addressListSchema);
    const view = blockViewOf(chain, config);
    const newestFirst = chain.history.ofAddress(address).toReversed();
    const from = config.before
      ? newestFirst.findIndex(({ signature }) => signature === config.before) + 1
      : 0;
    if (config.before && from === 0) return [];
    const end = config.until
      ? newestFirst.findIndex(({ signature }) => signature === config.until)
      : -1;
    return newestFirst
      .slice(from, end < 0 ? undefined : end)
      .filter(({ slot }) => slot <= view.slot)
      .slice(0, config.limit ?? listMax)
      .map(({ signature, slot, error, memo, timeMs }) => ({
        signature,
        slot,
        err: error,
        memo,
        blockTime: Math.floor(timeMs / 1000),
        confirmationStatus: chain.commitmentOf(slot),
      }));
  },
  getTransaction(chain, params) {
    const signature = readParam(params, 0, signatureSchema);
    const isName = typeof params[1] === 'string';
    const config = isName
      ? { encoding: readParam(params, 1, transactionEncodingSchema) }
      : readConfig(params, 1, transactionSchema);
    const view = blockViewOf(chain, config);
    const landed = chain.history.get(signature);
    if (!landed || landed.slot > view.slot) return null;
    return {
      slot: landed.slot,
      blockTime: Math.floor(landed.timeMs / 1000),
      ...encodeTransaction(landed, config),
    };
  },
};

/** @throws RpcError as a node does for a transaction that would not succeed */
function preflight(
  chain: Chain,
  parsed: ParsedTransaction,
  config: z.infer<typeof contextSchema>,
): void {
  const { slot } = viewOf(chain, config);
  const done = simulate(chain, parsed, { slot, checksSignatures: true });
  if (done.error === 'SignatureFailure')
    throw new RpcError(codes.signatureVerification, 'Transaction signature verification failure');
  if (done.error !== null)
    throw new RpcError(
      codes.preflightFailure,
      `Transaction simulation failed: ${describeError(done.error)}`,
      {
        ...describeOutcome(done),
        accounts: null,
        innerInstructions: null,
      },
    );
}

type Simulated = SimulatedOutcome & { readonly keys: readonly string[] };

/** Lifetimes are those of a commitment; accounts are always the newest ones. */
function simulate(
  chain: Chain,
  parsed: ParsedTransaction,
  at: { readonly slot: number; readonly checksSignatures: boolean },
): Simulated {
  const missing = Object.values(parsed.transaction.signatures).includes(null);
  if (at.checksSignatures && missing) return refused('SignatureFailure');
  const loaded = loadKeys(parsed.message, (address) => chain.machine.read(address));
  if (typeof loaded === 'string') return refused(loaded);
  prepareMachine(chain, parsed, { slot: chain.head().slot, timeMs: chain.slots.nowMs() });
  const done = chain.machine.simulate(parsed.transaction, at.checksSignatures);
  const { keys } = loaded;
  if (done.error === 'SignatureFailure') return { ...done, keys };
  const refusal = refusalOf(chain, parsed, {
    slot: at.slot,
    height: chain.slots.heightOf(at.slot) ?? 0,
  });
  return refusal === undefined ? { ...done, keys } : refused(refusal);
}

function refused(error: TransactionError): Simulated {
  return { error, logs: [], units: 0n, inner: [], returnData: null, accounts: new Map(), keys: [] };
}

function describeOutcome({ error, logs, units, returnData }: Outcome) {
  return {
    err: error,
    logs,
    unitsConsumed: units,
    returnData: returnData && {
      programId: returnData.program,
      data: [toBase64(returnData.data), 'base64'],
    },
  };
}

function describeBlockhash(chain: Chain, slot: number) {
  return {
    blockhash: chain.blockhashOf(slot),
    lastValidBlockHeight: (chain.slots.heightOf(slot) ?? 0) + blockhashAge,
  };
}

/** The same transaction with another lifetime; its signatures are not those of it. */
function withBlockhash(parsed: ParsedTransaction, blockhash: string): ParsedTransaction {
  const bytes = new Uint8Array(parsed.transaction.messageBytes);
  const old = fromBase58(parsed.message.lifetimeToken);
  const at = offsetOfLifetime(parsed);
  if (Buffer.compare(bytes.subarray(at, at + 32), old) !== 0)
    throw new RpcError(codes.internal, 'The lifetime was not found in the message');
  bytes.set(fromBase58(blockhash as Blockhash), at);
  return {
    ...parsed,
    message: parseMessage(bytes),
    transaction: {
      ...parsed.transaction,
      messageBytes: bytes as unknown as TransactionMessageBytes,
    },
  };
}

/** After version, header, count and keys. */
function offsetOfLifetime({ message }: ParsedTransaction): number {
  const keys = message.staticAccounts.length;
  return (message.version === 0 ? 1 : 0) + 3 + (keys < 128 ? 1 : 2) + keys * 32;
}

function readMessage(bytes: Uint8Array): ReturnType<typeof parseMessage> {
  try {
    return parseMessage(bytes);
  } catch (error) {
    throw new RpcError(
      codes.invalidParams,
      `failed to deserialize the message: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function namesNonce(chain: Chain, message: ReturnType<typeof parseMessage>, slot: number): boolean {
  return message.staticAccounts.some((address) => {
    const account = chain.read(address, slot);
    return account ? readNonce(account)?.value === message.lifetimeToken : false;
  });
}
