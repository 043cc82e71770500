import type { Asked } from '../evm/asked.ts';
import type { ReviewedCall } from '../evm/calls.ts';
import { type NamedToken, smallestUnits } from '../evm/chains.ts';
import { testTokenSymbol } from '../evm/constants.ts';
import { ApprovalRefusedError } from '../evm/refusal.ts';
import { fieldsOf, hasOwnKey } from '../evm/signer-keys.ts';
import { type FamilyChain, tokenOf } from './tokens.ts';

/** What was asked for, held against what would be signed: a transfer, or a change of signers. */

export interface CompareContext {
  readonly chain: FamilyChain;
  readonly isReviewed: boolean;
  /** @throws TypeError */
  readonly signerIdOf: (signer: unknown) => string | undefined;
}

type Wanted = Exclude<Asked, { kind: 'calls' }>;
type Addition = Extract<Asked, { kind: 'add-signer' }>['body'];

export function differs(what: string): ApprovalRefusedError {
  return new ApprovalRefusedError(
    'asked',
    `the service wants something else signed than was asked for: ${what}.`,
  );
}

/** @throws ApprovalRefusedError unless somebody looks at it */
export function uncertain({ isReviewed }: Pick<CompareContext, 'isReviewed'>, why: string): void {
  if (!isReviewed)
    throw new ApprovalRefusedError(
      'not-comparable',
      `${why} Give a \`review\` that looks at what is signed.`,
    );
}

/**
 * The one call that does what was asked for. Gives the calls back, with amount and symbol of test
 * money as asked.
 * @throws ApprovalRefusedError
 */
export function requireWanted(
  asked: Wanted,
  calls: readonly ReviewedCall[],
  context: CompareContext,
): readonly ReviewedCall[] {
  const [only, ...more] = calls;
  if (!only || more.length > 0) throw differs(`${calls.length} calls, where one is needed`);
  if (asked.kind === 'transfer') return [requireTransfer(asked, only, context)];
  if (asked.kind === 'remove-signer') {
    if (only.kind !== 'remove-signer') throw differs(`a call of kind ${only.kind}`);
    requireSigner(asked.signer, only.signerId, context);
  } else requireAddition(asked.body, only, context);
  return calls;
}

function requireTransfer(
  { tokenLocator, body }: Extract<Asked, { kind: 'transfer' }>,
  call: ReviewedCall,
  context: CompareContext,
): ReviewedCall {
  const { chain } = context;
  if (tokenLocator.split(':', 1)[0] !== chain.name)
    throw new ApprovalRefusedError(
      'chain',
      `it is for ${chain.name}, and ${tokenLocator.split(':', 1)[0]} was asked for.`,
    );
  if (call.kind !== 'transfer') throw differs(`a call of kind ${call.kind}`);
  const named = readToken(tokenLocator, context);
  if (named) {
    requireSameToken(named, call.token.address);
    requireAmount(body.amount, call, named, context);
  }
  if (!chain.isAddress(body.recipient))
    uncertain(context, 'whose address the recipient has, only the service knows.');
  else if (body.recipient !== call.recipient) throw differs(`a transfer to ${call.recipient}`);
  requireNumber(call.recipientNumber, body.memo);
  if (!named?.isAnyTestToken || body.amount === undefined) return call;
  return { ...call, token: { ...call.token, symbol: testTokenSymbol }, amount: body.amount };
}

/**
 * A customer of the recipient, by the memo that was asked for: what is signed has room for a number
 * alone.
 * @throws ApprovalRefusedError
 */
export function requireNumber(found: string | undefined, memo: unknown): void {
  const { type, value } = (memo ?? {}) as Readonly<Record<string, unknown>>;
  if (type !== undefined && type !== 'id')
    throw differs(`without the memo of type ${String(type)}, which cannot stand in it`);
  const wanted = type === 'id' ? String(value) : undefined;
  if (found !== wanted) throw differs(`to the number ${found ?? '(none)'} of the recipient`);
}

function readToken(locator: string, context: CompareContext): NamedToken | undefined {
  try {
    return tokenOf(context.chain, locator);
  } catch (error) {
    if (!(error instanceof ApprovalRefusedError)) throw error;
    uncertain(context, error.message);
    return undefined;
  }
}

function requireSameToken(
  { token, isAnyTestToken }: NamedToken,
  address: string | undefined,
): void {
  if (isAnyTestToken ? address !== undefined : address === token.address) return;
  throw differs(address === undefined ? 'the native money' : `the token ${address}`);
}

/** Test money may have any decimals: it is worth nothing, and each instance has its own. */
const testDecimalsMax = 36;

function requireAmount(
  amount: string | undefined,
  {
    amountMinor,
    token,
  }: { readonly amountMinor: string; readonly token: { readonly decimals?: number } },
  named: NamedToken,
  context: CompareContext,
): void {
  const decimals = named.token.decimals ?? token.decimals;
  const minor = BigInt(amountMinor);
  if (decimals !== undefined) {
    if (smallestUnits(amount, decimals) !== minor)
      throw differs(`${minor} of the smallest unit, and not ${amount}`);
  } else if (context.chain.isTest) {
    const fitting = Array.from({ length: testDecimalsMax + 1 }, (_, places) =>
      smallestUnits(amount, places),
    );
    if (!fitting.includes(minor)) throw differs(`${minor} of the smallest unit, and not ${amount}`);
  } else
    uncertain(
      context,
      `this client does not know the decimals of ${named.token.address}: give createPurser its \`tokens\`.`,
    );
}

/** Undefined where only the service knows the key. */
function idOf(signer: unknown, { signerIdOf }: CompareContext): string | undefined {
  try {
    return signerIdOf(signer);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** A key that the service keeps is in its hands whatever is signed. @throws ApprovalRefusedError */
function requireSigner(signer: unknown, signerId: string, context: CompareContext): void {
  const id = idOf(signer, context);
  if (id === undefined && hasOwnKey(signer))
    uncertain(context, `the key of this ${String(fieldsOf(signer)['type'])} is not known here.`);
  if (id !== undefined && id !== signerId) throw differs('another signer');
}

function requireAddition(body: Addition, call: ReviewedCall, context: CompareContext): void {
  const { signer } = body;
  const { expiresAt, scopes = [] } = { ...(fieldsOf(signer) as Partial<Addition>), ...body };
  if (call.kind !== 'add-signer') throw differs(`a call of kind ${call.kind}`);
  requireSigner(signer, call.signerId, context);
  const until =
    expiresAt === undefined ? undefined : Math.floor(Date.parse(expiresAt) / 1000) * 1000;
  if (until !== call.expiresAt?.getTime())
    throw differs(`a signer that ends ${call.expiresAt?.toISOString() ?? 'never'}`);
  if (scopes.length !== call.scopes.length)
    throw differs(`a signer with ${call.scopes.length} scopes`);
  scopes.forEach(({ tokenLocator, recipients = [], spendingLimit }, index) => {
    const scope = call.scopes[index]!;
    const named = readToken(tokenLocator, context);
    if (named) requireSameToken(named, scope.token.address);
    const sorted = (list: readonly string[]) => [...new Set(list)].sort().join();
    const known = recipients.filter(context.chain.isAddress);
    if (known.length !== recipients.length)
      uncertain(context, 'whose address a recipient has, only the service knows.');
    else if (sorted(recipients) !== sorted(scope.recipients ?? []))
      throw differs('a signer with other recipients');
    if ((spendingLimit === undefined) !== (scope.limitMinor === undefined))
      throw differs('a signer with another limit');
    if (!spendingLimit) return;
    if ((spendingLimit.interval ?? 0) !== (scope.intervalSeconds ?? 0))
      throw differs('a signer with another interval');
    if (named)
      requireAmount(
        spendingLimit.amount,
        { amountMinor: scope.limitMinor!, token: scope.token },
        named,
        context,
      );
  });
}
