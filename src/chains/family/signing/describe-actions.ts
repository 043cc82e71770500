/** One thing that a transaction does, as the rest of a sentence. */
export interface SaidAction {
  readonly text: string;
  /** It moves money, or changes who may act for the wallet. */
  readonly matters: boolean;
}

export interface ActionWords {
  /** Between two, e.g. `, then `. */
  readonly joiner: string;
  /** What stands for so many that there is no room for, e.g. `make 3 more calls`. */
  readonly more: (count: number) => string;
  /** Of a transaction that does nothing. */
  readonly nothing?: string;
}

/** People read it in a message of a telephone, beside a code. */
const lengthMax = 200;

/**
 * What a transaction does, in its order where there is room for all of it. Where there is not, what
 * moves money or changes the wallet comes first, and whatever of it has no room is counted:
 * harmless calls before a payment hide nothing.
 */
export function describeActions(
  actions: readonly SaidAction[],
  { joiner, more, nothing = '' }: ActionWords,
): string {
  const whole = actions.map(({ text }) => text).join(joiner);
  if (actions.length < 2 || whole.length <= lengthMax) return whole || nothing;
  const ordered = [
    ...actions.filter(({ matters }) => matters),
    ...actions.filter(({ matters }) => !matters),
  ];
  let count = 1;
  const textOf = (length: number) =>
    ordered
      .slice(0, length)
      .map(({ text }) => text)
      .join(joiner);
  while (count < ordered.length - 1 && textOf(count + 1).length <= lengthMax) count++;
  const rest = ordered.slice(count);
  const mattering = rest.filter(({ matters }) => matters).length;
  const counted = mattering === 0 ? '' : `, ${mattering} of which move money or change the wallet`;
  return `${textOf(count)}${joiner}${more(rest.length)}${counted}`;
}
