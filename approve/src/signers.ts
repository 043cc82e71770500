import {
  codeSigner,
  createDeviceKey,
  externalWalletSigner,
  type P256PublicKey,
  type Purser,
  type PurserSigner,
  passkeySigner,
} from '@purser/sdk';
import { type Look, PageError } from './api.ts';

/** A wallet in this browser (EIP-1193). */
interface Provider {
  request(input: { method: string; params?: readonly unknown[] }): Promise<unknown>;
}

interface Announced {
  readonly info: { readonly name: string };
  readonly provider: Provider;
}

export type AskForCode = (asked: { sentTo: string; triesLeft?: number }) => Promise<string>;

/** How the link's signer approves here; undefined: it holds its key somewhere else. */
export function waysOf({ signer, wallet }: Look): 'passkey' | 'wallet' | 'code' | undefined {
  if (signer?.type === 'passkey') return 'passkey';
  // Wallets on Stellar have no standard by which a page finds them.
  if (signer?.type === 'external-wallet')
    return wallet.chainType === 'stellar' ? undefined : 'wallet';
  return signer?.type === 'email' || signer?.type === 'phone' ? 'code' : undefined;
}

/** @throws PageError */
export async function signerOf(
  client: Purser,
  look: Look,
  askForCode: AskForCode,
): Promise<PurserSigner> {
  const { signer, wallet, page } = look;
  if (!signer) throw new PageError('Nothing is asked of you here.');
  if (signer.type === 'passkey') {
    const passkey = {
      id: String(signer['id']),
      name: String(signer['name']),
      publicKey: signer['publicKey'] as P256PublicKey,
    };
    return passkeySigner(
      passkey,
      page.passkeyDomain === undefined ? {} : { rpId: page.passkeyDomain },
    );
  }
  if (signer.type === 'external-wallet')
    return browserWallet(look, signer.locator, String(signer['address']));
  const device = await createDeviceKey();
  return codeSigner(client, {
    walletAddress: wallet.address,
    locator: signer.locator,
    device,
    askForCode,
  });
}

const announceMs = 150;

/** All that announce themselves (EIP-6963), and the one of the older way. */
async function findProviders(): Promise<readonly Provider[]> {
  const found: Provider[] = [];
  const listen = (event: Event) => found.push((event as CustomEvent<Announced>).detail.provider);
  addEventListener('eip6963:announceProvider', listen);
  dispatchEvent(new Event('eip6963:requestProvider'));
  await new Promise((resolve) => setTimeout(resolve, announceMs));
  removeEventListener('eip6963:announceProvider', listen);
  const older = (window as { ethereum?: Provider }).ethereum;
  return [...new Set([...found, ...(older ? [older] : [])])];
}

const accountsOf = async (
  provider: Provider,
  method: 'eth_accounts' | 'eth_requestAccounts',
): Promise<readonly string[]> =>
  ((await provider.request({ method }).catch(() => [])) as readonly string[]).map((account) =>
    account.toLowerCase(),
  );

/**
 * The wallet that has the account: one that shows it already, or else the first that does when it
 * is asked.
 * @throws PageError
 */
async function browserWallet(
  { wallet, environment }: Look,
  locator: string,
  address: string,
): Promise<PurserSigner> {
  if (wallet.chainType === 'solana')
    return {
      ...(await (await import('./wallets/solana.ts')).solanaWallet(address, environment)),
      locator,
    };
  const providers = await findProviders();
  if (providers.length === 0)
    throw new PageError(
      `There is no wallet in this browser: open this page in the one that holds ${address}.`,
    );
  for (const method of ['eth_accounts', 'eth_requestAccounts'] as const)
    for (const provider of providers)
      if ((await accountsOf(provider, method)).includes(address.toLowerCase()))
        return { ...externalWalletSigner(walletOf(provider, address)), locator };
  throw new PageError(
    `Your wallet does not show the account ${address}: choose it there, and try again.`,
  );
}

function walletOf(provider: Provider, address: string): Parameters<typeof externalWalletSigner>[0] {
  return {
    address,
    signMessage: async ({ message: { raw } }) =>
      (await provider.request({ method: 'personal_sign', params: [raw, address] })) as string,
    async signTypedData(typedData) {
      await switchChain(provider, Number(typedData.domain['chainId']));
      const text = JSON.stringify(typedData);
      return (await provider.request({
        method: 'eth_signTypedData_v4',
        params: [address, text],
      })) as string;
    },
  };
}

/**
 * Wallets sign typed data for the chain that they are on; one that cannot change says so when it is
 * asked to sign.
 */
async function switchChain(provider: Provider, chainId: number): Promise<void> {
  const wanted = `0x${chainId.toString(16)}`;
  const current = await provider.request({ method: 'eth_chainId' }).catch(() => undefined);
  if (!Number.isInteger(chainId) || current === wanted) return;
  await provider
    .request({ method: 'wallet_switchEthereumChain', params: [{ chainId: wanted }] })
    .catch(() => undefined);
}

/** What went wrong, in a sentence. */
export function explain(error: unknown): string {
  const { name, message, code } = error as { name?: string; message?: string; code?: unknown };
  if (name === 'NotAllowedError' || name === 'AbortError')
    return 'The passkey was not used: the window was closed, took too long, or this device does not have it. Nothing was approved.';
  if (name === 'SecurityError')
    return 'Your passkey is for another address than that of this page. Ask whoever sent you the link.';
  if (name === 'ConnectionError')
    return 'The service did not answer. Whether it has your approval is not known: try again.';
  if (code === 4001) return 'You said no in your wallet. Nothing was approved.';
  return message ?? 'Something went wrong. Nothing was approved.';
}
