/** The seeds that a variable names: `7`, `3,9` or `1-20`. */
export function seedsOf(text: string | undefined): readonly number[] | undefined {
  return text?.split(',').flatMap((part) => {
    const [first, last = first] = part.split('-').map(Number);
    if (!Number.isInteger(first) || !Number.isInteger(last))
      throw new Error(`SHOP_SEED is ${text}: name seeds such as 7, 3,9 or 1-20.`);
    return Array.from({ length: last! - first! + 1 }, (_, index) => first! + index);
  });
}
