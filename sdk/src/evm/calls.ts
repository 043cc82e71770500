import { createReader, encodeParameters, encodeWord, type Parameter, typeOf } from './abi.ts';
import { type Chain, type KnownToken, type ReviewedToken, tokenAt, wholeUnits } from './chains.ts';
import { contracts, functions } from './constants.ts';
import { checksumAddress, type Hex, isAddress, isSameAddress, selectorOf } from './hash.ts';
import { encodeCall } from './wallet-address.ts';

/** A call that a wallet makes. Amounts are decimal text. */
export interface Call {
  readonly to: Hex;
  readonly value: bigint;
  readonly data: Hex;
}

export interface ReviewedScope {
  readonly token: ReviewedToken;
  /** Per interval; absent: without a limit. */
  readonly limitMinor?: string;
  /** The same in whole tokens, where the token is known. */
  readonly limit?: string;
  /** Seconds after which the limit is there anew; absent: never. */
  readonly intervalSeconds?: number;
  /** Absent: to anybody. */
  readonly recipients?: readonly string[];
}

/** What a call does, as far as it can be told from its calldata. */
export type ReviewedCall =
  | {
      readonly kind: 'transfer';
      readonly token: ReviewedToken;
      readonly amountMinor: string;
      /** In whole tokens, where the token is known. */
      readonly amount?: string;
      readonly recipient: string;
      /** Solana: the recipient is a token account, and what is signed does not say whose. */
      readonly isTokenAccount?: true;
      /** Stellar: the number of a customer of the recipient, where it stands in its address. */
      readonly recipientNumber?: string;
    }
  | {
      readonly kind: 'transfer-item';
      readonly collection: string;
      readonly tokenId: string;
      readonly amount: string;
      readonly from: string;
      readonly recipient: string;
    }
  /** Lets `spender` take up to so much. */
  | {
      readonly kind: 'approve';
      readonly token: ReviewedToken;
      readonly amountMinor: string;
      readonly amount?: string;
      readonly spender: string;
    }
  /** A delegated signer: without scopes it may do everything but manage the wallet. */
  | {
      readonly kind: 'add-signer';
      readonly signerId: string;
      readonly validFrom?: Date;
      readonly expiresAt?: Date;
      readonly scopes: readonly ReviewedScope[];
    }
  | { readonly kind: 'remove-signer'; readonly signerId: string }
  /** Ends everything that was signed so far, and all delegated signers. */
  | { readonly kind: 'end-all-signed' }
  | { readonly kind: 'cancel'; readonly nonce: string }
  /**
   * A function of the wallet itself: owners, modules, handlers. Whoever signs it may hand the
   * wallet over.
   */
  | { readonly kind: 'manage-wallet'; readonly functionName?: string; readonly data: string }
  | {
      readonly kind: 'call';
      readonly to: string;
      /** Of EVM; elsewhere "0". */
      readonly valueWei: string;
      readonly data: string;
      /** Of Solana: whose accounts the program is given. Of Stellar: the arguments. */
      readonly inputs?: readonly string[];
    };

const transfer = 'transfer(address,uint256)';
const approve = 'approve(address,uint256)';
const itemTransfer = 'safeTransferFrom(address,address,uint256)';
const itemsTransfer = 'safeTransferFrom(address,address,uint256,uint256,bytes)';
const managing = [
  'enableModule(address)',
  'disableModule(address,address)',
  'addOwnerWithThreshold(address,uint256)',
  'removeOwner(address,address,uint256)',
  'swapOwner(address,address,address)',
  'changeThreshold(uint256)',
  'setFallbackHandler(address)',
  'setGuard(address)',
];
const unlimited = 2n ** 112n - 1n;
const forever = 2n ** 48n - 1n;
const scopesMax = 255;
const recipientsMax = 65_535;

export interface DecodeContext {
  readonly chain: Chain;
  readonly wallet: string;
  readonly tokens: readonly KnownToken[];
}

/** Reads a call; what is not exactly one of the known ones stays a `call`. */
export function reviewCall(call: Call, context: DecodeContext): ReviewedCall {
  const raw = {
    kind: 'call',
    to: checksumAddress(call.to),
    valueWei: call.value.toString(),
    data: call.data,
  } as const;
  if (isSameAddress(call.to, contracts.walletModule))
    return (call.value === 0n && tryTo(() => reviewModuleCall(call.data, context))) || raw;
  if (call.data === '0x')
    return {
      kind: 'transfer',
      ...amountOf(context, undefined, call.value),
      recipient: checksumAddress(call.to),
    };
  if (isSameAddress(call.to, context.wallet)) {
    const functionName = managing
      .find((signature) => call.data.startsWith(selectorOf(signature)))
      ?.split('(')[0];
    return {
      kind: 'manage-wallet',
      ...(functionName === undefined ? {} : { functionName }),
      data: call.data,
    };
  }
  return (call.value === 0n && tryTo(() => reviewTokenCall(call, context))) || raw;
}

function tryTo<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** The calldata is this function's with these arguments, and nothing else. */
function requireExactly(data: string, signature: string, args: readonly unknown[]): void {
  if (encodeCall(signature, args) !== data)
    throw new TypeError('the calldata is not written in the usual way');
}

function reviewTokenCall({ to, data }: Call, context: DecodeContext): ReviewedCall | undefined {
  const read = createReader(data);
  const token = checksumAddress(to);
  switch (data.slice(0, 10)) {
    case selectorOf(transfer):
      requireExactly(data, transfer, [read.address(0), read.integer(32)]);
      return {
        kind: 'transfer',
        ...amountOf(context, token, read.integer(32)),
        recipient: checksumAddress(read.address(0)),
      };
    case selectorOf(approve):
      requireExactly(data, approve, [read.address(0), read.integer(32)]);
      return {
        kind: 'approve',
        ...amountOf(context, token, read.integer(32)),
        spender: checksumAddress(read.address(0)),
      };
    case selectorOf(itemTransfer):
      requireExactly(data, itemTransfer, [read.address(0), read.address(32), read.integer(64)]);
      return { ...item(token, read), amount: '1' };
    case selectorOf(itemsTransfer):
      requireExactly(data, itemsTransfer, [
        read.address(0),
        read.address(32),
        read.integer(64),
        read.integer(96),
        '0x',
      ]);
      return { ...item(token, read), amount: read.integer(96).toString() };
    default:
      return undefined;
  }
}

function item(collection: string, read: ReturnType<typeof createReader>) {
  return {
    kind: 'transfer-item',
    collection,
    tokenId: read.integer(64).toString(),
    from: checksumAddress(read.address(0)),
    recipient: checksumAddress(read.address(32)),
  } as const;
}

function amountOf(
  { chain, tokens }: DecodeContext,
  address: string | undefined,
  amountMinor: bigint,
) {
  const token = tokenAt(chain, address, tokens);
  const { decimals } = token;
  return {
    token,
    amountMinor: amountMinor.toString(),
    ...(decimals === undefined ? {} : { amount: wholeUnits(amountMinor, decimals) }),
  };
}

function reviewModuleCall(data: Hex, context: DecodeContext): ReviewedCall | undefined {
  const read = createReader(data);
  switch (data.slice(0, 10)) {
    case selectorOf(functions.removeSigner):
      requireExactly(data, functions.removeSigner, [read.hex(0)]);
      return { kind: 'remove-signer', signerId: read.hex(0) };
    case selectorOf(functions.bumpEpoch):
      requireExactly(data, functions.bumpEpoch, []);
      return { kind: 'end-all-signed' };
    case selectorOf(functions.cancelNonce):
      requireExactly(data, functions.cancelNonce, [read.integer(0)]);
      return { kind: 'cancel', nonce: read.integer(0).toString() };
    case selectorOf(functions.addSigner):
      return reviewAddition(data, context);
    default:
      return undefined;
  }
}

function reviewAddition(data: Hex, context: DecodeContext): ReviewedCall {
  const read = createReader(data);
  const [signerId, generation, validAfter, validUntil] = [
    read.hex(0),
    read.integer(32),
    read.integer(64),
    read.integer(96),
  ];
  const scopes = listAt(read, read.number(128), scopesMax).map((at) => ({
    token: read.address(at),
    limit: read.integer(at + 32),
    interval: read.integer(at + 64),
    recipients: wordsAt(read, at + read.number(at + 96), recipientsMax),
  }));
  const args = scopes.map(({ token, limit, interval, recipients }) => [
    token,
    limit,
    interval,
    recipients,
  ]);
  requireExactly(data, functions.addSigner, [signerId, generation, validAfter, validUntil, args]);
  return {
    kind: 'add-signer',
    signerId,
    ...(validAfter === 0n ? {} : { validFrom: dateOf(validAfter) }),
    ...(validUntil === forever ? {} : { expiresAt: dateOf(validUntil) }),
    scopes: scopes.map(({ token, limit, interval, recipients }) => {
      const {
        amountMinor,
        amount,
        token: shown,
      } = amountOf(context, /^0x0{40}$/.test(token) ? undefined : checksumAddress(token), limit);
      return {
        token: shown,
        ...(limit === unlimited
          ? {}
          : { limitMinor: amountMinor, ...(amount === undefined ? {} : { limit: amount }) }),
        ...(interval === 0n ? {} : { intervalSeconds: Number(interval) }),
        ...(recipients.length === 0 ? {} : { recipients: recipients.map(checksumAddress) }),
      };
    }),
  };
}

type Reader = ReturnType<typeof createReader>;

/** Where the entries of a list of tuples begin. */
function listAt(read: Reader, at: number, max: number): number[] {
  return Array.from(
    { length: lengthAt(read, at, max) },
    (_, index) => at + 32 + read.number(at + 32 + 32 * index),
  );
}

function wordsAt(read: Reader, at: number, max: number): Hex[] {
  return Array.from({ length: lengthAt(read, at, max) }, (_, index) =>
    read.address(at + 32 + 32 * index),
  );
}

function lengthAt(read: Reader, at: number, max: number): number {
  const length = read.number(at);
  if (length > max) throw new TypeError('a list is too long');
  return length;
}

function dateOf(seconds: bigint): Date {
  return new Date(Number(seconds) * 1000);
}

/**
 * A call as the caller asked for it.
 * @throws TypeError when its calldata cannot be told here: a serialised transaction, an ambiguous
 * function
 */
export function callOfAsked(input: unknown): Call {
  const {
    to,
    address,
    functionName,
    abi,
    args = [],
    value = '0',
    data = '0x',
  } = (input ?? {}) as Record<string, unknown>;
  const amount = BigInt(`0x${encodeWord('uint256', value)}`);
  if (isAddress(to) && functionName === undefined && typeof data === 'string')
    return { to: to.toLowerCase() as Hex, value: amount, data: data.toLowerCase() as Hex };
  if (
    !isAddress(address) ||
    typeof functionName !== 'string' ||
    !Array.isArray(abi) ||
    !Array.isArray(args)
  )
    throw new TypeError('a call is of another form');
  const name = functionName.split('(')[0];
  const signatures = new Map(
    (abi as readonly { type?: unknown; name?: unknown; inputs?: readonly Parameter[] }[])
      .filter(
        (entry) =>
          entry.type === 'function' &&
          entry.name === name &&
          (entry.inputs ?? []).length === args.length,
      )
      .map(({ inputs = [] }) => [`${name}(${inputs.map(typeOf).join(',')})`, inputs] as const)
      .filter(
        ([signature]) =>
          !functionName.includes('(') || signature === functionName.replaceAll(' ', ''),
      ),
  );
  const [found, ...more] = signatures;
  if (!found || more.length > 0)
    throw new TypeError(
      `the abi has not exactly one function "${functionName}" with these arguments`,
    );
  const [signature, inputs] = found;
  return {
    to: address.toLowerCase() as Hex,
    value: amount,
    data: `${selectorOf(signature)}${encodeParameters(inputs, args)}`,
  };
}
