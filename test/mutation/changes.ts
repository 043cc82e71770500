/**
 * What mutants of both languages are made of: which sign stands beside which, which number beside
 * which, and chance by a seed.
 */

/** By operator, what it may become: first the boundary (n and n + 1), then the opposite. */
export const swapOf: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<'],
  '>': ['>=', '<='],
  '>=': ['>'],
  '==': ['!='],
  '!=': ['=='],
  '===': ['!=='],
  '!==': ['==='],
  '&&': ['||'],
  '||': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '&': ['|'],
  '|': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '+=': ['-='],
  '-=': ['+='],
};

export function constantsBeside(text: string): readonly string[] {
  const value = Number(text.replaceAll('_', ''));
  if (!Number.isSafeInteger(value)) return [];
  if (value >= 1_000) return [String(Math.floor(value / 8)), String(value * 8)];
  return value === 0 ? ['1'] : [String(value + 1), String(value - 1)];
}

/** The same order in every run with this seed. */
export function shuffle<T>(items: readonly T[], seed: number): T[] {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return items
    .map((item) => ({ item, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
