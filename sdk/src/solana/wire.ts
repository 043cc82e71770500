import { readMessage } from './message.ts';

/**
 * The signature of a wallet that signs whole transactions.
 * @param bytes of the message, which is what is signed
 * @throws TypeError when the wallet has signed another transaction: some change fees by themselves
 */
export async function signByTransaction(
  bytes: Uint8Array,
  address: string,
  signTransaction: (transaction: Uint8Array) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const { signers } = readMessage(bytes);
  const place = signers.indexOf(address);
  if (place < 0) throw new TypeError(`The transaction is not for ${address} to sign.`);
  const head = 1 + 64 * signers.length;
  const signed = await signTransaction(
    new Uint8Array([signers.length, ...new Uint8Array(head - 1), ...bytes]),
  );
  const isSame =
    signed.length === head + bytes.length && bytes.every((byte, at) => byte === signed[head + at]);
  if (!isSame)
    throw new TypeError(
      'The wallet has changed the transaction and signed another one than is shown: nothing was approved.',
    );
  return signed.slice(1 + 64 * place, 65 + 64 * place);
}
