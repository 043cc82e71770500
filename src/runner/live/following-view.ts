import type { Page } from 'playwright-core';
import type { LiveInput } from '../link/live-wire.ts';
import { type LiveFrame, type LiveView, openLiveView, type TellSecret } from './live-view.ts';

/**
 * The live view of whichever page is in front: a window that the shop or a bank opens, until it is
 * closed.
 */
export async function openFollowingView(page: Page, tellSecret?: TellSecret): Promise<LiveView> {
  const view = new FollowingView(page, await openLiveView(page, tellSecret), tellSecret);
  return {
    watch: (onFrame) => view.watch(onFrame),
    mask: (isOn) => view.mask(isOn),
    permitInput: (isPermitted) => view.permitInput(isPermitted),
    input: (event) => view.input(event),
    close: () => view.close(),
  };
}

type Watcher = Parameters<LiveView['watch']>[0];

class FollowingView {
  #page: Page;
  #view: LiveView;
  readonly #tellSecret: TellSecret | undefined;
  readonly #watchers = new Map<Watcher, () => void>();
  readonly #onPage = (opened: Page) => {
    opened.once('close', this.#onClose);
    this.#follow();
  };
  readonly #onClose = () => this.#follow();
  #isMasked = false;
  #isInputPermitted = false;
  #isClosed = false;
  /** One change of the page follows the other. */
  #turning: Promise<void> = Promise.resolve();

  constructor(page: Page, view: LiveView, tellSecret?: TellSecret) {
    this.#page = page;
    this.#view = view;
    this.#tellSecret = tellSecret;
    page.context().on('page', this.#onPage);
    for (const open of page.context().pages()) open.once('close', this.#onClose);
    this.#follow();
  }

  watch(onFrame: (frame: LiveFrame) => Promise<void> | void): () => void {
    this.#watchers.set(onFrame, this.#view.watch(onFrame));
    return () => {
      this.#watchers.get(onFrame)?.();
      this.#watchers.delete(onFrame);
    };
  }

  async mask(isOn: boolean): Promise<void> {
    this.#isMasked = isOn;
    await this.#view.mask(isOn);
    // Another page may have come to the front meanwhile.
    await this.#turning;
    if (this.#isMasked === isOn) await this.#view.mask(isOn);
  }

  permitInput(isPermitted: boolean): void {
    this.#isInputPermitted = isPermitted;
    this.#view.permitInput(isPermitted);
  }

  input(event: LiveInput): Promise<boolean> {
    return this.#view.input(event);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#page.context().off('page', this.#onPage);
    await this.#turning;
    await this.#view.close();
  }

  #follow(): void {
    this.#turning = this.#turning.then(() => this.#turn()).catch(() => undefined);
  }

  async #turn(): Promise<void> {
    const front = this.#page
      .context()
      .pages()
      .findLast((page) => !page.isClosed());
    if (this.#isClosed || !front || front === this.#page) return;
    const next = await openLiveView(front, this.#tellSecret);
    if (this.#isMasked) await next.mask(true);
    if (this.#isClosed || front.isClosed()) return next.close();
    const before = this.#view;
    // From here to the watchers nothing may come between: the mask was looked at last.
    this.#page = front;
    this.#view = next;
    next.permitInput(this.#isInputPermitted);
    for (const [watcher, stop] of this.#watchers) {
      stop();
      this.#watchers.set(watcher, next.watch(watcher));
    }
    before.permitInput(false);
    await before.close();
  }
}
