import { fileURLToPath } from 'node:url';
import { ed25519 } from '@noble/curves/ed25519.js';
import bs58 from 'bs58';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { messageBytesOfWire } from '../../src/chains/solana/operation/message.ts';

/**
 * An emulated wallet on Solana in a page, registered as real ones are (Wallet Standard, by its
 * official package). It shows its account once it is connected. `asked` are the features that it
 * was asked for; `change` is what a wallet does that signs something else.
 */
export async function injectStandardWallet(
  page: Page,
  seed: Uint8Array,
  change: (wire: Buffer) => Buffer = (wire) => wire,
): Promise<string[]> {
  const asked: string[] = [];
  const publicKey = ed25519.getPublicKey(seed);
  await page.exposeFunction('standardWalletAsked', (feature: string) => void asked.push(feature));
  await page.exposeFunction('standardWalletSign', (transaction: number[]) => {
    const wire = change(Buffer.from(transaction));
    // The fee payer signs first; the wallet's account is the signer behind it.
    wire.set(ed25519.sign(messageBytesOfWire(wire), seed), 1 + 64);
    return [...wire];
  });
  const { outputFiles } = await build({
    stdin: {
      contents: script(bs58.encode(publicKey), [...publicKey]),
      resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
    },
    bundle: true,
    format: 'iife',
    write: false,
  });
  await page.addInitScript(outputFiles[0]!.text);
  return asked;
}

const script = (address: string, publicKey: readonly number[]) => `
import { registerWallet } from '@wallet-standard/wallet';
const account = { address: ${JSON.stringify(address)}, publicKey: new Uint8Array(${JSON.stringify(publicKey)}), chains: ['solana:localnet'], features: ['solana:signTransaction'] };
let accounts = [];
registerWallet({
  version: '1.0.0', name: 'Emulated wallet', icon: 'data:image/svg+xml;base64,', chains: ['solana:localnet'],
  get accounts() { return accounts; },
  features: {
    'standard:connect': { version: '1.0.0', async connect() { await standardWalletAsked('connect'); accounts = [account]; return { accounts }; } },
    'standard:events': { version: '1.0.0', on: () => () => {} },
    'solana:signTransaction': { version: '1.0.0', supportedTransactionVersions: ['legacy', 0], async signTransaction({ transaction, chain }) {
      await standardWalletAsked(chain);
      return [{ signedTransaction: new Uint8Array(await standardWalletSign([...transaction])) }];
    } },
  },
});`;
