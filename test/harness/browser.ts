import { createPublicKey } from 'node:crypto';
import { existsSync } from 'node:fs';
import chromiumPackage from '@sparticuz/chromium';
import { type Browser, chromium, type Page } from 'playwright-core';

/**
 * A headless Chromium: the one that CHROMIUM_PATH names, or the one that comes with the npm
 * package.
 */
export async function startBrowser(): Promise<Browser> {
  const named = process.env['CHROMIUM_PATH'];
  if (named !== undefined && !existsSync(named))
    throw new Error(`CHROMIUM_PATH names ${named}, which is not there.`);
  return chromium.launch({
    executablePath: named ?? (await chromiumPackage.executablePath()),
    // As runs have it. Pixels drawn by an emulated graphics card were half of a browser's work.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--font-render-hinting=none',
    ],
    headless: true,
    timeout: 60_000,
  });
}

/** A device with a screen lock, as the browser sees it. */
export async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

interface CredentialPage {
  readonly navigator: {
    readonly credentials: {
      create(options: object): Promise<{ id: string; response: { getPublicKey(): ArrayBuffer } }>;
    };
  };
}

/**
 * Makes a passkey at the page's own host by its authenticator.
 * @returns a signer as wallets are made with
 */
export async function makePasskey(page: Page, name: string) {
  const made = await page.evaluate(async () => {
    const credential = await (globalThis as unknown as CredentialPage).navigator.credentials.create(
      {
        publicKey: {
          challenge: new Uint8Array(32),
          rp: { name: 'shop' },
          user: { id: new Uint8Array(8), name: 'nina', displayName: 'nina' },
          pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
          authenticatorSelection: { userVerification: 'required' },
        },
      },
    );
    return { id: credential.id, spki: [...new Uint8Array(credential.response.getPublicKey())] };
  });
  const { x, y } = createPublicKey({
    key: Buffer.from(made.spki),
    format: 'der',
    type: 'spki',
  }).export({ format: 'jwk' });
  const decimal = (text: string | undefined) =>
    BigInt(`0x${Buffer.from(text!, 'base64url').toString('hex')}`).toString();
  return { type: 'passkey', id: made.id, name, publicKey: { x: decimal(x), y: decimal(y) } };
}
