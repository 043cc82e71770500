import { clearLayers } from '../../act.ts';
import { captionOf } from '../../buttons.ts';
import type { Snapshot } from '../../page/snapshot.ts';
import { ask, fail, type Run, readPage } from '../../run.ts';
import { plain, words } from '../../words/words.ts';
import type { PageGroup } from './groups.ts';
import { productButton } from './product-button.ts';

/** The groups of options that a page has now. */
export type GroupsOf = (snapshot: Snapshot) => readonly PageGroup[];

const asksMax = 3;
/** Every one costs a reading of the page. */
const looksMax = 16;
const sentenceMax = 90;

/**
 * What each option allows by itself may be sold out together: then the page says so only once all
 * are chosen. The options that go with the rest are found by choosing them, and the user takes one.
 * `chosen` is changed to what was taken.
 * @throws RunStop when nothing goes with the rest, or the user declines
 */
export async function replaceSoldOut(
  run: Run,
  {
    opened,
    snapshot: given,
    groupsOf,
    chosen,
  }: { opened: Snapshot; snapshot: Snapshot; groupsOf: GroupsOf; chosen: Record<string, string> },
): Promise<Snapshot> {
  let snapshot = given;
  for (let asked = 0; asked < asksMax; asked += 1) {
    const said = soldOutNow(run, opened, snapshot, groupsOf);
    if (said === undefined) return snapshot;
    const wanted = groupsOf(snapshot).filter(
      (group) => chosen[group.key] !== undefined && group.options.length > 1,
    );
    if (wanted.length === 0) return snapshot;
    const found = await findOthers(run, { opened, snapshot, groupsOf, chosen });
    snapshot = found.snapshot;
    const together = wanted.map((group) => chosen[group.key]).join(', ');
    if (found.others.length === 0)
      fail(run, `“${together}” is sold out, and the shop offers nothing in its place.`);
    const values = await ask(run, {
      kind: 'option-choice',
      question: `“${together}” is sold out. What should be bought instead?`,
      options: found.others.map(({ title }, index) => ({ value: String(index), title })),
    });
    const other =
      found.others[Number(values['choice'])] ??
      fail(run, 'The chosen option is not among those of the shop.');
    chosen[other.key] = other.option;
    snapshot = await choose(run, snapshot, groupsOf, other);
  }
  return snapshot;
}

interface Other {
  readonly key: string;
  readonly option: string;
  /** For the user. */
  readonly title: string;
}

/**
 * What goes with the other options, one group changed at a time; the page is left with the options
 * that were chosen.
 */
async function findOthers(
  run: Run,
  {
    opened,
    snapshot: given,
    groupsOf,
    chosen,
  }: { opened: Snapshot; snapshot: Snapshot; groupsOf: GroupsOf; chosen: Record<string, string> },
): Promise<{ readonly snapshot: Snapshot; readonly others: readonly Other[] }> {
  const others: Other[] = [];
  let snapshot = given;
  let looks = 0;
  const keys = groupsOf(given).flatMap((group) =>
    chosen[group.key] === undefined || group.options.length < 2 ? [] : [group.key],
  );
  for (const key of keys) {
    const group = groupsOf(snapshot).find((one) => one.key === key);
    const label = group?.label.replace(/[:*\s]+$/, '') ?? '';
    for (const { title, disabled } of group?.options ?? []) {
      if (disabled || title === chosen[key] || looks >= looksMax) continue;
      looks += 1;
      const other = {
        key,
        option: title,
        title: label === '' || keys.length === 1 ? title : `${label}: ${title}`,
      };
      snapshot = await choose(run, snapshot, groupsOf, other);
      if (
        isChosen(groupsOf(snapshot), other) &&
        keepsRest(groupsOf(snapshot), chosen, key) &&
        !soldOutNow(run, opened, snapshot, groupsOf)
      )
        others.push(other);
    }
    for (const one of keys)
      snapshot = await choose(run, snapshot, groupsOf, { key: one, option: chosen[one]! });
  }
  return { snapshot, others };
}

/** The other groups still have what was chosen: shops move on by themselves to what they have. */
const keepsRest = (groups: readonly PageGroup[], chosen: Record<string, string>, but: string) =>
  groups.every(
    (group) =>
      group.key === but ||
      chosen[group.key] === undefined ||
      isChosen(groups, { key: group.key, option: chosen[group.key]! }),
  );

/** Swatches without a mark tell nothing: a click on them counts. */
function isChosen(
  groups: readonly PageGroup[],
  { key, option }: Pick<Other, 'key' | 'option'>,
): boolean {
  const group = groups.find((one) => one.key === key);
  return group !== undefined && (group.chosen < 0 || group.options[group.chosen]?.title === option);
}

async function choose(
  run: Run,
  snapshot: Snapshot,
  groupsOf: GroupsOf,
  { key, option }: Pick<Other, 'key' | 'option'>,
): Promise<Snapshot> {
  const group = groupsOf(snapshot).find((one) => one.key === key);
  const index = group?.options.findIndex((one) => one.title === option) ?? -1;
  if (group === undefined || index < 0 || group.chosen === index || group.options[index]!.disabled)
    return snapshot;
  await group.choose(index);
  return clearLayers(run, await readPage(run));
}

/**
 * What says that the chosen options are sold out: the button into the cart, or with a button that
 * cannot be pressed, or a line of its own that was not there before the options were chosen. Names
 * of options (“L – sold out”) say it of themselves only.
 */
function soldOutNow(
  run: Run,
  opened: Snapshot,
  snapshot: Snapshot,
  groupsOf: GroupsOf,
): string | undefined {
  const own = (region: string) => !['header', 'footer', 'nav', 'dialog', 'aside'].includes(region);
  const titles = groupsOf(snapshot).flatMap((group) =>
    group.options.map(({ title }) => plain(title)),
  );
  const caption = snapshot.buttons
    .filter((button) => own(button.region) && button.tag !== 'a')
    .map(captionOf)
    .find((text) => text.length < 40 && words.soldOut.test(text) && !titles.includes(plain(text)));
  const add = productButton(run, snapshot);
  if (
    caption !== undefined &&
    (add === undefined || add.disabled || words.soldOut.test(captionOf(add)))
  )
    return caption;
  const before = new Set(opened.text.split('\n'));
  return [...snapshot.alerts, ...snapshot.text.split('\n')].find(
    (line) =>
      line.length <= sentenceMax &&
      words.soldOut.test(line) &&
      (add === undefined || add.disabled || !before.has(line)) &&
      !titles.some((title) => title.length > 1 && plain(line) === title),
  );
}
