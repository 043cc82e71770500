/** What the chain holds, as text by key: see `assets.ts` and `accounts.ts` for the keys. */
export interface Reading {
  get(key: string): string | undefined;
}

export type Change = readonly [key: string, value: string | null];

/** Changes over a state, kept apart until they are taken over. */
export class Draft implements Reading {
  readonly #base: Reading;
  readonly #changed = new Map<string, string | null>();

  constructor(base: Reading) {
    this.#base = base;
  }

  get(key: string): string | undefined {
    const own = this.#changed.get(key);
    return own === undefined ? this.#base.get(key) : (own ?? undefined);
  }

  set(key: string, value: string | null): void {
    this.#changed.set(key, value);
  }

  changes(): Change[] {
    return [...this.#changed];
  }
}

/** Takes changes over. */
export function applyChanges(state: Map<string, string>, changes: readonly Change[]): void {
  for (const [key, value] of changes)
    if (value === null) state.delete(key);
    else state.set(key, value);
}
