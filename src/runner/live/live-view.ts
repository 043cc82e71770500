import type { CDPSession, Page } from 'playwright-core';
import { type LiveInput, liveInputSchema } from '../link/live-wire.ts';
import { neutralPicture } from './neutral-picture.ts';
import { type TypedSecret, TypedSecrets } from './typed-secrets.ts';

/** One picture of the page. */
export interface LiveFrame {
  readonly jpeg: Buffer;
  readonly isMasked: boolean;
}

/** The live picture of one page, and hands for it when the run permits. */
export interface LiveView {
  /**
   * Pictures from now on, one at a time: the next is taken when `onFrame` is done with this one.
   * @returns ends it
   */
  watch(onFrame: (frame: LiveFrame) => Promise<void> | void): () => void;
  /**
   * While on, watchers see a neutral picture, nothing of the page is taken and no input is done. On
   * before a secret is typed, off when it is gone: pictures begin again with one that the page
   * draws after that.
   */
  mask(isOn: boolean): Promise<void>;
  /** Take-over is off at first. */
  permitInput(isPermitted: boolean): void;
  /**
   * Does what the user did, in the order of the calls.
   * @returns false when it is not permitted or not readable, and was not done
   */
  input(event: LiveInput): Promise<boolean>;
  close(): Promise<void>;
}

const pictureSide = { maxWidth: 1_280, maxHeight: 900 };
const jpegQuality = 60;
/** How long a page may take to draw itself anew before it is shown again. */
const redrawMsMax = 2_000;

/** Told of what a user has typed by hand into secret fields. */
export type TellSecret = (secret: TypedSecret) => void;

/** Opens the live view of a page over CDP. Nothing is taken as long as nobody watches. */
export async function openLiveView(
  page: Page,
  tellSecret: TellSecret = () => undefined,
): Promise<LiveView> {
  const view = new RunningView(
    page,
    await page.context().newCDPSession(page),
    new TypedSecrets(page, tellSecret),
  );
  return {
    watch: (onFrame) => view.watch(onFrame),
    mask: (isOn) => view.mask(isOn),
    permitInput: (isPermitted) => view.permitInput(isPermitted),
    input: (event) => view.input(event),
    close: () => view.close(),
  };
}

type Watcher = (frame: LiveFrame) => Promise<void> | void;

class RunningView {
  readonly #page: Page;
  readonly #session: CDPSession;
  readonly #secrets: TypedSecrets;
  readonly #watchers = new Map<Watcher, { isBusy: boolean; next?: LiveFrame }>();
  #isMasked = false;
  #isInputPermitted = false;
  #last: LiveFrame | undefined;
  /** The call that is about to end the mask. */
  #unmasking: symbol | undefined;
  /** Inputs follow each other, too. */
  #doing: Promise<unknown> = Promise.resolve();
  #isButtonDown = false;
  /** Starting and stopping follow each other in the order in which they were asked for. */
  #casting: Promise<void> = Promise.resolve();

  constructor(page: Page, session: CDPSession, secrets: TypedSecrets) {
    this.#page = page;
    this.#session = session;
    this.#secrets = secrets;
    session.on('Page.screencastFrame', ({ data, sessionId }) => {
      // A picture that was under way when the mask went on is thrown away here.
      if (!this.#isMasked) this.#show({ jpeg: Buffer.from(data, 'base64'), isMasked: false });
      void this.#whenIdle().then(() =>
        session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined),
      );
    });
  }

  watch(onFrame: Watcher): () => void {
    this.#watchers.set(onFrame, { isBusy: false });
    const shown = this.#isMasked ? { jpeg: neutralPicture, isMasked: true } : this.#last;
    if (shown) this.#hand(onFrame, shown);
    if (this.#watchers.size === 1) void this.#cast();
    return () => {
      this.#watchers.delete(onFrame);
      if (this.#watchers.size === 0) {
        this.#last = undefined;
        void this.#cast();
      }
    };
  }

  async mask(isOn: boolean): Promise<void> {
    if (this.#isMasked === isOn && this.#unmasking === undefined) return this.#casting;
    const turn = Symbol('mask');
    this.#unmasking = isOn ? undefined : turn;
    if (!isOn) {
      await this.#redraw();
      // Masked again meanwhile, or unmasked by another call.
      if (this.#unmasking !== turn) return this.#casting;
      this.#unmasking = undefined;
    }
    this.#isMasked = isOn;
    this.#last = undefined;
    // What waited for a slow watcher shows the page as it was: it is replaced as well.
    if (isOn) {
      this.#show({ jpeg: neutralPicture, isMasked: true });
      this.#letGo();
    }
    await this.#cast();
  }

  permitInput(isPermitted: boolean): void {
    this.#isInputPermitted = isPermitted;
    if (isPermitted) return;
    this.#letGo();
    this.#secrets.end();
  }

  /** A button that the user holds down does not stay down when it is no longer theirs. */
  #letGo(): void {
    this.#doing = this.#doing
      .then(async () => {
        if (!this.#isButtonDown) return;
        this.#isButtonDown = false;
        await this.#page.mouse.up();
      })
      .catch(() => undefined);
  }

  input(event: LiveInput): Promise<boolean> {
    const done = this.#doing.then(() => this.#do(event));
    this.#doing = done.catch(() => undefined);
    return done;
  }

  async #do(event: LiveInput): Promise<boolean> {
    if (!this.#mayType() || !isReadable(event, this.#page.viewportSize())) return false;
    const { mouse, keyboard } = this.#page;
    // One letter is a key that was pressed: some fields listen to keys alone. More than one was
    // pasted.
    if (event.kind === 'text') {
      const { text } = event;
      await this.#secrets.type(text, () =>
        [...text].length === 1 ? keyboard.type(text) : keyboard.insertText(text),
      );
    } else if (event.kind === 'key')
      await this.#secrets.press(event.key, () => keyboard.press(event.key));
    else if (event.kind === 'wheel') await mouse.wheel(event.deltaX, event.deltaY);
    else {
      await mouse.move(event.x, event.y);
      if (event.type === 'move') return true;
      if (!this.#mayType()) return false;
      this.#isButtonDown = event.type === 'down';
      await mouse[event.type]();
    }
    return true;
  }

  #mayType(): boolean {
    return this.#isInputPermitted && !this.#isMasked;
  }

  async close(): Promise<void> {
    this.#secrets.end();
    this.#watchers.clear();
    await this.#cast();
    await this.#session.detach().catch(() => undefined);
  }

  /**
   * Takes pictures exactly when somebody may see them. A new start begins with a picture of what is
   * there then.
   */
  #cast(): Promise<void> {
    this.#casting = this.#casting.then(async () => {
      await this.#session.send('Page.stopScreencast').catch(() => undefined);
      if (this.#isMasked || this.#watchers.size === 0) return;
      await this.#session
        .send('Page.startScreencast', { format: 'jpeg', quality: jpegQuality, ...pictureSide })
        .catch(() => undefined);
    });
    return this.#casting;
  }

  /**
   * The compositor's last picture can be older than the page: a secret that has just left a field
   * may still be on it. A screenshot makes it draw.
   */
  async #redraw(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, redrawMsMax)));
    const clip = { x: 0, y: 0, width: 1, height: 1, scale: 1 };
    const drawn = this.#session
      .send('Page.captureScreenshot', { format: 'jpeg', quality: 1, clip })
      .then(
        () => undefined,
        () => undefined,
      );
    await Promise.race([drawn, late]);
    clearTimeout(timer);
  }

  #show(frame: LiveFrame): void {
    this.#last = frame;
    for (const watcher of this.#watchers.keys()) this.#hand(watcher, frame);
  }

  /** A watcher that is busy gets the newest picture when it is done, and never those between. */
  #hand(watcher: Watcher, frame: LiveFrame): void {
    const state = this.#watchers.get(watcher);
    if (!state) return;
    if (state.isBusy) {
      state.next = frame;
      return;
    }
    state.isBusy = true;
    void Promise.resolve()
      // The mask may have come since.
      .then(() => (this.#isMasked && !frame.isMasked ? undefined : watcher(frame)))
      .catch(() => undefined)
      .then(() => {
        state.isBusy = false;
        const { next } = state;
        state.next = undefined;
        if (next) this.#hand(watcher, next);
      });
  }

  /** Until one watcher is free: the browser takes the next picture only then. */
  async #whenIdle(): Promise<void> {
    const states = () => [...this.#watchers.values()];
    while (states().length > 0 && states().every((state) => state.isBusy))
      await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function isReadable(event: LiveInput, viewport: { width: number; height: number } | null): boolean {
  if (!liveInputSchema.safeParse(event).success) return false;
  return (
    event.kind !== 'mouse' ||
    (viewport !== null && event.x < viewport.width && event.y < viewport.height)
  );
}
