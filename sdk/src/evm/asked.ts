import { type Call, callOfAsked, type ReviewedCall, type ReviewedScope } from './calls.ts';
import { type Chain, chainOf, type NamedToken, smallestUnits, tokenOf } from './chains.ts';
import { testTokenSymbol } from './constants.ts';
import { isAddress, isSameAddress } from './hash.ts';
import { ApprovalRefusedError } from './refusal.ts';
import type { Pins, ReadOperation } from './review.ts';
import { fieldsOf, hasOwnKey, signerIdOf, signerKeyOf } from './signer-keys.ts';

/** What the caller asked for, and what comes back is compared with. */
export type Asked =
  | { readonly kind: 'transfer'; readonly tokenLocator: string; readonly body: AskedTransfer }
  | { readonly kind: 'calls'; readonly params: Readonly<Record<string, unknown>> }
  | { readonly kind: 'add-signer'; readonly body: AskedSigner }
  | { readonly kind: 'remove-signer'; readonly signer: string; readonly chain: string | undefined };

interface AskedTransfer {
  readonly recipient: string;
  readonly amount?: string;
  /** Stellar: of type `id`, a number of the recipient. */
  readonly memo?: unknown;
}

interface AskedSigner {
  readonly signer: unknown;
  readonly chain?: string;
  readonly expiresAt?: string;
  readonly scopes?: readonly AskedScope[];
}

interface AskedScope {
  readonly tokenLocator: string;
  readonly recipients?: readonly string[];
  readonly spendingLimit?: { readonly amount: string; readonly interval?: number };
}

/** The name of the chain that was asked for. */
export function chainAsked(asked: Asked): string | undefined {
  if (asked.kind === 'transfer') return asked.tokenLocator.split(':', 1)[0];
  if (asked.kind === 'calls') return asked.params['chain'] as string;
  return asked.kind === 'add-signer' ? asked.body.chain : asked.chain;
}

/**
 * The operation is what was asked for, in every call. Gives the calls back, with amount and symbol
 * of test money as asked: its token is one that only the instance knows.
 * @param isReviewed somebody looks at it: then what only the service can know (the address of a
 * user, an unknown token) may pass
 * @throws ApprovalRefusedError
 */
export function requireAsked(
  asked: Asked,
  { chain, calls, review }: ReadOperation,
  pins: Pins,
  isReviewed: boolean,
): readonly ReviewedCall[] {
  const name = chainAsked(asked);
  if (name !== undefined && chainOf(name, pins.isProduction).id !== chain.id)
    throw new ApprovalRefusedError('chain', `it is for ${chain.name}, and ${name} was asked for.`);
  const uncertain = (why: string) => {
    if (!isReviewed)
      throw new ApprovalRefusedError(
        'not-comparable',
        `${why} Give a \`review\` that looks at what is signed.`,
      );
  };
  if (asked.kind === 'calls') {
    requireSameCalls(asked.params, calls, uncertain);
    return review.calls;
  }
  const [only, ...more] = review.calls;
  if (!only || more.length > 0) throw differs(`${review.calls.length} calls, where one is needed`);
  const context = { chain, pins, wallet: review.wallet, uncertain };
  if (asked.kind === 'transfer') return [requireTransfer(asked, only, context)];
  if (asked.kind === 'remove-signer') {
    if (only.kind !== 'remove-signer') throw differs(`a call of kind ${only.kind}`);
    requireSigner(asked.signer, only.signerId, context);
  } else requireAddition(asked.body, only, context);
  return review.calls;
}

function differs(what: string): ApprovalRefusedError {
  return new ApprovalRefusedError(
    'asked',
    `the service wants something else signed than was asked for: ${what}.`,
  );
}

interface Context {
  readonly chain: Chain;
  readonly pins: Pins;
  readonly wallet: string;
  readonly uncertain: (why: string) => void;
}

function requireSameCalls(
  params: Readonly<Record<string, unknown>>,
  calls: readonly Call[],
  uncertain: Context['uncertain'],
): void {
  const inputs = Array.isArray(params['calls']) ? (params['calls'] as unknown[]) : [params['call']];
  let wanted: Call[];
  try {
    wanted = inputs.map(callOfAsked);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return uncertain(`what was asked for cannot be encoded here (${error.message}).`);
  }
  const isSame = (one: Call, other: Call | undefined) =>
    other !== undefined &&
    isSameAddress(one.to, other.to) &&
    one.value === other.value &&
    one.data === other.data;
  if (wanted.length !== calls.length || !wanted.every((call, index) => isSame(call, calls[index])))
    throw differs('other calls');
}

/** @throws ApprovalRefusedError when it is another token */
function readToken(locator: string, { chain, pins, uncertain }: Context): NamedToken | undefined {
  const name = locator.slice(locator.indexOf(':') + 1);
  try {
    return tokenOf(chain, name, pins.tokens);
  } catch (error) {
    if (!(error instanceof ApprovalRefusedError)) throw error;
    uncertain(error.message);
    return undefined;
  }
}

function requireTransfer(
  { tokenLocator, body }: Extract<Asked, { kind: 'transfer' }>,
  call: ReviewedCall,
  context: Context,
): ReviewedCall {
  const named = readToken(tokenLocator, context);
  if (call.kind !== 'transfer' && call.kind !== 'transfer-item')
    throw differs(`a call of kind ${call.kind}`);
  if (call.kind === 'transfer-item') {
    if (!isSameAddress(call.from, context.wallet)) throw differs(`a transfer from ${call.from}`);
    if (
      named &&
      (!named.token.address ||
        !isSameAddress(call.collection, named.token.address) ||
        call.tokenId !== named.tokenId)
    )
      throw differs(`the item ${call.tokenId} of ${call.collection}`);
    if (call.amount !== (body.amount ?? '1')) throw differs(`${call.amount} of them`);
  } else if (named) {
    if (named.tokenId !== undefined) throw differs('a transfer without an item');
    requireSameToken(named, call.token.address);
    requireAmount(body.amount, BigInt(call.amountMinor), named, context);
  }
  if (!isAddress(body.recipient))
    context.uncertain('whose address the recipient has, only the service knows.');
  else if (!isSameAddress(body.recipient, call.recipient))
    throw differs(`a transfer to ${call.recipient}`);
  if (call.kind !== 'transfer' || !named?.isAnyTestToken || body.amount === undefined) return call;
  return { ...call, token: { ...call.token, symbol: testTokenSymbol }, amount: body.amount };
}

function requireSameToken(
  { token, isAnyTestToken }: NamedToken,
  address: string | undefined,
): void {
  const isSame = isAnyTestToken
    ? address !== undefined
    : (address ?? '').toLowerCase() === (token.address ?? '').toLowerCase();
  if (!isSame) throw differs(address === undefined ? 'the native money' : `the token ${address}`);
}

/** Test money may have any decimals: it is worth nothing, and each instance has its own. */
const testDecimalsMax = 36;

function requireAmount(
  amount: string | undefined,
  minor: bigint,
  { token, isAnyTestToken }: NamedToken,
  { chain, uncertain }: Context,
): void {
  const { decimals } = token;
  if (decimals !== undefined) {
    if (smallestUnits(amount, decimals) !== minor)
      throw differs(`${minor} of the smallest unit, and not ${amount}`);
  } else if (isAnyTestToken || chain.isTest) {
    const fitting = Array.from({ length: testDecimalsMax + 1 }, (_, places) =>
      smallestUnits(amount, places),
    );
    if (!fitting.includes(minor)) throw differs(`${minor} of the smallest unit, and not ${amount}`);
  } else
    uncertain(
      `this client does not know the decimals of ${token.address}: give createPurser its \`tokens\`.`,
    );
}

/**
 * Undefined where only the service knows the key: its own keys, and passkeys that are named by
 * their id.
 */
function idOf(signer: unknown): string | undefined {
  if (!hasOwnKey(signer)) return undefined;
  try {
    return signerIdOf(signerKeyOf(signer));
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** A key that the service keeps is in its hands whatever is signed. @throws ApprovalRefusedError */
function requireSigner(signer: unknown, signerId: string, { uncertain }: Context): void {
  const id = idOf(signer);
  if (id === undefined && hasOwnKey(signer))
    uncertain(`the key of this ${String(fieldsOf(signer)['type'])} is not known here.`);
  if (id !== undefined && id !== signerId) throw differs('another signer');
}

function requireAddition(body: AskedSigner, call: ReviewedCall, context: Context): void {
  const { signer } = body;
  // A delegated signer of an answer carries its terms.
  const { expiresAt, scopes = [] } = { ...(fieldsOf(signer) as Partial<AskedSigner>), ...body };
  if (call.kind !== 'add-signer') throw differs(`a call of kind ${call.kind}`);
  requireSigner(signer, call.signerId, context);
  const end = expiresAt === undefined ? undefined : Math.floor(Date.parse(expiresAt) / 1000) * 1000;
  if (call.validFrom !== undefined || call.expiresAt?.getTime() !== end)
    throw differs('another time');
  if (call.scopes.length !== scopes.length)
    throw differs(`${call.scopes.length} scopes in place of ${scopes.length}`);
  scopes.forEach((scope, index) => requireScope(scope, call.scopes[index]!, context));
}

function requireScope(
  { tokenLocator, recipients, spendingLimit }: AskedScope,
  found: ReviewedScope,
  context: Context,
): void {
  const named = readToken(tokenLocator, context);
  if (named) requireSameToken(named, found.token.address);
  const sorted = (list: readonly string[] | undefined) =>
    list && [...new Set(list.map((entry) => entry.toLowerCase()))].sort().join();
  if (sorted(recipients) !== sorted(found.recipients)) throw differs('other recipients');
  if ((spendingLimit === undefined) !== (found.limitMinor === undefined))
    throw differs('another limit');
  if (spendingLimit?.interval !== found.intervalSeconds) throw differs('another interval');
  if (spendingLimit && named)
    requireAmount(spendingLimit.amount, BigInt(found.limitMinor!), named, context);
}
