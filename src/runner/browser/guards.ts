import type { BrowserContext, Page } from 'playwright-core';
import { isWebAddress } from './transport.ts';

/**
 * What a page tried and did not get; no address beyond the scheme, no text of the page beyond a
 * dialog's first words.
 */
export type BrowserIncident =
  | { readonly kind: 'dialog'; readonly type: string; readonly message: string }
  | { readonly kind: 'popup' }
  | { readonly kind: 'download' }
  | { readonly kind: 'address'; readonly scheme: string };

const dialogCharactersMax = 200;
const errorPage = 'chrome-error://chromewebdata/';

/**
 * Keeps a context to pages: dialogs are dismissed, downloads cancelled, pages beyond `pagesMax` and
 * foreign addresses closed.
 */
export function guardContext(
  context: BrowserContext,
  input: { pagesMax: number; onIncident: (incident: BrowserIncident) => void },
): void {
  context.on('dialog', (dialog) => {
    input.onIncident({
      kind: 'dialog',
      type: dialog.type(),
      message: dialog.message().slice(0, dialogCharactersMax),
    });
    // "Leave this page?" would keep the run where it is.
    void (dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss()).catch(
      () => undefined,
    );
  });
  const guardPage = (page: Page) => {
    page.on('download', (download) => {
      input.onIncident({ kind: 'download' });
      void download.cancel().catch(() => undefined);
    });
    page.on('framenavigated', (frame) => {
      const address = frame.url();
      if (
        frame !== page.mainFrame() ||
        address === '' ||
        address === errorPage ||
        isWebAddress(address)
      )
        return;
      input.onIncident({ kind: 'address', scheme: address.split(':')[0] ?? '' });
      void page.goto('about:blank').catch(() => undefined);
    });
  };
  context.pages().forEach(guardPage);
  context.on('page', (page) => {
    if (context.pages().length <= input.pagesMax) return guardPage(page);
    input.onIncident({ kind: 'popup' });
    void page.close().catch(() => undefined);
  });
}
