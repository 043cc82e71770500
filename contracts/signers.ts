/**
 * Signers as the contracts know them: keys and their ids, how they are registered with a wallet,
 * what they may spend, and the proofs that they signed.
 */
import {
  type Address,
  concatHex,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  hexToBigInt,
  hexToNumber,
  isAddressEqual,
  keccak256,
  type Log,
  numberToHex,
  pad,
  parseEventLogs,
  size,
  slice,
  zeroAddress,
} from 'viem';
import { addresses, walletModuleAbi } from './generated.ts';

/**
 * What a signer is. Coordinates are of the curve P-256. Members of a quorum stand in any order
 * here.
 */
export type SignerKey =
  | { readonly kind: 'ecdsa'; readonly address: Address }
  | { readonly kind: 'p256'; readonly x: bigint; readonly y: bigint }
  | {
      readonly kind: 'webauthn';
      readonly x: bigint;
      readonly y: bigint;
      readonly requireUserVerification: boolean;
    }
  | { readonly kind: 'quorum'; readonly threshold: number; readonly members: readonly SignerKey[] };

/**
 * That a signer signed a hash; `r` and `s` are of P-256, and the mirrored form of `s` is put right.
 */
export type SignerProof =
  | {
      readonly kind: 'ecdsa';
      /**
       * 65 bytes r, s, v; for `contract`, whatever the contract at the address takes (ERC-1271).
       */
      readonly signature: Hex;
      readonly scheme: 'eip712' | 'eip191' | 'contract';
    }
  | { readonly kind: 'p256'; readonly r: bigint; readonly s: bigint }
  | {
      readonly kind: 'webauthn';
      readonly authenticatorData: Hex;
      readonly clientDataJSON: string;
      /** Where `"challenge":"` starts in the client data. */
      readonly challengeIndex: number;
      /** Where `"type":"` starts in the client data. */
      readonly typeIndex: number;
      readonly r: bigint;
      readonly s: bigint;
    }
  | {
      readonly kind: 'quorum';
      readonly members: readonly { readonly key: SignerKey; readonly proof: SignerProof }[];
    };

/** Plain transfers of one token. */
export interface TransferScopeInput {
  /** The zero address: the chain's own currency. */
  readonly token: Address;
  /** Absent: to anybody. */
  readonly recipients?: readonly Address[];
  /** Smallest unit, per `interval` seconds. Absent: without a limit. */
  readonly limit?: bigint;
  /** Seconds; absent or 0: the limit is for ever. */
  readonly interval?: number;
}

export interface DelegateInput {
  /** A key, or the id of one. */
  readonly signer: SignerKey | Hex;
  /** Seconds, inclusive. Absent: from the beginning. */
  readonly validAfter?: number;
  /** Seconds, inclusive. Absent: for ever. */
  readonly validUntil?: number;
  /** Empty: everything but managing the wallet. */
  readonly scopes: readonly TransferScopeInput[];
}

const kinds = { ecdsa: 1, p256: 2, webauthn: 3, quorum: 4 } as const;
const quorumDepthMax = 3;
const membersMax = 255;
export const scopesMax = 255;
export const recipientsMax = 65_535;
/** The greatest amount that a limit can be; one more than that means none. */
export const limitMax = 2n ** 112n - 2n;
const unlimited = 2n ** 112n - 1n;
const intervalMax = 2 ** 32 - 1;
const forever = 2 ** 48 - 1;
const p256Order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * Kind and key as ids are made of and proofs start with.
 * @throws Error when a quorum is empty, too deep, has a threshold it cannot reach, or names a key
 * twice
 */
export function encodeSignerKey(key: SignerKey): Hex {
  return encodeKey(key, 0);
}

function encodeKey(key: SignerKey, depth: number): Hex {
  const kind = numberToHex(kinds[key.kind], { size: 1 });
  if (key.kind === 'ecdsa')
    return concatHex([kind, pad(key.address, { size: 20 })]).toLowerCase() as Hex;
  if (key.kind === 'p256') return concatHex([kind, wordOf(key.x), wordOf(key.y)]);
  if (key.kind === 'webauthn')
    return concatHex([
      kind,
      wordOf(key.x),
      wordOf(key.y),
      key.requireUserVerification ? '0x01' : '0x00',
    ]);
  requireQuorum(key, depth);
  const ids = key.members.map((member) => idOf(member, depth + 1)).sort();
  return concatHex([
    kind,
    numberToHex(key.threshold, { size: 1 }),
    numberToHex(ids.length, { size: 1 }),
    ...ids,
  ]);
}

function requireQuorum(
  { threshold, members }: Extract<SignerKey, { kind: 'quorum' }>,
  depth: number,
): void {
  if (depth >= quorumDepthMax)
    throw new Error(`Quorums can stand ${quorumDepthMax} deep in each other.`);
  if (members.length === 0 || members.length > membersMax)
    throw new Error(`A quorum has 1 to ${membersMax} members.`);
  if (!Number.isInteger(threshold) || threshold < 1 || threshold > members.length)
    throw new Error('The threshold of a quorum must be between 1 and the number of its members.');
  // One key pair as a device and as a passkey, or with and without user verification, is still one
  // person.
  const persons = members.map((member) =>
    member.kind === 'p256' || member.kind === 'webauthn'
      ? `${member.x},${member.y}`
      : idOf(member, depth + 1),
  );
  if (new Set(persons).size !== members.length) throw new Error('A quorum names a member twice.');
}

function idOf(key: SignerKey, depth: number): Hex {
  return keccak256(encodeKey(key, depth));
}

/**
 * The id a signer is registered under, the same for every wallet and chain.
 * @throws Error as {@link encodeSignerKey}
 */
export function signerIdOf(key: SignerKey): Hex {
  return idOf(key, 0);
}

const cloneHead = '0x61004d3d81600a3d39f3363d3d373d3d3d363d73';
const cloneTail = '0x5af43d82803e903d91602b57fd5bf3';

/**
 * Where the contract stands that lets a signer own wallets: the same on every chain, deployed or
 * not.
 */
export function ownerAddressOf(signer: SignerKey | Hex): Address {
  return getContractAddress({
    opcode: 'CREATE2',
    from: addresses.signerOwnerFactory,
    salt: pad('0x00'),
    bytecode: concatHex([cloneHead, addresses.signerOwner, cloneTail, readSignerId(signer)]),
  });
}

/**
 * A nonce of a delegate's operation: the first 24 bytes of its id, then any 64-bit number it has
 * not used.
 */
export function delegateNonce(signer: SignerKey | Hex, sequence: bigint): bigint {
  return ((hexToBigInt(readSignerId(signer)) >> 64n) << 64n) | (sequence & (2n ** 64n - 1n));
}

/**
 * The call with which the wallet registers a delegate at the module, or replaces one.
 * @param generation of the signer as it stands: the call reverts when it was registered or removed
 * since
 * @throws Error when a number does not fit
 */
export function encodeAddSigner(delegate: DelegateInput, generation = 0): Hex {
  const { signerId, validAfter, validUntil, scopes } = delegateArguments(delegate);
  return encodeFunctionData({
    abi: walletModuleAbi,
    functionName: 'addSigner',
    args: [signerId, generation, validAfter, validUntil, scopes],
  });
}

/**
 * The call with which the wallet ends everything that was signed for it so far, and all its
 * delegates.
 */
export function encodeBumpEpoch(): Hex {
  return encodeFunctionData({ abi: walletModuleAbi, functionName: 'bumpEpoch' });
}

/** The call with which anybody does the same for a wallet that disabled the module. */
export function encodeBumpEpochOf(wallet: Address): Hex {
  return encodeFunctionData({ abi: walletModuleAbi, functionName: 'bumpEpochOf', args: [wallet] });
}

/**
 * What an operation names as its epoch: how often the wallet ended what was signed, then the
 * generation of a delegate.
 */
export function operationEpoch(walletEpoch: number, generation = 0): bigint {
  return (BigInt(walletEpoch) << 32n) | BigInt(generation);
}

/**
 * The call with which the wallet takes a delegate's permission away; it reverts when there is none.
 */
export function encodeRemoveSigner(signer: SignerKey | Hex): Hex {
  return encodeFunctionData({
    abi: walletModuleAbi,
    functionName: 'removeSigner',
    args: [readSignerId(signer)],
  });
}

/**
 * A delegate in the form of the contracts.
 * @throws Error when a number does not fit, or an empty list would mean everybody
 */
export function delegateArguments({
  signer,
  validAfter = 0,
  validUntil = forever,
  scopes,
}: DelegateInput) {
  if (validAfter > validUntil || validAfter < 0 || validUntil > forever)
    throw new Error('A signer must be valid at some time.');
  if (scopes.length > scopesMax) throw new Error(`A signer has at most ${scopesMax} scopes.`);
  return {
    signerId: readSignerId(signer),
    validAfter,
    validUntil,
    scopes: scopes.map(scopeArguments),
  };
}

function scopeArguments({ token, recipients, limit, interval = 0 }: TransferScopeInput) {
  if (recipients && (recipients.length === 0 || recipients.length > recipientsMax))
    throw new Error(
      `A list of recipients has 1 to ${recipientsMax} addresses; without a list, everybody may receive.`,
    );
  if (limit !== undefined && (limit < 0n || limit > limitMax))
    throw new Error('The spending limit does not fit into 112 bits.');
  if (!Number.isInteger(interval) || interval < 0 || interval > intervalMax)
    throw new Error('The interval does not fit into 32 bits.');
  if (isAddressEqual(token, addresses.walletModule)) throw new Error('The module is not a token.');
  const unique = [
    ...new Map(
      (recipients ?? []).map((recipient) => [recipient.toLowerCase(), recipient]),
    ).values(),
  ];
  return { token, limit: limit ?? unlimited, interval, recipients: unique };
}

/**
 * That the signer signed, as the verifier takes it.
 * @throws Error when the proof is not of this key's kind, or of too few members
 */
export function encodeProof(key: SignerKey, proof: SignerProof): Hex {
  return encodeProofAt(key, proof, 0);
}

function encodeProofAt(key: SignerKey, proof: SignerProof, depth: number): Hex {
  const head = encodeKey(key, depth);
  if (proof.kind === 'ecdsa' && key.kind === 'ecdsa') return concatHex([head, encodeEcdsa(proof)]);
  if (proof.kind === 'p256' && key.kind === 'p256')
    return concatHex([head, wordOf(proof.r), wordOf(lowS(proof.s))]);
  if (proof.kind === 'webauthn' && key.kind === 'webauthn')
    return concatHex([head, encodeWebAuthn(proof)]);
  if (proof.kind === 'quorum' && key.kind === 'quorum')
    return concatHex([head, encodeMembers(key, proof, depth)]);
  throw new Error(`A proof of kind ${proof.kind} cannot be of a signer of kind ${key.kind}.`);
}

function encodeEcdsa({ signature, scheme }: Extract<SignerProof, { kind: 'ecdsa' }>): Hex {
  return scheme === 'contract' ? signature : withRecovery(signature, scheme);
}

/**
 * r, s, v with the mark of EIP-191: v + 4. Some signers give the parity instead of v.
 * @throws Error when the signature is not 65 bytes
 */
export function withRecovery(signature: Hex, scheme: 'eip712' | 'eip191'): Hex {
  if (size(signature) !== 65) throw new Error('A signature of an owner has 65 bytes: r, s, v.');
  const v = hexToNumber(slice(signature, 64));
  const recovery = (v < 27 ? v + 27 : v) + (scheme === 'eip191' ? 4 : 0);
  return concatHex([slice(signature, 0, 64), numberToHex(recovery, { size: 1 })]);
}

function encodeWebAuthn(proof: Extract<SignerProof, { kind: 'webauthn' }>): Hex {
  return encodeAbiParameters(
    [
      { type: 'bytes32' },
      { type: 'bytes32' },
      { type: 'uint256' },
      { type: 'uint256' },
      { type: 'bytes' },
      { type: 'string' },
    ],
    [
      wordOf(proof.r),
      wordOf(lowS(proof.s)),
      BigInt(proof.challengeIndex),
      BigInt(proof.typeIndex),
      proof.authenticatorData,
      proof.clientDataJSON,
    ],
  );
}

/** As many as the threshold says, in the order of their ids, each at most once. */
function encodeMembers(
  quorum: Extract<SignerKey, { kind: 'quorum' }>,
  { members }: Extract<SignerProof, { kind: 'quorum' }>,
  depth: number,
): Hex {
  const ids = quorum.members.map((member) => idOf(member, depth + 1)).sort();
  const byIndex = new Map(
    members.map(({ key, proof }) => [ids.indexOf(idOf(key, depth + 1)), { key, proof }]),
  );
  if (byIndex.has(-1)) throw new Error('A proof is of somebody who is no member of the quorum.');
  if (byIndex.size < quorum.threshold)
    throw new Error(`${quorum.threshold} members must sign, and ${byIndex.size} did.`);
  const parts = [...byIndex]
    .sort(([a], [b]) => a - b)
    .slice(0, quorum.threshold)
    .map(([index, { key, proof }]) => {
      const encoded = encodeProofAt(key, proof, depth + 1);
      return concatHex([
        numberToHex(index, { size: 1 }),
        numberToHex(size(encoded), { size: 3 }),
        encoded,
      ]);
    });
  return concatHex(parts);
}

/**
 * The signature of a delegate, for `WalletModule.execute`, and without scopes for
 * `isValidSignature` of the wallet.
 * @param input `scopeIndexes`: for a signer with scopes, which of them each call falls under
 * @throws Error as {@link encodeProof}
 */
export function encodeDelegateSignature(input: {
  readonly key: SignerKey;
  readonly scopeIndexes?: readonly number[];
  readonly proof: SignerProof;
}): Hex {
  const indexes = input.scopeIndexes ?? [];
  return concatHex([
    signerIdOf(input.key),
    numberToHex(indexes.length, { size: 1 }),
    encodeScopeIndexes(indexes),
    encodeProof(input.key, input.proof),
  ]);
}

/** `scopeIndexes` of `simulateAs`: a byte per call. */
export function encodeScopeIndexes(indexes: readonly number[]): Hex {
  return concatHex(indexes.map((index) => numberToHex(index, { size: 1 })));
}

/**
 * How a wallet's signer is registered. Read `active` first: the rest means nothing when it is
 * false.
 */
export interface SignerState {
  readonly active: boolean;
  readonly validAfter: number;
  readonly validUntil: number;
  /** Counts registrations and removals of this id at this wallet. */
  readonly generation: number;
  /** The wallet's when it was registered: it counts only in that one. */
  readonly epoch: number;
  readonly scopes: readonly ScopeState[];
}

export interface ScopeState {
  readonly token: Address;
  /** Absent: without a limit. */
  readonly limit?: bigint;
  /** Seconds; 0: for ever. */
  readonly interval: number;
  /** 0: to anybody. Which they are, `encodeAreRecipients` asks. */
  readonly recipientCount: number;
  /** What may be spent now; absent without a limit. */
  readonly available?: bigint;
  /**
   * The second from which the whole limit is there again; absent when it is now, or never will be.
   */
  readonly windowEnd?: number;
}

/** The call of the module that {@link decodeSignerOf} reads the answer of. */
export function encodeSignerOf(wallet: Address, signer: SignerKey | Hex): Hex {
  return encodeFunctionData({
    abi: walletModuleAbi,
    functionName: 'signerOf',
    args: [wallet, readSignerId(signer)],
  });
}

/** The truth about a signer, out of the answer to {@link encodeSignerOf}. */
export function decodeSignerOf(data: Hex): SignerState {
  const [signer, scopes] = decodeFunctionResult({
    abi: walletModuleAbi,
    functionName: 'signerOf',
    data,
  });
  return {
    active: signer.active,
    validAfter: signer.validAfter,
    validUntil: signer.validUntil,
    generation: signer.generation,
    epoch: signer.epoch,
    scopes: scopes.map(({ token, limit, interval, recipientCount, available, windowEnd }) => ({
      token,
      interval,
      recipientCount,
      ...(limit !== unlimited && { limit, available }),
      ...(windowEnd !== 0n && windowEnd < BigInt(forever) && { windowEnd: Number(windowEnd) }),
    })),
  };
}

/**
 * The call of the module that answers whether a scope's list has all of these; with
 * `recipientCount`, whether it is the same list.
 */
export function encodeAreRecipients(
  wallet: Address,
  signer: SignerKey | Hex,
  scopeIndex: number,
  recipients: readonly Address[],
): Hex {
  return encodeFunctionData({
    abi: walletModuleAbi,
    functionName: 'areRecipients',
    args: [wallet, readSignerId(signer), BigInt(scopeIndex), recipients],
  });
}

/** Registrations, removals and ends of all of them in logs of the module, in their order. */
export function parseSignerEvents(logs: Log[]) {
  const own = logs.filter((log) => isAddressEqual(log.address, addresses.walletModule));
  return parseEventLogs({
    abi: walletModuleAbi,
    eventName: ['SignerAdded', 'SignerRemoved', 'EpochRaised'],
    logs: own,
  });
}

function readSignerId(signer: SignerKey | Hex): Hex {
  if (typeof signer !== 'string') return signerIdOf(signer);
  if (size(signer) !== 32 || hexToBigInt(signer) === 0n)
    throw new Error('A signer id has 32 bytes and is not zero.');
  return signer;
}

function wordOf(value: bigint): Hex {
  return numberToHex(value, { size: 32 });
}

/** Of the two signatures that verify, the one the contracts take. */
function lowS(s: bigint): bigint {
  return s > p256Order / 2n ? p256Order - s : s;
}

/** The token of a scope that is for the chain's own currency. */
export const nativeToken: Address = zeroAddress;
