import { type PurserSigner, solanaWalletSigner } from '@purser/sdk';
import { getWallets } from '@wallet-standard/app';
import { type Look, PageError } from '../api.ts';

/** Wallets in this browser on Solana (Wallet Standard). */

type Wallet = ReturnType<ReturnType<typeof getWallets>['get']>[number];
type Account = Wallet['accounts'][number];

interface SignTransaction {
  signTransaction(input: {
    account: Account;
    transaction: Uint8Array;
    chain: string;
  }): Promise<readonly { signedTransaction: Uint8Array }[]>;
}

const chains = {
  production: 'solana:mainnet',
  staging: 'solana:devnet',
  development: 'solana:localnet',
} as const;
const announceMs = 150;

/**
 * The wallet that has the account: one that shows it already, or else the first that does when it
 * is asked.
 * @throws PageError
 */
export async function solanaWallet(
  address: string,
  environment: Look['environment'],
): Promise<PurserSigner> {
  const { get } = getWallets();
  await new Promise((resolve) => setTimeout(resolve, announceMs));
  const wallets = get().filter(({ features }) => 'solana:signTransaction' in features);
  if (wallets.length === 0)
    throw new PageError(
      `There is no wallet for Solana in this browser: open this page in the one that holds ${address}.`,
    );
  for (const accountsOf of [shown, connected])
    for (const wallet of wallets) {
      const account = (await accountsOf(wallet)).find((one) => one.address === address);
      if (!account) continue;
      const { signTransaction } = wallet.features[
        'solana:signTransaction' as keyof typeof wallet.features
      ] as unknown as SignTransaction;
      return solanaWalletSigner({
        address,
        async signTransaction(transaction) {
          const [signed] = await signTransaction({
            account,
            transaction,
            chain: chains[environment],
          });
          if (!signed) throw new PageError('Your wallet gave nothing back. Nothing was approved.');
          return signed.signedTransaction;
        },
      });
    }
  throw new PageError(
    `Your wallet does not show the account ${address}: choose it there, and try again.`,
  );
}

const shown = async ({ accounts }: Wallet): Promise<readonly Account[]> => accounts;

async function connected({ features }: Wallet): Promise<readonly Account[]> {
  const { connect } = (features['standard:connect' as keyof typeof features] ?? {}) as unknown as {
    connect?(): Promise<{ readonly accounts: readonly Account[] }>;
  };
  return connect
    ? connect().then(
        ({ accounts }) => accounts,
        () => [],
      )
    : [];
}
