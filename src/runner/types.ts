import type { Json, JsonObject } from '../lib/json/json.ts';

/**
 * What a run of an agent checkout is, as the runner process and the worker see it. The runner
 * drives a browser and has no database: whatever has to be remembered goes through
 * {@link RunPorts}, which the worker serves and fences.
 */

/**
 * In this order. Steps before `armed` may be repeated; from `armed` on nothing is clicked that
 * could buy, but the one button, and that once more only where the order gate proves that the shop
 * has swallowed the click and nothing has left the browser.
 */
export const runSteps = [
  'accepted',
  'open',
  'login',
  'select',
  'add-to-cart',
  'contact',
  'shipping',
  'payment',
  'quote',
  'approve',
  'authorise',
  'fill-card',
  'armed',
  'placed',
  'confirm',
  'settled',
] as const;
export type RunStep = (typeof runSteps)[number];

/**
 * Money as a shop shows it and as it is compared: smallest units of an ISO 4217 currency in capital
 * letters.
 */
export interface ShopMoney {
  readonly amountMinor: bigint;
  readonly currency: string;
}

/** Who buys and where to; what is absent is asked of the user. */
export interface RunBuyer {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly shipping?: {
    readonly addressLines: readonly string[];
    readonly locality: string;
    /** ISO 3166-2, e.g. `US-CA`. */
    readonly administrativeAreaCode?: string;
    readonly postalCode?: string;
    /** ISO 3166-1 alpha-2. */
    readonly countryCode: string;
  };
}

/** What a browser remembers of the origins it visited; sealed wherever it rests. */
export interface BrowserState {
  readonly cookies: readonly JsonObject[];
  readonly origins: readonly {
    readonly origin: string;
    readonly localStorage: readonly { readonly name: string; readonly value: string }[];
    readonly sessionStorage: readonly { readonly name: string; readonly value: string }[];
    /** As Playwright's storageState gives it. */
    readonly indexedDB?: Json;
  }[];
}

/** What the runner is to do. */
export interface RunTask {
  readonly checkoutId: string;
  readonly url: string;
  /**
   * The user's words, e.g. `size M, blue, two of them`. Data, never instructions to anything but
   * the choice of options.
   */
  readonly request?: string;
  readonly merchantContext?: string;
  readonly maxCost: ShopMoney;
  readonly buyer: RunBuyer;
  /** Snapshot of the user's browser profile; absent without one. */
  readonly browserState?: BrowserState;
  /** What the browser learns is kept, in a profile of the user; absent: it is not even read. */
  readonly keepsBrowserState?: boolean;
  /** The last step that an earlier try has recorded, with its evidence; absent on the first try. */
  readonly resume?: { readonly step: RunStep; readonly evidence: readonly StepEvidence[] };
  /** Origins that a fixture or a configuration allows although they are private. */
  readonly allowedPrivateOrigins: readonly string[];
  /**
   * Frames into which a card may be typed beside the checkout's own origin, e.g.
   * `https://js.stripe.com`.
   */
  readonly paymentFrameOrigins: readonly string[];
  /** Everything of the run together. */
  readonly timeoutMs: number;
}

/**
 * What proves that a step is done. No secret and no personal data beyond what the step log may
 * show.
 */
export interface StepEvidence {
  readonly step: RunStep;
  readonly at: string;
  /** Address of the page, without query values. */
  readonly url?: string;
  readonly detail?: JsonObject;
}

/** What the user is asked. The worker makes message and responseSchema of it. */
export type UserActionRequest =
  | {
      readonly kind: 'contact-and-shipping';
      readonly missing: readonly string[];
      readonly countries?: readonly string[];
    }
  | {
      readonly kind: 'option-choice';
      readonly question: string;
      readonly options: readonly { readonly value: string; readonly title: string }[];
    }
  | {
      readonly kind: 'merchant-login';
      readonly origin: string;
      readonly needs: readonly ('username' | 'password')[];
    }
  | { readonly kind: 'one-time-code'; readonly origin: string; readonly sentTo?: string }
  | { readonly kind: 'payment-credential'; readonly origin: string; readonly total: ShopMoney }
  | {
      readonly kind: 'approve-purchase';
      readonly origin: string;
      readonly total: ShopMoney;
      readonly lines: readonly { readonly title: string; readonly amount?: string }[];
      readonly delivery?: string;
      /** The way of paying and the delivery address, as the shop says them. */
      readonly paying?: string;
      readonly address?: string;
    }
  | { readonly kind: 'three-d-secure'; readonly origin: string }
  | { readonly kind: 'human-verification'; readonly origin: string }
  | { readonly kind: 'confirm-outcome'; readonly origin: string; readonly question: string }
  | { readonly kind: 'free-question'; readonly question: string };
export type UserActionKind = UserActionRequest['kind'];

/**
 * `values` fit the schema of the action. Secrets among them are for the page alone: never log or
 * keep them.
 */
export type UserActionAnswer =
  | { readonly action: 'submit'; readonly values: JsonObject }
  | { readonly action: 'decline'; readonly reason?: string }
  | { readonly action: 'expired' };

/** A card to pay with, for this one run. Typed into detected card fields only, and kept nowhere. */
export interface RunCard {
  readonly number: string;
  readonly expirationMonth: number;
  readonly expirationYear: number;
  readonly cvc: string;
  readonly holder: string;
  readonly postalCode?: string;
}

/** What is about to be bought: compared with the cap once more before the permit is given. */
export interface ArmRequest {
  readonly total: ShopMoney;
  readonly origin: string;
  /** Both sources that the total was read from. */
  readonly sources: readonly { readonly source: string; readonly text: string }[];
}

/**
 * What the issuer of the run's card has seen; `unknown` where nobody can be asked (the user's own
 * card).
 */
export type CardUse =
  | { readonly state: 'unknown' }
  | { readonly state: 'not-used' }
  | { readonly state: 'authorised'; readonly total: ShopMoney };

/**
 * The live picture of the run. On before a secret is typed, off once it has left the page: watchers
 * see a neutral picture meanwhile.
 */
export interface RunScreen {
  mask(isOn: boolean): Promise<void>;
  /**
   * Whether a user has typed by hand: nobody knows what, so that pictures for the log show no field
   * from then on.
   */
  wasTyped?(): boolean;
}

/** How a run ended. `placed: 'unknown'` keeps the item locked until somebody decides. */
export type RunEnd =
  | {
      readonly outcome: 'succeeded';
      readonly total: ShopMoney;
      readonly merchantOrderId?: string;
      readonly confirmationUrl?: string;
      readonly confirmationText?: string;
    }
  | {
      readonly outcome: 'failed';
      readonly reason:
        | 'max_cost_exceeded'
        | 'user_cancelled'
        | 'user_action_expired'
        | 'automation_failed';
      readonly message: string;
      readonly placed: 'no' | 'unknown';
    }
  | { readonly outcome: 'cancelled'; readonly placed: 'no' | 'unknown' };

/** The run was taken away (lease lost, checkout ended): stop at once and say nothing more. */
export class RunLostError extends Error {}
/**
 * The user cancelled the checkout: stop at the next safe place. Not thrown once the run is armed.
 */
export class RunCancelledError extends Error {}

/**
 * What the engine may ask of the outside. Every call is fenced: after a lost lease it throws
 * {@link RunLostError}.
 */
export interface RunPorts {
  /**
   * Records that a step is done before the next one begins.
   * @throws RunCancelledError before `armed`
   */
  record(evidence: StepEvidence): Promise<void>;
  /** A line for the user, e.g. `Added to the cart`. */
  progress(item: { readonly title: string; readonly message?: string }): Promise<void>;
  /** A masked picture for the step log. */
  picture(input: { readonly step: RunStep; readonly jpeg: Buffer }): Promise<void>;
  /** Asks the user and waits for the answer or the end of its time. */
  ask(request: UserActionRequest): Promise<UserActionAnswer>;
  /**
   * Commits that the paying click may come, once for the whole checkout, and for at most the
   * approved total.
   * @returns false when an earlier try was armed: reconcile, never click
   */
  arm(request: ArmRequest): Promise<boolean>;
  /** The card of this run; only after `approve-purchase`. */
  card(input: { readonly total: ShopMoney; readonly origin: string }): Promise<RunCard>;
  /**
   * Whether the card of this run was charged: one of the things that tell after the click whether
   * the shop has the order.
   */
  cardUse(): Promise<CardUse>;
  /**
   * Keeps what the browser learned in the profile; false when another run was faster and its state
   * stays.
   */
  saveBrowserState(state: BrowserState): Promise<boolean>;
}
