/** Runs work on items, at most `max` at once; answers in their order. */
export async function inParallel<Item, Answer>(
  items: readonly Item[],
  max: number,
  work: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers = new Array<Answer>(items.length);
  let next = 0;
  async function worker(): Promise<void> {
    for (let index = next++; index < items.length; index = next++)
      answers[index] = await work(items[index]!);
  }
  await Promise.all(Array.from({ length: Math.min(max, items.length) }, worker));
  return answers;
}
