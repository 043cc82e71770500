import type { Ctx } from '../../context.ts';
import type { Statement } from '../../store/types.ts';

/** Something that waits for an operator. */
export interface AttentionItem {
  /** Whose it is, e.g. `order`, `deposit`: with the id its name. */
  readonly kind: string;
  readonly id: string;
  readonly projectId: string;
  /** Since when it waits. */
  readonly since: Date;
  /** When something happens by itself, or is too late. */
  readonly deadlineAt?: Date | undefined;
  /** What it is, in few words. */
  readonly title: string;
  /** Why it waits: text of others, to be shown as text. */
  readonly reason: string;
  /** What it is about, as a decimal of whole units. */
  readonly amount?: { readonly amount: string; readonly currency: string } | undefined;
  /** The order that it belongs to, or seems to. */
  readonly orderId?: string | undefined;
  /**
   * What can be decided, the one that usually fits first. Empty: it ends by itself, or elsewhere.
   */
  readonly decisions: readonly AttentionDecision[];
  /** The same at the command line. */
  readonly command: string;
}

/** One way to decide it. */
export interface AttentionDecision {
  /** Name of the rule. */
  readonly rule: string;
  readonly label: string;
  /** What it does to the money, in a sentence. */
  readonly effect: string;
  readonly params: Readonly<Record<string, string | number>>;
  /** What the operator has to name beside the reason. */
  readonly asks?: readonly {
    readonly name: string;
    readonly label: string;
    readonly optional?: boolean;
  }[];
}

/** A place in the list, which is sorted by age and then id. */
export interface AttentionPlace {
  readonly at: Date;
  readonly id: string;
}

/** What an area has that waits. */
export interface AttentionSource {
  readonly kind: string;
  /** Oldest first, behind a place. */
  list(
    ctx: Ctx,
    input: {
      readonly projectId: string;
      readonly after?: AttentionPlace | undefined;
      readonly limit: number;
    },
  ): Promise<AttentionItem[]>;
  /** How many there are, counted up to `max`. */
  count(ctx: Ctx, input: { readonly projectId: string; readonly max: number }): Promise<number>;
}

/** Counts the rows of a statement that has a limit of its own. */
export async function countRows(
  { store }: Pick<Ctx, 'store'>,
  statement: Statement,
): Promise<number> {
  return (await store.query(statement)).rowCount;
}
