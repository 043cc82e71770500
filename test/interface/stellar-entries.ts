import {
  Address,
  buildAuthorizationEntryPreimage,
  hash,
  scValToNative,
  xdr,
} from '@stellar/stellar-sdk/base';
import { contractAddress } from '../../contracts/stellar/testing/world.ts';
import { stellarNetwork } from '../../src/chains/stellar/config/networks.ts';

/**
 * As somebody else makes it who asks a wallet to sign in (SEP-45): the call of a contract that asks
 * for its authorisation.
 */
export function aSignIn(wallet: string): xdr.SorobanAuthorizationEntry {
  const address = new Address(wallet).toScAddress();
  const call = new xdr.InvokeContractArgs({
    contractAddress: new Address(contractAddress('sign in')).toScAddress(),
    functionName: 'web_auth_verify',
    args: [xdr.ScVal.scvAddress(address)],
  });
  return new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsAddress(
      new xdr.SorobanAddressCredentials({
        address,
        nonce: 5n,
        signatureExpirationLedger: 0,
        signature: xdr.ScVal.scvVoid(),
      }),
    ),
    rootInvocation: new xdr.SorobanAuthorizedInvocation({
      function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(call),
      subInvocations: [],
    }),
  });
}

/** Four bytes with their count, then the entries. */
export function writeEntries(...entries: readonly xdr.SorobanAuthorizationEntry[]): string {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(entries.length);
  return Buffer.concat([head, ...entries.map((entry) => entry.toXdr())]).toString('base64');
}

/** What was signed, and with what, as the SDK reads it. */
export function signedEntry(bytes: Uint8Array): {
  readonly payload: Buffer;
  readonly signatures: readonly Buffer[];
} {
  const entry = xdr.SorobanAuthorizationEntry.fromXdr(bytes);
  const { credentials } = entry;
  if (credentials.type !== 'sorobanCredentialsAddressV2')
    throw new Error(`It is ${credentials.type}.`);
  const { signatureExpirationLedger, signature } = credentials.addressV2;
  const preimage = buildAuthorizationEntryPreimage(
    entry,
    signatureExpirationLedger,
    stellarNetwork('development').passphrase,
  );
  const signed = scValToNative(signature) as readonly { readonly signature: Uint8Array }[];
  return {
    payload: Buffer.from(hash(preimage.toXdr())),
    signatures: signed.map((one) => Buffer.from(one.signature)),
  };
}
