import { sha256 } from '@noble/hashes/sha2.js';
import { base64OfBytes, bytesOfBase64 } from '../bytes.ts';
import { integerOf, word } from '../evm/abi.ts';
import type { ReviewedCall } from '../evm/calls.ts';
import { ApprovalRefusedError, readOrRefuse } from '../evm/refusal.ts';
import type { OperationReview } from '../evm/review.ts';
import { fieldsOf } from '../evm/signer-keys.ts';
import {
  type CompareContext,
  differs,
  requireNumber,
  requireWanted,
  uncertain,
} from '../family/asked.ts';
import type { Family } from '../family/family.ts';
import type { FamilyChain } from '../family/tokens.ts';
import { reviewInvocation } from './calls.ts';
import { type Invocation, type Preimage, readPreimage, sayValue, type Value } from './preimage.ts';
import { isStellarAddress } from './strkey.ts';

/**
 * What signers of a smart wallet on Stellar sign: the SHA-256 of `onChain.preimage`, which names
 * network, wallet and every call that is allowed. The service pays, with a transaction of its own,
 * which nobody signs.
 */
export const stellar: Family = {
  signerIdOf,
  readTransaction(input) {
    const { transaction, wallet, isReviewed, asked } = input;
    const onChain: Readonly<Record<string, unknown>> = transaction.onChain;
    return readOrRefuse(() => {
      const { preimage } = onChain;
      if (typeof preimage !== 'string')
        throw new TypeError('there is no preimage of what is signed');
      const bytes = bytesOfBase64(preimage);
      const read = readPreimage(bytes);
      const network = networkOf(read, input.isProduction);
      requireOfWallet(read, wallet);
      const chain: FamilyChain = {
        name: 'stellar',
        native: { symbol: 'xlm', decimals, address: network.nativeContract },
        tokens: [
          ...(network.usdc === undefined
            ? []
            : [{ chain: 'stellar', address: network.usdc, symbol: 'usdc', decimals }]),
          ...input.tokens,
        ],
        isTest: !input.isProduction,
        isAddress: isStellarAddress,
      };
      const context = { chain, isReviewed, signerIdOf, wallet };
      let calls: readonly ReviewedCall[] = callsIn(read.root).map((one) =>
        reviewInvocation(one, context),
      );
      for (const one of asked) {
        if (one.kind === 'calls')
          requireCall(one.params['transaction'], { root: read.root, calls, ...context });
        else calls = requireWanted(one, calls, context);
      }
      const payload = sha256(bytes);
      return {
        kind: 'operation',
        chain: 'stellar',
        wallet,
        hash: base64OfBytes(payload),
        signedBytes: payload,
        preimage,
        calls,
        lastLedger: read.lastLedger,
      } satisfies OperationReview;
    });
  },
};

const decimals = 7;
interface Network {
  readonly passphrase: string;
  readonly nativeContract: string;
  readonly usdc?: string;
  readonly isProduction: boolean;
}
const networks: readonly Network[] = [
  {
    passphrase: 'Public Global Stellar Network ; September 2015',
    nativeContract: 'CAS3J7GYLGXMF6TDJBBYYSE3HQ6BBSMLNUQ34T6TZMYMW2EVH34XOWMA',
    usdc: 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75',
    isProduction: true,
  },
  {
    passphrase: 'Test SDF Network ; September 2015',
    nativeContract: 'CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSC',
    usdc: 'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA',
    isProduction: false,
  },
  {
    passphrase: 'Standalone Network ; February 2017',
    nativeContract: 'CDMLFMKMMD7MWZP3FKUBZPVHTUEDLSX4BYGYKH4GCESXYHS3IHQ4EIG4',
    isProduction: false,
  },
];

/** @throws ApprovalRefusedError */
function networkOf({ networkId }: Preimage, isProduction: boolean): Network {
  const isNamed = ({ passphrase }: Network) =>
    base64OfBytes(sha256(new TextEncoder().encode(passphrase))) === base64OfBytes(networkId);
  const found = networks.find(isNamed);
  if (found?.isProduction !== isProduction)
    throw new ApprovalRefusedError(
      'chain',
      `it is for ${found ? `the network "${found.passphrase}"` : 'a network that is not known here'}.`,
    );
  return found;
}

/** @throws ApprovalRefusedError */
function requireOfWallet({ address, root }: Preimage, wallet: string): void {
  // In the older form the contract looks at each call: it has to be the wallet's own, or to name
  // the wallet first.
  const names = ({ contract, args: [first] }: Invocation) =>
    contract === wallet || (first?.type === 'address' && first.address === wallet);
  if (address === undefined ? callsIn(root).every(names) : address === wallet) return;
  throw new ApprovalRefusedError(
    'wallet',
    `it is for ${address ?? 'no wallet by name'}, not for ${wallet}.`,
  );
}

function callsIn(one: Invocation): Invocation[] {
  return [one, ...one.within.flatMap(callsIn)];
}

interface CallContext extends CompareContext {
  readonly root: Invocation;
  readonly calls: readonly ReviewedCall[];
  readonly wallet: string;
}

/** What contracts of assets take, in order. */
const tokenMethods: Readonly<Record<string, readonly string[]>> = {
  transfer: ['from', 'to', 'amount'],
  transfer_from: ['spender', 'from', 'to', 'amount'],
  approve: ['from', 'spender', 'amount', 'expiration_ledger'],
  burn: ['from', 'amount'],
  burn_from: ['spender', 'from', 'amount'],
};

/** `params.transaction` is what is signed. @throws ApprovalRefusedError */
function requireCall(transaction: unknown, context: CallContext): void {
  const { root, calls, wallet } = context;
  const {
    type,
    contractId,
    method,
    args = {},
    memo,
  } = (transaction ?? {}) as Readonly<Record<string, unknown>>;
  const own = { 'upgrade-wallet': 'upgrade', 'migrate-wallet': 'migrate' }[String(type)];
  if (own !== undefined) {
    if (root.contract !== wallet || root.method !== own || root.within.length > 0)
      throw differs(`a call of ${root.method}`);
    // Whoever chooses the code has the wallet.
    if (own === 'upgrade')
      uncertain(
        context,
        `which code the wallet gets (${root.args.map(sayValue).join()}), only the service says.`,
      );
    return;
  }
  if (type !== 'contract-call')
    return uncertain(context, 'what a serialized transaction calls is not compared here.');
  if (root.contract !== contractId || root.method !== method)
    throw differs(`a call of ${root.method} of ${root.contract}`);
  const named = args as Readonly<Record<string, unknown>>;
  if (contractId === wallet) return requireOwnCall(named, context);
  const names = tokenMethods[String(method)];
  if (!names || calls.length > 1)
    return uncertain(
      context,
      `what ${String(method)} of ${String(contractId)} takes and does, only the contract says.`,
    );
  const isSame =
    names.length === root.args.length &&
    names.every((name, index) => isSameValue(root.args[index]!, named[name]));
  if (!isSame) throw differs(`${root.method} of something else`);
  const [call] = calls;
  const numbers = root.args.flatMap((value) =>
    value.type === 'address' && value.number !== undefined ? [value.number.toString()] : [],
  );
  requireNumber(call?.kind === 'transfer' ? call.recipientNumber : numbers[0], memo);
}

/** A change of signers, as the service says it. */
function requireOwnCall(
  { signer }: Readonly<Record<string, unknown>>,
  { calls }: CallContext,
): void {
  const [call] = calls;
  const id = (call?.kind === 'add-signer' || call?.kind === 'remove-signer') && call.signerId;
  if (calls.length > 1 || call?.kind === 'manage-wallet') throw differs('a change of the wallet');
  if (!id || typeof signer !== 'string') return;
  try {
    const named = signerIdOf(signer);
    if (named !== undefined && named !== id) throw differs('another signer');
  } catch (error) {
    // A passkey's locator does not say its key.
    if (!(error instanceof TypeError)) throw error;
  }
}

function isSameValue(value: Value, wanted: unknown): boolean {
  const text = String(wanted);
  if (value.type === 'address') return value.address === text;
  return value.type === 'integer' && value.value.toString() === text;
}

/** An address, or kind and point. */
function signerIdOf(signer: unknown): string | undefined {
  const { type, address, publicKey } = fieldsOf(signer);
  if (type === 'passkey' || type === 'device') {
    const { x, y } = (publicKey ?? {}) as Readonly<Record<string, unknown>>;
    return `${type}:04${word(integerOf(x))}${word(integerOf(y))}`;
  }
  if (address === undefined && (type === 'email' || type === 'phone' || type === 'api-key'))
    return undefined;
  if (typeof address !== 'string' || !isStellarAddress(address))
    throw new TypeError('a signer has no address of Stellar');
  return address;
}
