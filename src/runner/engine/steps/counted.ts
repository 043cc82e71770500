import type { AssignedField } from '../fields/assign.ts';
import { fillField } from '../fields/fill.ts';
import { partKindOf } from '../money/parts.ts';
import { formatMoney, parsePrice } from '../money/prices.ts';
import type { FieldInfo, Snapshot } from '../page/snapshot.ts';
import { fail, type Run, readPage } from '../run.ts';
import { plain } from '../words/words.ts';

/**
 * What the goods cost by the page: amounts of its subtotal and of rows that name the product, in
 * smallest units.
 */
function goodsOn(run: Run, snapshot: Snapshot): readonly bigint[] {
  const { productTitle, pageCurrency } = run.state;
  const title = plain(productTitle);
  const context = { expected: run.task.maxCost.currency, ...(pageCurrency && { pageCurrency }) };
  return snapshot.prices
    .filter(({ struck, inButton, label, row }) => {
      const isNamed =
        title !== '' && plain(`${label} ${row.length < 200 ? row : ''}`).includes(title);
      return !struck && !inButton && (isNamed || partKindOf(label) === 'subtotal');
    })
    .flatMap(({ text }) => parsePrice(text, context)?.amountMinor ?? []);
}

/**
 * Whether the goods became so many times as much, or such a part: taxes and delivery of another
 * place do not do that.
 */
export function isCounted(before: readonly bigint[], after: readonly bigint[]): boolean {
  if (before.length === 0 || before.length !== after.length) return false;
  return before.some((old, index) => {
    const now = after[index]!;
    const [less, more] = old < now ? [old, now] : [now, old];
    return less > 0n && more !== less && more % less === 0n;
  });
}

/**
 * What was typed has changed how many the shop counts: a field that was no field of the buyer. The
 * least sure of those that were filled are taken back one by one, until the goods cost what they
 * did; the user reads which. Undefined: nothing of the kind has happened.
 * @throws RunStop when nothing brings it back
 */
export async function takeBackCounted(
  run: Run,
  {
    before,
    after,
    filled,
  }: {
    readonly before: Snapshot;
    readonly after: Snapshot;
    readonly filled: readonly AssignedField[];
  },
): Promise<AssignedField | undefined> {
  const goods = goodsOn(run, before);
  if (!isCounted(goods, goodsOn(run, after))) return undefined;
  const costOf = (amounts: readonly bigint[]) =>
    formatMoney({ amountMinor: amounts[0]!, currency: run.task.maxCost.currency });
  const cost = `${costOf(goods)} became ${costOf(goodsOn(run, after))}`;
  let snapshot = after;
  for (const one of filled.toSorted((a, b) => a.score - b.score)) {
    const field = snapshot.fields.find((other) => isSame(other, one.field));
    if (field === undefined || field.value === one.field.value) continue;
    await putBack(snapshot, field, one.field.value);
    snapshot = await readPage(run, { quietMs: 300 });
    if (
      isCounted(goods, goodsOn(run, snapshot)) ||
      goodsOn(run, snapshot).some((amount, index) => amount !== goods[index])
    )
      continue;
    const name = (one.field.label || one.field.near || one.field.name).slice(0, 60);
    run.log.warn(
      { field: name, meaning: one.meaning },
      'What was typed has changed the goods, and was taken back.',
    );
    await run.ports.progress({
      title: 'Took back what was typed',
      message: `“${name}” changed what the shop counts: ${cost}.`,
    });
    return one;
  }
  return fail(
    run,
    `What was typed into the form changed what the shop counts (${cost}), and could not be taken back.`,
  );
}

const isSame = (one: FieldInfo, other: FieldInfo) =>
  one.name === other.name && one.id === other.id && one.label === other.label;

async function putBack(snapshot: Snapshot, field: FieldInfo, value: string): Promise<void> {
  if (value !== '') await fillField(snapshot, field, [value]);
  else {
    const element = await snapshot.element(field.ref).catch(() => undefined);
    await element?.fill('', { timeout: 3_000 }).catch(() => undefined);
    await element
      ?.evaluate((el) => (el as unknown as { blur(): void }).blur())
      .catch(() => undefined);
  }
}
