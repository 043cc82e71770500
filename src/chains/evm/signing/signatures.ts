import { serializeErc6492Signature } from 'viem';
import { z } from 'zod';
import { addresses, encodeProof, encodeSignerKey } from '../../../../contracts/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { requireUnexpired } from '../../family/smart-wallets/registrations.ts';
import type {
  FamilyWallet,
  PreparedSignature,
  PrepareSignatureInput,
  Signer,
  SubmittedApproval,
} from '../../family.ts';
import { readTypedData } from '../abi/typed-data.ts';
import type { Hex } from '../abi/words.ts';
import { violation } from '../operation/scopes.ts';
import { type EvmConnection, type EvmConnections, hasCode, nodeError } from '../rpc/connections.ts';
import { type Authority, adminAuthority, delegateAuthority } from '../wallet/authority.ts';
import type { DeployedWallets } from '../wallet/deployed-wallets.ts';
import { signerKeyOf } from '../wallet/signer-keys.ts';
import { encodeFactoryCall, readWalletSetup } from '../wallet/wallet-plan.ts';
import { readProof, readSignature } from './approvals.ts';
import { encodeApprovals } from './encode-approvals.ts';
import { readSignatureRequest, storeSignatureRequest } from './signature-request.ts';

/**
 * Signatures of messages and typed data by wallets: ERC-1271, and ERC-6492 for wallets that are not
 * deployed yet.
 */

export interface SignatureDeps {
  readonly connections: EvmConnections;
  readonly deployed: DeployedWallets;
}

const approvalWindowMs = 24 * 60 * 60 * 1000;
const messageLengthMax = 100_000;

const chain = z.string('is required: a chain name, e.g. "base-sepolia"').min(1).max(64);
const messageSchema = z.object({
  message: z
    .string('is required: the text to sign')
    .max(messageLengthMax, `must not be longer than ${messageLengthMax} characters`),
  chain,
});
const typedDataSchema = z.object({
  typedData: z.record(
    z.string(),
    z.unknown(),
    'is required: {domain, types, primaryType, message}',
  ),
  chain,
  isSmartWalletSignature: z.boolean('must be true or false').default(true),
});

/**
 * As {@link ChainFamily.prepareSignature}: asks no node once the chain is known.
 * @throws signature-type-not-supported, validation-error, chain-not-supported, signer-expired,
 *   signer-scope-violation, transaction-invalid (the signer is none of the wallet's),
 *   provider-unavailable
 */
export async function prepareEvmSignature(
  deps: SignatureDeps,
  input: PrepareSignatureInput,
): Promise<PreparedSignature> {
  if (input.type === 'auth-entries')
    throw new ServiceError('signature-type-not-supported', {
      message:
        'Signatures of type "auth-entries" are for stellar wallets. An evm wallet signs "message" and "typed-data".',
    });
  const read =
    input.type === 'message'
      ? check(messageSchema, input.params)
      : check(typedDataSchema, input.params);
  const connection = await deps.connections.connect(read.chain);
  const { network, chainId } = connection;
  const isKey = input.wallet.type === 'mpc';
  const own = isKey || ('typedData' in read && !read.isSmartWalletSignature);
  const verifier =
    'typedData' in read
      ? readTypedData(read.typedData, { name: network.name, chainId }).verifyingContract
      : undefined;
  if (isKey)
    refuseOperation(input.wallet.address, verifier, 'params.typedData.domain.verifyingContract');
  else if (own) refuseOwn(input, verifier);
  const { value, request } = storeSignatureRequest({
    content:
      'message' in read ? { message: read.message } : { typedData: read.typedData as JsonObject },
    chain: network.name,
    chainId,
    wallet: input.wallet.address as Hex,
    authority: authorityOf(input),
    own,
  });
  return {
    chain: network.name,
    params: { ...(read as JsonObject), chain: network.name },
    request: value,
    message: request.hash,
    validUntil: earlierOf(
      new Date(input.now.getTime() + approvalWindowMs),
      input.delegate?.expiresAt,
    ),
  };
}

function earlierOf(one: Date, other: Date | undefined): Date {
  return other !== undefined && other < one ? other : one;
}

/**
 * A signature of the key itself holds everywhere the key has power, so only keys in the caller's
 * own hands give one: with a key that this service keeps for many wallets, one wallet's caller
 * could sign for another's.
 */
function refuseOwn(
  { signer, wallet }: PrepareSignatureInput,
  verifyingContract: string | undefined,
): void {
  const refuse = (message: string) =>
    new ServiceError('validation-error', { message: `params.isSmartWalletSignature: ${message}` });
  if (signer.type === 'quorum')
    throw refuse('a quorum has no signature of its own. Send true, or leave it out.');
  if (signer.type === 'api-key' || signer.type === 'email' || signer.type === 'phone')
    throw refuse(
      `the key of a signer of type "${signer.type}" signs for wallets only. Send true, or leave it out.`,
    );
  refuseOperation(wallet.address, verifyingContract, 'params.isSmartWalletSignature');
}

/**
 * A key's own signature under the module's domain is an operation, which nobody has simulated or
 * paid for.
 * @throws validation-error
 */
function refuseOperation(
  wallet: string,
  verifyingContract: string | undefined,
  place: string,
): void {
  const own = [wallet.toLowerCase(), addresses.walletModule.toLowerCase()];
  if (verifyingContract === undefined || !own.includes(verifyingContract)) return;
  throw new ServiceError('validation-error', {
    message: `${place}: typed data of the wallet itself or its module would be an operation of the wallet. Create a transaction instead.`,
  });
}

function authorityOf({ wallet, signer, delegate, now }: PrepareSignatureInput): Authority {
  if (!delegate) return adminAuthority(wallet, signer);
  requireUnexpired(delegate, now);
  if (delegate.scopes.length > 0)
    throw violation(
      `The signer "${signer.locator}" has scopes, so it may make its transfers only and cannot sign for the wallet.`,
    );
  return delegateAuthority(delegate, []);
}

/**
 * As {@link ChainFamily.completeSignature}. One question to the node unless the wallet is known to
 * be deployed.
 * @throws upstream-error, provider-unavailable
 */
export async function completeEvmSignature(
  deps: SignatureDeps,
  wallet: FamilyWallet,
  value: JsonObject,
  approvals: readonly SubmittedApproval[],
): Promise<string> {
  const request = readSignatureRequest(value);
  if (request.own) return ownSignature(request.hash, approvals[0]!);
  const signature = encodeApprovals(request.hash, approvals, request.authority);
  if (await isDeployed(deps, await deps.connections.connect(request.chain), request.wallet))
    return signature;
  const deployment = encodeFactoryCall(readWalletSetup(wallet.setup));
  if (!deployment) throw new Error(`the wallet ${request.wallet} is never deployed`);
  return serializeErc6492Signature({
    address: deployment.factory as Hex,
    data: deployment.factoryData,
    signature,
  });
}

async function isDeployed(
  { deployed }: SignatureDeps,
  connection: EvmConnection,
  wallet: Hex,
): Promise<boolean> {
  if (deployed.isKnown(connection.chainId, wallet)) return true;
  const [code] = await connection.ask([{ method: 'eth_getCode', params: [wallet, 'latest'] }]);
  if (!code!.ok) throw nodeError(code!.error, connection.network.name);
  if (!hasCode(code!)) return false;
  deployed.add(connection.chainId, wallet);
  return true;
}

/**
 * r, s, v of an address; r, s of a device; of a passkey the assertion as contracts take it; of a
 * contract what it gave.
 */
function ownSignature(hash: Hex, approval: SubmittedApproval): Hex {
  const proof = readProof(hash, approval);
  if (!proof) return approval.signature as Hex;
  if (proof.kind === 'ecdsa') return withUsualV(approval);
  const key = signerKeyOf(approval.signer as Signer);
  return `0x${encodeProof(key, proof).slice(encodeSignerKey(key).length)}`;
}

function withUsualV({ signature }: SubmittedApproval): Hex {
  const { compact, recovery } = readSignature(signature)!;
  return `0x${compact.toString('hex')}${(27 + recovery).toString(16)}`;
}

function check<S extends z.ZodType>(schema: S, params: JsonObject): z.output<S> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new ServiceError('validation-error', {
    message: `params${issue.path.map((key) => `.${String(key)}`).join('')}: ${issue.message.replace(/\.$/, '')}.`,
  });
}
