import type { Page } from 'playwright-core';
import type { PrivateKeyAccount } from 'viem/accounts';

/**
 * An injected wallet (EIP-1193) of these accounts; `asked` are the methods that it was asked for.
 */
export async function injectWallet(
  page: Page,
  ...accounts: PrivateKeyAccount[]
): Promise<string[]> {
  const asked: string[] = [];
  await page.exposeFunction(
    'walletRequest',
    async ({ method, params = [] }: { method: string; params?: string[] }) => {
      asked.push(method);
      if (method.endsWith('ccounts')) return accounts.map(({ address }) => address);
      if (method === 'eth_chainId') return '0x1';
      const own = accounts.find(({ address }) =>
        params.some((param) => String(param).toLowerCase() === address.toLowerCase()),
      );
      if (method === 'eth_signTypedData_v4') return own!.signTypedData(JSON.parse(params[1]!));
      return null;
    },
  );
  await page.addInitScript(() => {
    Object.assign(globalThis, {
      ethereum: {
        request: (input: unknown) =>
          (
            globalThis as unknown as { walletRequest(input: unknown): Promise<unknown> }
          ).walletRequest(input),
      },
    });
  });
  return asked;
}
