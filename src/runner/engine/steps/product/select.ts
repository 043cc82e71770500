import { clearLayers } from '../../act.ts';
import { assignFields } from '../../fields/assign.ts';
import { asksCount, countIn, countOfField, countSpellings } from '../../fields/count.ts';
import { fillField } from '../../fields/fill.ts';
import { pricesIn } from '../../money/prices.ts';
import type { FieldInfo, Snapshot } from '../../page/snapshot.ts';
import { askOnce, fail, type Run, reach, readPage } from '../../run.ts';
import { unstick } from '../../stuck.ts';
import { wantedQuantity } from '../../wanted-quantity.ts';
import { surelyWantedIn, wantedIn } from '../../words/wishes.ts';
import { comesAgain, isPlan, plain, words } from '../../words/words.ts';
import { untickExtras } from '../choices.ts';
import { askTexts } from '../texts.ts';
import { drawnLists, groupsMax, isPlanAlone, type PageGroup, variantGroups } from './groups.ts';
import { choiceOf, openLinkedVariant } from './linked-variants.ts';
import { refuseListing, refusePrice } from './product-page.ts';
import { noteSet, noteSurcharge } from './quantity.ts';
import { replaceSoldOut } from './sold-out.ts';
import { findStepper, pressStepper } from './steppers.ts';

/** Chooses variants and quantity by the request; what it leaves open is asked. */
export async function select(run: Run, opened: Snapshot): Promise<Snapshot> {
  let snapshot = opened;
  const request = run.task.request ?? '';
  const chosen: Record<string, string> = {};
  const offered: Record<string, readonly string[]> = {};
  refuseListing(run, snapshot);
  snapshot = await openLinkedVariant(run, snapshot);
  if (await untickExtras(run, snapshot)) snapshot = await readPage(run);
  for (let round = 0; round < groupsMax * 2; round += 1) {
    const isNew = (one: PageGroup) => chosen[one.key] === undefined;
    const group =
      variantGroups(run, snapshot).find(isNew) ??
      (await drawnLists(snapshot, (key) => chosen[key] === undefined));
    if (group === undefined) break;
    const index = await decide(run, group, request);
    chosen[group.key] = group.options[index]!.title;
    offered[group.key] = group.options.map(({ title }) => bareTitle(title));
    const isChosen =
      group.chosen === index ||
      (await group.choose(index)) ||
      (await isChosenAgain(run, group, index));
    if (!isChosen && !(await isChosenWithHelp(run, group, index)))
      fail(run, `The option “${group.options[index]!.title}” could not be chosen.`);
    snapshot = await clearLayers(run, await readPage(run));
  }
  readTitleAgain(run, snapshot);
  snapshot = await replaceSoldOut(run, {
    opened,
    snapshot,
    groupsOf: (page) => variantGroups(run, page),
    chosen,
  });
  run.state.choices = Object.entries(chosen).map(([key, title]) => ({
    chosen: bareTitle(title),
    others: (offered[key] ?? []).filter((other) => other !== bareTitle(title)),
  }));
  noteSurcharge(run, sumOfSurcharges(run, Object.values(chosen)));
  run.state.quantity = wantedQuantity(request) ?? 1;
  snapshot = await setQuantity(run, snapshot);
  snapshot = await askTexts(run, snapshot);
  refusePrice(run, snapshot);
  await reach(run, 'select', { options: Object.values(chosen), quantity: run.state.quantity });
  return snapshot;
}

/**
 * The product's title once its variant is chosen: some pages name it then. Both are its names from
 * here on.
 */
function readTitleAgain(run: Run, { heading }: Snapshot): void {
  const [old, now] = [run.state.productTitle, heading.trim()];
  const wordsOf = (title: string) =>
    plain(title)
      .split(/[^\p{L}\d]+/u)
      .filter((word) => word.length > 2);
  const kept = wordsOf(old).filter((word) => wordsOf(now).includes(word)).length;
  if (now === '' || now === old || kept * 2 < wordsOf(old).length || kept === 0) return;
  run.state.titleBefore = old;
  run.state.productTitle = now;
}

/**
 * What has come over the page meanwhile, or has drawn it anew, may have kept an option from being
 * chosen: once more.
 */
async function isChosenAgain(run: Run, group: PageGroup, index: number): Promise<boolean> {
  const page = await clearLayers(run, await readPage(run));
  const isSame = (key: string) => key === group.key;
  const same =
    variantGroups(run, page).find(({ key }) => isSame(key)) ?? (await drawnLists(page, isSame));
  const at = same?.options.findIndex(({ title }) => title === group.options[index]!.title) ?? -1;
  return same !== undefined && at >= 0 && (same.chosen === at || same.choose(at));
}

async function isChosenWithHelp(run: Run, group: PageGroup, index: number): Promise<boolean> {
  const goal = {
    kind: 'choose-option',
    group: group.label,
    option: group.options[index]!.title,
  } as const;
  return (await unstick(run, goal, await readPage(run)))?.isDone === true;
}

/**
 * Of what comes again and again, or costs more, the one without it; `ask` where the request may mean
 * that it is not wanted; undefined where it is wanted, or the choice is another.
 */
export function withoutExtra(
  { label, options }: Pick<PageGroup, 'label' | 'options'>,
  request: string,
): number | 'ask' | undefined {
  const wanted = wantedIn(request);
  const hasExtra = (text: string) => words.extra.test(text);
  const hasPlan = options.some(({ title }) => isPlan(title));
  const hasExtraOption = options.some(({ title }) => hasExtra(title));
  const isWanted = comesAgain(wanted) && !words.oneTime.test(wanted);
  const once = options.findIndex(({ title }) => words.oneTime.test(title));
  if (once >= 0 && !isWanted && (hasPlan || hasExtraOption)) return once;
  const isExtra = hasExtraOption || hasExtra(label);
  const none = options.findIndex(({ title }) => words.none.test(title));
  if (none >= 0 && isExtra && !hasExtra(wanted)) return none;
  const isUnclear = (says: (text: string) => boolean) =>
    says(request) && !says(surelyWantedIn(request));
  return (hasPlan && isUnclear(comesAgain)) || (isExtra && isUnclear(hasExtra)) ? 'ask' : undefined;
}

async function decide(run: Run, group: PageGroup, request: string): Promise<number> {
  const without = withoutExtra(group, request);
  if (typeof without === 'number') return without;
  if (isPlanAlone(group) && !comesAgain(surelyWantedIn(request)) && without !== 'ask')
    fail(
      run,
      `The shop sells it only so that it comes again and again (“${group.options[0]!.title}”).`,
    );
  const open = group.options.flatMap((option, index) => (option.disabled ? [] : [index]));
  if (open.length === 0) fail(run, 'The product is sold out.');
  if (open.length === 1 && group.options.length === 1 && without !== 'ask') return open[0]!;
  const found =
    without === 'ask'
      ? ({ kind: 'none' } as const)
      : choiceOf(group, request, run.state.productTitle);
  if (found.kind === 'one') return found.index;
  if (found.kind === 'gone') return askInstead(run, group, { gone: found.index, open });
  const offered = found.kind === 'several' ? found.indexes : open;
  const values = await askOnce(run, `option/${group.key}`, {
    kind: 'option-choice',
    question: bareLabel(group) === '' ? 'Which one?' : `Which ${bareLabel(group)}?`,
    options: offered.map((index) => ({ value: String(index), title: group.options[index]!.title })),
  });
  const index = Number(values['choice']);
  if (!offered.includes(index)) fail(run, 'The chosen option is not among those of the shop.');
  return index;
}

/** The one that was asked for is sold out: another one is bought only when the user wants it. */
async function askInstead(
  run: Run,
  group: PageGroup,
  { gone, open }: { readonly gone: number; readonly open: readonly number[] },
): Promise<number> {
  const values = await askOnce(run, `instead/${group.key}/${group.options[gone]!.title}`, {
    kind: 'option-choice',
    question: `“${bareTitle(group.options[gone]!.title)}” is sold out. Which ${bareLabel(group) || 'one'} should it be instead?`,
    options: open.map((index) => ({ value: String(index), title: group.options[index]!.title })),
  });
  const index = Number(values['choice']);
  if (!open.includes(index)) fail(run, 'The chosen option is not among those of the shop.');
  return index;
}

/** What a choice is called; empty where nothing with letters stands at it. */
const bareLabel = ({ label }: PageGroup) =>
  /\p{L}{2}|[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}]/u.test(label)
    ? label.replace(/[:*\s]+$/, '')
    : '';
const surcharge = /\s*[([]?\s*\+\s?[^\d\s]{0,3}\s?\d[^()]*[)\]]?\s*$/;
const bareTitle = (title: string) =>
  title
    .replace(surcharge, '')
    .replace(words.soldOut, '')
    .replace(/[\s()[\]–—-]+$/, '')
    .trim() || title;

/**
 * What chosen options add to the price, as they say it: “Large (+$20.00)”. In smallest units of the
 * limit's currency.
 */
function sumOfSurcharges(run: Run, titles: readonly string[]): bigint {
  const context = {
    expected: run.task.maxCost.currency,
    ...(run.state.pageCurrency && { pageCurrency: run.state.pageCurrency }),
  };
  const added = titles.flatMap((title) =>
    pricesIn(surcharge.exec(title)?.[0] ?? '', context).slice(0, 1),
  );
  return added.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

/** The quantity of the product page, when it can be set there; the cart is checked in any case. */
async function setQuantity(run: Run, snapshot: Snapshot): Promise<Snapshot> {
  const field = quantityField(snapshot);
  if (field === undefined || field.readOnly) return stepTo(run, snapshot);
  if (run.state.quantity === countOfField(field)) {
    noteSet(run, run.state.quantity);
    return snapshot;
  }
  await fillField(snapshot, field, countSpellings(field, run.state.quantity));
  const after = await readPage(run);
  const kept = quantityField(after);
  if (kept?.invalid && kept.message !== '')
    fail(run, `The shop does not sell ${run.state.quantity} of it: ${kept.message.slice(0, 120)}`);
  const count = kept === undefined ? undefined : countOfField(kept);
  if (kept !== undefined && count !== run.state.quantity) return stepTo(run, after);
  if (count !== undefined) noteSet(run, count);
  return after;
}

async function stepTo(run: Run, given: Snapshot): Promise<Snapshot> {
  const snapshot = await pressStepper(run, given, () => true);
  const count = findStepper(snapshot, () => true)?.count;
  if (count !== undefined) noteSet(run, count);
  return snapshot;
}

function quantityField(snapshot: Snapshot): FieldInfo | undefined {
  const found = assignFields(snapshot.fields, snapshot.forms).find(
    (one) => one.meaning === 'quantity',
  )?.field;
  // Of several in one form the one that was chosen.
  const taken = snapshot.fields.find(
    (field) =>
      asksCount(field) && field.container === found?.container && (countOfField(field) ?? 0) > 0,
  );
  return (
    taken ??
    found ??
    snapshot.fields.find(
      (field) =>
        (field.type === 'number' || field.type === 'spinbutton') &&
        countIn(field.value) !== undefined &&
        !['header', 'footer'].includes(field.region),
    )
  );
}
