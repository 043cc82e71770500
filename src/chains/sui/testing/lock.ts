import { GrpcTypes } from '@mysten/sui/grpc';

/**
 * Some validators of the local chain sign it, and nobody finishes it: what it takes is locked until
 * the epoch ends.
 */
export async function lockTransaction(
  url: string,
  bytes: Uint8Array,
  signature: string,
): Promise<void> {
  const request = GrpcTypes.ExecuteTransactionRequest.toBinary({
    transaction: { bcs: { value: bytes } } as GrpcTypes.Transaction,
    signatures: [
      { bcs: { value: Buffer.from(signature, 'base64') }, signature: { oneofKind: undefined } },
    ],
  });
  const head = Buffer.alloc(5);
  head.writeUInt32BE(request.length, 1);
  const { status } = await fetch(`${url}/purser.devnet.v1.SuiService/LockTransaction`, {
    method: 'POST',
    headers: { 'content-type': 'application/grpc-web+proto' },
    body: Buffer.concat([head, request]),
  });
  if (status !== 200) throw new Error(`the chain answered ${status}`);
}
