import { hexOfBytes } from '../bytes.ts';
import type { ReviewedCall, ReviewedScope } from '../evm/calls.ts';
import { wholeUnits } from '../evm/chains.ts';
import { type FamilyChain, tokenAt } from '../family/tokens.ts';
import { type Invocation, sayValue, type Value } from './preimage.ts';
import { encodeAddress } from './strkey.ts';

/** What a call that the wallet authorises does. */

export interface CallContext {
  readonly chain: FamilyChain;
  readonly wallet: string;
}

/** Reads one; what is not exactly one of the known ones stays a `call`. */
export function reviewInvocation(one: Invocation, context: CallContext): ReviewedCall {
  const known =
    one.contract === context.wallet ? reviewOwn(one, context) : reviewToken(one, context);
  return (
    known ?? {
      kind: 'call',
      to: one.contract,
      valueWei: '0',
      data: one.method,
      inputs: one.args.map(sayValue),
    }
  );
}

/** Calls of tokens (SEP-41). */
function reviewToken(
  { contract, method, args }: Invocation,
  { chain, wallet }: CallContext,
): ReviewedCall | undefined {
  const [from, to, amount, until] = args;
  if (from?.type !== 'address' || from.address !== wallet || from.number !== undefined)
    return undefined;
  if (to?.type !== 'address' || amount?.type !== 'integer' || amount.value < 0n) return undefined;
  const moved = amountOf(chain, contract, amount.value);
  const { address, number } = to;
  if (method === 'transfer' && args.length === 3)
    return {
      kind: 'transfer',
      ...moved,
      recipient: address,
      ...(number === undefined ? {} : { recipientNumber: number.toString() }),
    };
  const isApproval =
    method === 'approve' && args.length === 4 && until?.type === 'integer' && number === undefined;
  return isApproval ? { kind: 'approve', ...moved, spender: address } : undefined;
}

/** Calls of the wallet's own contract. @throws TypeError */
function reviewOwn({ method, args }: Invocation, { chain }: CallContext): ReviewedCall {
  const [key, , expiresAt, scopes] = args;
  switch (method) {
    case 'add_signer': {
      const end = integerOf(expiresAt);
      return {
        kind: 'add-signer',
        signerId: signerIdOfKey(key),
        ...(end === 0n ? {} : { expiresAt: new Date(Number(end - 1n) * 1000) }),
        scopes: itemsOf(scopes).map((scope) => reviewScope(scope, chain)),
      };
    }
    case 'remove_signer':
      return { kind: 'remove-signer', signerId: signerIdOfKey(key) };
    case 'bump_epoch':
      return { kind: 'end-all-signed' };
    default:
      return { kind: 'manage-wallet', functionName: method, data: args.map(sayValue).join(', ') };
  }
}

function reviewScope(value: Value, chain: FamilyChain): ReviewedScope {
  const [token, limit, interval, recipients] = itemsOf(value);
  const isLimited = limit?.type !== 'void';
  const {
    token: shown,
    amountMinor,
    amount,
  } = amountOf(chain, addressOf(token), isLimited ? integerOf(limit) : 0n);
  const seconds = integerOf(interval);
  const listed = itemsOf(recipients).map(addressOf);
  return {
    token: shown,
    ...(isLimited
      ? { limitMinor: amountMinor, ...(amount === undefined ? {} : { limit: amount }) }
      : {}),
    ...(seconds === 0n ? {} : { intervalSeconds: Number(seconds) }),
    ...(listed.length === 0 ? {} : { recipients: listed }),
  };
}

function amountOf(chain: FamilyChain, contract: string, amountMinor: bigint) {
  const token = tokenAt(chain, contract);
  const { decimals } = token;
  return {
    token,
    amountMinor: amountMinor.toString(),
    ...(decimals === undefined ? {} : { amount: wholeUnits(amountMinor, decimals) }),
  };
}

const strange = () => new TypeError('a call of the wallet itself is not written in the usual way');

function integerOf(value: Value | undefined): bigint {
  if (value?.type !== 'integer') throw strange();
  return value.value;
}

function itemsOf(value: Value | undefined): readonly Value[] {
  if (value?.type !== 'list') throw strange();
  return value.items;
}

function addressOf(value: Value | undefined): string {
  if (value?.type !== 'address' || value.number !== undefined) throw strange();
  return value.address;
}

/** Kind and key, as the contract keeps them. */
function signerIdOfKey(value: Value | undefined): string {
  if (value?.type !== 'bytes') throw strange();
  const [kind, ...key] = value.bytes;
  if (kind === 0 && key.length === 32) return encodeAddress('account', Uint8Array.from(key));
  if ((kind !== 1 && kind !== 2) || key.length !== 65) throw strange();
  return `${kind === 1 ? 'device' : 'passkey'}:${hexOfBytes(Uint8Array.from(key)).slice(2)}`;
}
