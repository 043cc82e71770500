import type { JsonObject } from '../../lib/json/json.ts';
import type { RunBuyer, RunCard, ShopMoney } from '../types.ts';

/**
 * A shop's own interface for agents, as the engine sees it: create, update, complete and cancel a
 * checkout without a page. Each protocol is a folder that speaks its wire format
 * ({@link CommerceProtocol}); the rules of buying (identity, approval, permit, one order) are in
 * `engine/commerce` and hold for all of them. Amounts are smallest units of the checkout's
 * currency.
 */

/**
 * Where a checkout is; kept in the steps of a run, so that another runner can read what became of
 * it.
 */
export interface CheckoutPlace {
  readonly protocol: string;
  /** Of the protocol, as both sides speak it: `2026-04-08`. */
  readonly version: string;
  /** Base address of the interface, without a slash at the end. */
  readonly endpoint: string;
}

export interface CommerceLine {
  readonly id: string;
  readonly itemId: string;
  readonly title: string;
  /** Of one piece. */
  readonly unitPriceMinor: bigint;
  readonly quantity: number;
  readonly totalMinor: bigint;
}

/** A row of the summary, in the shop's order and words; what is taken off is negative. */
export interface CommerceTotal {
  readonly type: string;
  readonly title: string;
  readonly amountMinor: bigint;
}

export interface DeliveryOption {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly totalMinor: bigint;
}

/** A parcel and its ways of delivery. */
export interface DeliveryGroup {
  readonly id: string;
  readonly options: readonly DeliveryOption[];
  readonly selectedOptionId?: string;
}

export interface Delivery {
  readonly id: string;
  readonly lineIds: readonly string[];
  readonly destinations: readonly { readonly id: string; readonly address: string }[];
  readonly selectedDestinationId?: string;
  readonly groups: readonly DeliveryGroup[];
}

export interface CommerceMessage {
  readonly type: 'error' | 'warning' | 'info';
  readonly code: string;
  readonly severity: string;
  readonly text: string;
  /** JSONPath of what it is about; empty for the whole. */
  readonly path: string;
}

/** A way of paying that the shop offers for a checkout. */
export interface PaymentHandler {
  /** Of this shop's declaration. */
  readonly id: string;
  /** Whose specification it follows, reverse-domain: `com.example.processor_tokenizer`. */
  readonly name: string;
  readonly takesCards: boolean;
  readonly config: JsonObject;
}

export type CheckoutStatus =
  | 'incomplete'
  | 'requires_escalation'
  | 'ready_for_complete'
  | 'complete_in_progress'
  | 'completed'
  | 'canceled';

export interface CommerceCheckout {
  readonly id: string;
  readonly status: CheckoutStatus;
  /** ISO 4217, capital letters. */
  readonly currency: string;
  readonly lines: readonly CommerceLine[];
  readonly totals: readonly CommerceTotal[];
  /** The shop's grand total. */
  readonly totalMinor: bigint;
  readonly deliveries: readonly Delivery[];
  readonly messages: readonly CommerceMessage[];
  readonly handlers: readonly PaymentHandler[];
  /** The shop's page on which a person goes on. */
  readonly continueUrl?: string;
  readonly order?: { readonly id: string; readonly url?: string };
}

/** What a checkout shall be: each update says all of it again. */
export interface CheckoutWish {
  readonly itemId: string;
  readonly quantity: number;
  /** The currency in which the user has set the limit; a shop may charge in another. */
  readonly currency: string;
  readonly buyer: RunBuyer;
  /** Absent: the shop has not offered any so far. */
  readonly delivery?: {
    readonly id?: string;
    readonly lineIds: readonly string[];
    readonly destinationId?: string;
    readonly options: readonly { readonly groupId: string; readonly optionId: string }[];
  };
}

/** A token that stands for the card at this checkout, and nowhere else. */
export interface PaymentToken {
  readonly handler: PaymentHandler;
  readonly token: string;
  readonly display: {
    readonly brand: string;
    readonly lastDigits: string;
    readonly expirationMonth: number;
    readonly expirationYear: number;
  };
}

/** What a token is for. */
export interface TokenUse {
  readonly checkoutId: string;
  readonly total: ShopMoney;
  /** When it is asked for, by the service's clock. */
  readonly at: Date;
}

/**
 * A shop that was found to speak a protocol. Every call throws {@link CommerceRefusedError} or
 * {@link CommerceAwayError}.
 */
export interface CommerceShop {
  readonly place: CheckoutPlace;
  /** Why nothing can be bought through it here, as a sentence; absent where it can. */
  readonly unusable?: string;
  /** Whether goods are delivered by what both sides speak; false: digital goods only. */
  readonly delivers: boolean;
  /** Ways of paying that it publishes for all checkouts; a checkout may name others. */
  readonly handlers: readonly PaymentHandler[];
  /**
   * Which item stands for the product of a page. `exact`: the shop says so itself; else the
   * checkout's line has to prove it.
   */
  findItems(
    product: PageProduct,
  ): Promise<readonly { readonly id: string; readonly exact: boolean }[]>;
  create(wish: CheckoutWish, key: string): Promise<CommerceCheckout>;
  update(
    id: string,
    lines: readonly CommerceLine[],
    wish: CheckoutWish,
    key: string,
  ): Promise<CommerceCheckout>;
  read(id: string): Promise<CommerceCheckout>;
  /** Places the order. `key` makes a repeat the same call. */
  complete(id: string, payment: PaymentToken, key: string): Promise<CommerceCheckout>;
  cancel(id: string, key: string): Promise<CommerceCheckout>;
}

/** What the page of a product says of it, after the choice of its variant. */
export interface PageProduct {
  readonly url: string;
  readonly title: string;
  /**
   * Numbers that the page names for it: SKU, product and variant id; at most a few, the surest
   * first.
   */
  readonly ids: readonly string[];
  /** Values that were chosen: `M`, `blue`. */
  readonly choices: readonly string[];
}

export interface CommerceProtocol {
  readonly name: string;
  /** @returns undefined when the shop does not speak it, or in no version that we know */
  discover(origin: string): Promise<CommerceShop | undefined>;
  /** The shop of an earlier try. */
  reopen(place: CheckoutPlace): CommerceShop;
}

/** Everything that the engine needs of shops' own interfaces. */
export interface Commerce {
  /** The first protocol that the shop speaks. */
  discover(origin: string): Promise<CommerceShop | undefined>;
  reopen(place: CheckoutPlace): CommerceShop | undefined;
  /**
   * The first of the ways of paying for which the operator has an account at whoever makes tokens
   * of cards.
   */
  payable(shop: CommerceShop, checkout: CommerceCheckout): PaymentHandler | undefined;
  /**
   * Hands the card to the tokenizer, bound to this checkout and, where it can be, to the amount.
   * @throws CommerceAwayError, CommerceRefusedError
   */
  tokenize(handler: PaymentHandler, use: TokenUse, card: RunCard): Promise<PaymentToken>;
  close(): Promise<void>;
}

/** The other side answered, and not with what was asked for. */
export class CommerceRefusedError extends Error {
  /** Of HTTP; 200 where the answer itself says no. */
  readonly status: number;
  readonly messages: readonly CommerceMessage[];

  constructor(message: string, status: number, messages: readonly CommerceMessage[] = []) {
    super(message);
    this.status = status;
    this.messages = messages;
  }
}

/** No answer, or one that cannot be read: nobody knows whether the call was carried out. */
export class CommerceAwayError extends Error {}
