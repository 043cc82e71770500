import { hexOfBytes } from '../bytes.ts';
import { BadRequestError, NotFoundError } from '../errors.ts';
import type { Review } from '../evm/review.ts';
import { p256SignatureOfRaw } from '../p256.ts';
import { deviceSigner } from './device.ts';
import type { PurserSigner } from './signer.ts';

/** The two calls that it makes: a client of `createPurser` has them. */
export interface CodeCalls {
  requestSignerCode(
    walletLocator: string,
    signer: string,
    body: { devicePublicKey: { x: string; y: string }; message: string },
  ): Promise<{ codeId: string; sentTo: string }>;
  signWithSignerCode(
    walletLocator: string,
    signer: string,
    body: {
      codeId: string;
      code?: string;
      message: string;
      nonce: string;
      deviceSignature: { r: string; s: string };
    },
  ): Promise<{ signature: string }>;
}

export interface CodeSignerOptions {
  /** Address of the wallet, as answered. */
  readonly walletAddress: string;
  /** `email:<e-mail>` or `phone:<E.164>` as the wallet names the signer, the e-mail normalised. */
  readonly locator: string;
  /** A key of this device, from `createDeviceKey`. */
  readonly device: CryptoKeyPair;
  /**
   * Asks the person for the code that was sent to `sentTo` (masked); `triesLeft` after a wrong one.
   * `review` is what the code approves: show it, the message with the code says it too.
   */
  readonly askForCode: (asked: {
    sentTo: string;
    triesLeft?: number;
    review?: Review;
  }) => Promise<string>;
}

const nonceBytes = 24;

/**
 * A signer with an e-mail address or phone number: the service keeps its key, and uses it for this
 * device after a one-time code. For ten minutes after a right code the device approves without
 * another one.
 */
export function codeSigner(calls: CodeCalls, options: CodeSignerOptions): PurserSigner {
  const { walletAddress, locator, device } = options;
  const [type, ...rest] = locator.split(':');
  let session: string | undefined;

  async function sign(codeId: string, message: string, code?: string): Promise<string> {
    const nonce = hexOfBytes(crypto.getRandomValues(new Uint8Array(nonceBytes))).slice(2);
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(message)));
    const lines = [
      'purser signer request 1',
      walletAddress,
      locator,
      codeId,
      code ?? '',
      nonce,
      hexOfBytes(digest).slice(2),
    ];
    const raw = await crypto.subtle.sign(
      { name: 'ECDSA', hash: 'SHA-256' },
      device.privateKey,
      utf8(lines.join('\n')),
    );
    const body = {
      codeId,
      message,
      nonce,
      deviceSignature: { ...p256SignatureOfRaw(new Uint8Array(raw)) },
    };
    return (
      await calls.signWithSignerCode(
        walletAddress,
        locator,
        code === undefined ? body : { ...body, code },
      )
    ).signature;
  }

  async function signInSession(message: string): Promise<string | undefined> {
    if (session === undefined) return undefined;
    try {
      return await sign(session, message);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      session = undefined;
      return undefined;
    }
  }

  async function signWithNewCode(message: string, review?: Review): Promise<string> {
    const { publicKey } = await deviceSigner(device);
    const { codeId, sentTo } = await calls.requestSignerCode(walletAddress, locator, {
      devicePublicKey: publicKey,
      message,
    });
    for (let triesLeft: number | undefined; ; ) {
      const code = await options.askForCode({
        sentTo,
        ...(triesLeft === undefined ? {} : { triesLeft }),
        ...(review === undefined ? {} : { review }),
      });
      try {
        const signature = await sign(codeId, message, code);
        session = codeId;
        return signature;
      } catch (error) {
        triesLeft = triesLeftOf(error);
      }
    }
  }

  return {
    locator,
    input:
      type === 'email' ? { type, email: rest.join(':') } : { type: 'phone', phone: rest.join(':') },
    approve: async ({ message, review }) => ({
      signature: (await signInSession(message)) ?? (await signWithNewCode(message, review)),
    }),
  };
}

/**
 * How often a wrong code may be tried again.
 * @throws every other error, and this one when no try is left
 */
function triesLeftOf(error: unknown): number {
  const body =
    error instanceof BadRequestError && error.code === 'invalid-code'
      ? (error.body as { triesLeft?: number })
      : undefined;
  if (!body?.triesLeft) throw error;
  return body.triesLeft;
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
