import { existsSync } from 'node:fs';
import chromiumPackage from '@sparticuz/chromium';
import { type Browser, chromium, type Page } from 'playwright-core';

/** A headless Chromium: the one that CHROMIUM_PATH names, or the one that comes with the npm package. */
export async function startBrowser(): Promise<Browser> {
  const named = process.env['CHROMIUM_PATH'];
  if (named !== undefined && !existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, which is not there.`);
  return chromium.launch({
    executablePath: named ?? (await chromiumPackage.executablePath()),
    // As runs have it. Pixels drawn by an emulated graphics card were half of a browser's work.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'],
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
