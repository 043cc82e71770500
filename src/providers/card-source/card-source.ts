import type { CardUse, RunCard, ShopMoney } from '../../runner/types.ts';

/**
 * Where the card of an agent checkout comes from: an issuer that makes a card for one purchase, or
 * nobody, and then the user is asked. A broken connection is a `CardProviderError` of
 * `src/providers/card`; what an issuer does not do is a result. Every source passes
 * `card-source.contract.ts`.
 */
export interface CardSource {
  readonly name: 'user' | 'sandbox' | 'stripe-issuing';
  /**
   * False where the user's own card pays: nothing is made, nobody can be asked about its use,
   * nothing has to be closed.
   */
  readonly issues: boolean;
  /**
   * Makes a card, or finds it again: `key` is the idempotency key. It pays `limit` at most, all its
   * payments together.
   * @throws CardProviderError; CardRefusedError for another limit under a used key
   */
  issue(input: IssueCardInput): Promise<IssuedCard | NoCard>;
  /** What was paid with it. @throws CardProviderError */
  readUse(card: CardPlace): Promise<CardUse>;
  /**
   * From now on nothing is paid with it; what was authorised stays. Repeating it is the same, also
   * for a card that never was.
   * @throws CardProviderError
   */
  close(card: CardPlace): Promise<void>;
}

export interface IssueCardInput {
  /** `A-Z a-z 0-9 _ -`, 1 to 100 characters. */
  readonly key: string;
  readonly limit: ShopMoney;
}

/** `card` is for the page alone: never stored readable, never logged. */
export interface IssuedCard {
  /** The issuer's id. */
  readonly reference: string;
  readonly card: RunCard;
}

/** The source has no card for this: the user is asked. `none` says why, for the log. */
export interface NoCard {
  readonly none: string;
}

export interface CardPlace {
  readonly key: string;
  /** Unknown when the issuer's answer was lost. */
  readonly reference?: string;
}
