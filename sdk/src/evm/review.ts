import { bytesOfValue, integerOf } from './abi.ts';
import { type Call, type ReviewedCall, reviewCall } from './calls.ts';
import { type Chain, chainOf, type KnownToken } from './chains.ts';
import { contracts, operationDomain, operationTypes } from './constants.ts';
import { checksumAddress, type Hex, hashOfMessage, isAddress, isSameAddress } from './hash.ts';
import { ApprovalRefusedError, readOrRefuse } from './refusal.ts';
import { chainIdOf, hashTypedData, readTypedData, type TypedData } from './typed-data.ts';

/**
 * What is about to be signed, read by this client out of what is hashed, and not out of what the
 * service says about it.
 */
export type Review = OperationReview | MessageReview | TypedDataReview;

interface ReviewBase {
  /** Name of the chain. */
  readonly chain: string;
  readonly wallet: string;
  /** What signers sign. */
  readonly hash: string;
  /** EVM: the same as typed data, for wallets that show what they sign. */
  readonly signedTypedData?: TypedData;
  /** Solana and Stellar: what Ed25519 keys sign. */
  readonly signedBytes?: Uint8Array;
  /**
   * Stellar: what the signed bytes are the SHA-256 of, in base64: wallets are asked with it, and
   * show it.
   */
  readonly preimage?: string;
}

export interface OperationReview extends ReviewBase {
  readonly kind: 'operation';
  /** Run in order, all or none. */
  readonly calls: readonly ReviewedCall[];
  /** Until then it may be run, once. Absent on Stellar. */
  readonly validUntil?: Date;
  /**
   * Stellar: the last ledger in which it may be run. The network lets none be further away than
   * half a year.
   */
  readonly lastLedger?: number;
}

export interface MessageReview extends ReviewBase {
  readonly kind: 'message';
  readonly text: string;
}

export interface TypedDataReview extends ReviewBase {
  readonly kind: 'typed-data';
  readonly typedData: TypedData;
  /** `signer`: the key's own signature, which holds wherever the key counts. */
  readonly signedBy: 'wallet' | 'signer';
}

/** What a client knows, and takes from nobody. */
export interface Pins {
  readonly wallet: string;
  readonly isProduction: boolean;
  readonly tokens: readonly KnownToken[];
}

export interface ReadOperation {
  readonly review: OperationReview;
  readonly chain: Chain;
  readonly calls: readonly Call[];
}

/**
 * The operation of a transaction, or of a signature that registers a signer: its hash is computed
 * from the typed data with the wallet, the module and the chain that this client knows.
 * @throws ApprovalRefusedError
 */
export function readOperation(input: unknown, chainName: unknown, pins: Pins): ReadOperation {
  const chain = chainOf(chainName, pins.isProduction);
  const typedData = readOrRefuse(() => readTypedData(input));
  const { domain, message } = typedData;
  if (
    !isAddress(domain['verifyingContract']) ||
    !isSameAddress(domain['verifyingContract'], contracts.walletModule)
  )
    throw new ApprovalRefusedError(
      'module',
      `it is for the contract ${String(domain['verifyingContract']).slice(0, 60)}, not for the wallet module.`,
    );
  if (readOrRefuse(() => chainIdOf(typedData)) !== BigInt(chain.id))
    throw new ApprovalRefusedError(
      'chain',
      `it is for chain id ${String(domain['chainId']).slice(0, 40)}, and ${chain.name} has ${chain.id}.`,
    );
  if (!isAddress(message['wallet']) || !isSameAddress(message['wallet'], pins.wallet))
    throw new ApprovalRefusedError(
      'wallet',
      `it is for the wallet ${String(message['wallet']).slice(0, 60)}, not for ${pins.wallet}.`,
    );
  // Only what these types name is hashed and handed on: what stands beside it in the answer counts
  // for nothing.
  const calls = readOrRefuse(() => readCalls(message['calls']));
  const wallet = checksumAddress(pins.wallet);
  const signedTypedData: TypedData = {
    domain: { ...operationDomain, chainId: chain.id, verifyingContract: contracts.walletModule },
    types: { EIP712Domain: domainFields, ...operationTypes },
    primaryType: 'Operation',
    message: {
      wallet,
      calls: calls.map(({ to, value, data }) => ({ to, value: value.toString(), data })),
      ...Object.fromEntries(
        numbers.map((name) => [name, readOrRefuse(() => integerOf(message[name])).toString()]),
      ),
    },
  };
  const context = { chain, wallet, tokens: pins.tokens };
  const validUntil = Number(integerOf(message['validUntil'])) * 1000;
  // One that is kept back for years would run beside the one that is signed in its place. Test
  // networks have clocks of their own.
  if (!chain.isTest && validUntil > Date.now() + windowMaxMs)
    throw new ApprovalRefusedError(
      'asked',
      'it could be kept back for longer than a day, and run when nobody expects it.',
    );
  return {
    chain,
    calls,
    review: {
      kind: 'operation',
      chain: chain.name,
      wallet,
      hash: readOrRefuse(() => hashTypedData(signedTypedData)),
      signedTypedData,
      calls: calls.map((call) => reviewCall(call, context)),
      validUntil: new Date(validUntil),
    },
  };
}

/** What signers get to decide in, and an hour for clocks that go wrong. */
const windowMaxMs = 25 * 3_600_000;
const numbers = operationTypes.Operation.map(({ name }) => name).filter(
  (name) => name !== 'wallet' && name !== 'calls',
);
const domainFields = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];

function readCalls(value: unknown): Call[] {
  if (!Array.isArray(value)) throw new TypeError('its calls are no list');
  return value.map((call) => {
    const { to, value: wei, data } = (call ?? {}) as Record<string, unknown>;
    if (!isAddress(to)) throw new TypeError('a call has no target');
    return {
      to: to.toLowerCase() as Hex,
      value: integerOf(wei),
      data: `0x${bytesOfValue('bytes', data)}`,
    };
  });
}

/** What a wallet is asked to sign: `type` and `params` as they are sent. */
export interface SignatureParams {
  readonly chain?: unknown;
  readonly message?: unknown;
  readonly typedData?: unknown;
  readonly isSmartWalletSignature?: unknown;
}

/**
 * A signature of a text or of typed data: the wallet's own (a `SafeMessage` of the hash, bound to
 * wallet and chain), or that of the signer's key.
 * @throws ApprovalRefusedError
 */
export function readSignature(
  params: SignatureParams,
  pins: Pins,
): MessageReview | TypedDataReview {
  const chain = chainOf(params.chain, pins.isProduction);
  const wallet = checksumAddress(pins.wallet);
  const base = (hash: Hex) => {
    const signedTypedData: TypedData = {
      domain: { chainId: chain.id, verifyingContract: wallet },
      types: {
        EIP712Domain: domainFields.slice(2),
        SafeMessage: [{ name: 'message', type: 'bytes' }],
      },
      primaryType: 'SafeMessage',
      message: { message: hash },
    };
    return { chain: chain.name, wallet, hash: hashTypedData(signedTypedData), signedTypedData };
  };
  if (typeof params.message === 'string')
    return { kind: 'message', text: params.message, ...base(hashOfMessage(params.message)) };
  const typedData = readOrRefuse(() => readTypedData(params.typedData));
  const chainId = readOrRefuse(() => chainIdOf(typedData));
  if (chainId !== undefined && chainId !== BigInt(chain.id))
    throw new ApprovalRefusedError(
      'chain',
      `the typed data is for chain id ${chainId}, and ${chain.name} has ${chain.id}.`,
    );
  const hash = readOrRefuse(() => hashTypedData(typedData));
  if (params.isSmartWalletSignature !== false)
    return { kind: 'typed-data', typedData, signedBy: 'wallet', ...base(hash) };
  const contract = typedData.domain['verifyingContract'];
  if (
    isAddress(contract) &&
    (isSameAddress(contract, wallet) || isSameAddress(contract, contracts.walletModule))
  )
    throw new ApprovalRefusedError(
      'module',
      'the typed data is an operation of the wallet itself: create a transaction for it.',
    );
  return {
    kind: 'typed-data',
    typedData,
    signedBy: 'signer',
    chain: chain.name,
    wallet,
    hash,
    signedTypedData: typedData,
  };
}
