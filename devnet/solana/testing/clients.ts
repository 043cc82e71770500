import {
  type Address,
  airdropFactory,
  appendTransactionMessageInstructions,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  lamports,
  type Nonce,
  pipe,
  sendAndConfirmDurableNonceTransactionFactory,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLifetimeUsingDurableNonce,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import type { SolanaChain } from '../index.ts';

export const sol = 1_000_000_000n;

/** `@solana/kit` as its own documents use it. */
export function kitClient(chain: SolanaChain) {
  const rpc = createSolanaRpc(chain.url);
  const rpcSubscriptions = createSolanaRpcSubscriptions(chain.webSocketUrl);
  const airdrop = airdropFactory({ rpc, rpcSubscriptions });
  const sendAndConfirm = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions });
  const sendAndConfirmDurable = sendAndConfirmDurableNonceTransactionFactory({
    rpc,
    rpcSubscriptions,
  });

  async function fundedSigner(amount = 10n * sol): Promise<KeyPairSigner> {
    const signer = await generateKeyPairSigner();
    await airdrop({
      recipientAddress: signer.address,
      lamports: lamports(amount),
      commitment: 'confirmed',
    });
    return signer;
  }
  async function sign(payer: KeyPairSigner, instructions: readonly Instruction[]) {
    const { value } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
    return signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayerSigner(payer, message),
        (message) => setTransactionMessageLifetimeUsingBlockhash(value, message),
        (message) => appendTransactionMessageInstructions(instructions, message),
      ),
    );
  }
  async function signDurable(
    payer: KeyPairSigner,
    instructions: readonly Instruction[],
    nonce: { account: Address; value: string },
  ) {
    return signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayerSigner(payer, message),
        (message) =>
          setTransactionMessageLifetimeUsingDurableNonce(
            {
              nonce: nonce.value as Nonce,
              nonceAccountAddress: nonce.account,
              nonceAuthorityAddress: payer.address,
            },
            message,
          ),
        (message) => appendTransactionMessageInstructions(instructions, message),
      ),
    );
  }
  /** Sends without waiting for a block. */
  async function send(
    payer: KeyPairSigner,
    instructions: readonly Instruction[],
    options: { skipPreflight?: boolean } = {},
  ) {
    const transaction = await sign(payer, instructions);
    return rpc
      .sendTransaction(getBase64EncodedWireTransaction(transaction), {
        encoding: 'base64',
        preflightCommitment: 'processed',
        ...options,
      })
      .send();
  }
  return {
    rpc,
    rpcSubscriptions,
    airdrop,
    fundedSigner,
    sign,
    signDurable,
    send,
    sendAndConfirm,
    sendAndConfirmDurable,
  };
}

/** A call past every client. */
export async function callRaw(url: string, body: unknown): Promise<{ status: number; body: any }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  return { status: response.status, body: await response.json() };
}

export async function callMethod(url: string, method: string, ...params: unknown[]): Promise<any> {
  return (await callRaw(url, { jsonrpc: '2.0', id: 1, method, params })).body;
}
