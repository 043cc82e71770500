import { encodeFunctionData, parseAbi } from 'viem';
import type { Json, JsonObject } from '../../../lib/json/json.ts';
import type { SubmittedApproval } from '../../family.ts';
import type { Hex } from '../abi/words.ts';
import type { EvmConnections } from '../rpc/connections.ts';
import type { Authority } from '../wallet/authority.ts';
import { readProof } from './approvals.ts';
import { contractProofGas } from './encode-approvals.ts';
import { readSignable, type Signable } from './signable.ts';

const erc1271Abi = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
]);
/** The form before the standard was final, by which a Safe asks owners that are contracts. */
const legacyAbi = parseAbi([
  'function isValidSignature(bytes data, bytes signature) view returns (bytes4)',
]);
const contractSignaturePattern = /^0x(?:[0-9a-fA-F]{2}){1,8192}$/;

/**
 * As {@link ChainFamily.checkApproval}. Keys are checked here; an external wallet that is a
 * contract is asked on the chain, with one call and no more gas than it will get.
 * @throws upstream-error, provider-unavailable only for signatures that no key made
 */
export async function checkEvmApproval(
  connections: EvmConnections,
  subject: JsonObject,
  approval: SubmittedApproval,
): Promise<boolean> {
  const signable = readSignable(subject);
  const proof = readProof(signable.hash, approval);
  // A wallet that is asked for its owner's own signature of typed data gets that, and not one of
  // the hash as a text.
  if (proof) return !signable.own || proof.kind !== 'ecdsa' || proof.scheme === 'eip712';
  if (approval.signer.type !== 'external-wallet' || !isContractSignature(approval.signature))
    return false;
  return isSignedByContract(connections, signable, approval);
}

function isContractSignature(signature: Json): signature is Hex {
  return typeof signature === 'string' && contractSignaturePattern.test(signature);
}

async function isSignedByContract(
  connections: EvmConnections,
  { hash, chain, authority, preimage, own }: Signable,
  { signer, signature }: SubmittedApproval,
): Promise<boolean> {
  const to = signer.address as Hex;
  // An owner of the Safe is asked by the Safe, in its way; a delegate or a member of a quorum by
  // the verifier, as the standard says.
  const isLegacy = !own && isOwner(authority, to);
  const data = isLegacy
    ? encodeFunctionData({ abi: legacyAbi, args: [preimage(), signature as Hex] })
    : encodeFunctionData({ abi: erc1271Abi, args: [hash, signature as Hex] });
  const connection = await connections.connect(chain);
  const [result] = await connection.ask([
    {
      method: 'eth_call',
      params: [{ to, data, gas: `0x${contractProofGas.toString(16)}` }, 'latest'],
    },
  ]);
  const magic = isLegacy ? '0x20c13b0b' : '0x1626ba7e';
  return (
    result!.ok &&
    typeof result!.value === 'string' &&
    result!.value.toLowerCase() === magic.padEnd(66, '0')
  );
}

function isOwner(authority: Authority, address: string): boolean {
  if (authority === undefined) return true;
  if (authority.kind === 'delegate') return false;
  return authority.owners.some(
    (key) => key.kind === 'ecdsa' && key.address.toLowerCase() === address.toLowerCase(),
  );
}
