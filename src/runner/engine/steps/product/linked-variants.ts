import { clearLayers, clickAndRead } from '../../act.ts';
import { captionOf } from '../../buttons.ts';
import type { ButtonInfo, Snapshot } from '../../page/snapshot.ts';
import { askOnce, bareUrl, fail, isShopUrl, type Run } from '../../run.ts';
import { chooseVariant, type VariantChoice, type VariantGroup } from '../../variants.ts';
import { wantedIn } from '../../words/wishes.ts';
import { namesWhole, words } from '../../words/words.ts';

const titleMax = 32;

/**
 * Variants that are pages of their own, e.g. one for each colour: opens the one that the request
 * names. Without a name the page that was asked for is the one that is meant. In place of one that
 * is sold out the user may take another.
 * @throws RunStop when there is no other, or the user declines
 */
export async function openLinkedVariant(run: Run, given: Snapshot): Promise<Snapshot> {
  const request = run.task.request ?? '';
  if (request === '') return given;
  for (const members of linkGroups(run, given)) {
    const options = members.map((button) => ({
      title: captionOf(button),
      disabled: button.disabled || words.soldOut.test(captionOf(button)),
    }));
    const found = choiceOf(
      { label: members[0]!.groupLabel, options },
      request,
      run.state.productTitle,
    );
    if (found.kind === 'several' || found.kind === 'none') continue;
    const index =
      found.kind === 'one'
        ? found.index
        : found.kind === 'gone'
          ? await askInstead(run, options, found.index)
          : await askWhich(run, options);
    const link = members[index]!;
    if (isCurrent(given, link)) continue;
    const snapshot = await clearLayers(run, (await clickAndRead(run, given, link)).snapshot);
    run.state.productTitle = snapshot.heading || run.state.productTitle;
    return snapshot;
  }
  return given;
}

/** `unclear` is one that the request names, and may mean that it does not want it. */
export function choiceOf(
  group: VariantGroup,
  request: string,
  productTitle?: string,
): VariantChoice | { readonly kind: 'unclear' } {
  const named = chooseVariant(group, request, productTitle);
  const found = chooseVariant(group, wantedIn(request), productTitle);
  if (named.kind === 'none') return found;
  const indexes = named.kind === 'several' ? named.indexes : [named.index];
  const titles = indexes.map((index) => group.options[index]!.title);
  if (titles.some((title) => isWithout(title, request))) return named;
  // “Yes” and “No” both: nothing here tells which of them is this choice's.
  if (titles.length > 1 && titles.some(isPlainNo)) return named;
  return found.kind === 'none' ? { kind: 'unclear' } : found;
}

const isPlainNo = (title: string) => wantedIn(title).trim() === '' && !/\S\s+\S/u.test(title);

/** Whether a title such as “Without lid” says what it lacks in words of the request. */
function isWithout(title: string, request: string): boolean {
  const wordsOf = (text: string) => text.split(/[^\p{L}\d]+/u).filter((word) => word !== '');
  const kept = wordsOf(wantedIn(title));
  const lacked = wordsOf(title).filter((word) => !kept.includes(word));
  return lacked.length > 1 && lacked.every((word) => namesWhole(request, word));
}

/** The request names one of them, and may mean that this one is not wanted. */
async function askWhich(run: Run, options: VariantGroup['options']): Promise<number> {
  const open = options.flatMap((option, index) => (option.disabled ? [] : [index]));
  if (open.length === 0) fail(run, 'The product is sold out.');
  const values = await askOnce(run, `which/${options.map(({ title }) => title).join('/')}`, {
    kind: 'option-choice',
    question: 'Which one?',
    options: open.map((index) => ({ value: String(index), title: options[index]!.title })),
  });
  const index = Number(values['choice']);
  if (!open.includes(index)) fail(run, 'The chosen option is not among those of the shop.');
  return index;
}

async function askInstead(
  run: Run,
  options: VariantGroup['options'],
  gone: number,
): Promise<number> {
  const left = options.flatMap((option, index) => (option.disabled ? [] : [index]));
  const name = options[gone]!.title;
  if (left.length === 0) fail(run, `The option “${name}” is sold out.`);
  const values = await askOnce(run, `instead/${name}`, {
    kind: 'option-choice',
    question: `“${name}” is sold out. Which one should it be instead?`,
    options: left.map((index) => ({ value: String(index), title: options[index]!.title })),
  });
  const index = Number(values['choice']);
  return left.includes(index)
    ? index
    : fail(run, 'The chosen option is not among those of the shop.');
}

const isCurrent = (snapshot: Snapshot, link: ButtonInfo) =>
  link.pressed === 'true' ||
  link.pressed === 'page' ||
  bareAndQuery(link.href) === bareAndQuery(snapshot.url);
const bareAndQuery = (address: string) => address.split('#')[0]!;
const firstWord = (segment = '') => segment.split(/[-_.]/)[0];

/**
 * Links side by side to pages that are called as this one is but for their last word, one of which
 * is this page.
 */
function linkGroups(run: Run, snapshot: Snapshot): readonly (readonly ButtonInfo[])[] {
  const links = snapshot.buttons.filter(
    (button) =>
      button.tag === 'a' &&
      button.href !== '' &&
      !button.href.includes('#') &&
      isShopUrl(run, button.href) &&
      !['header', 'footer', 'nav', 'dialog'].includes(button.region) &&
      captionOf(button) !== '' &&
      captionOf(button).length <= titleMax &&
      (isSibling(snapshot.url, button.href) || bareUrl(button.href) === bareUrl(snapshot.url)),
  );
  const groups = new Map<number, ButtonInfo[]>();
  for (const link of links) groups.set(link.parent, [...(groups.get(link.parent) ?? []), link]);
  return [...groups.values()].filter(
    (members) => members.length > 1 && members.some((link) => isCurrent(snapshot, link)),
  );
}

/**
 * `/belt/brown` and `/belt/black`, or `/belt-brown` and `/belt-black`; never what stands directly
 * below a list of products.
 */
function isSibling(here: string, there: string): boolean {
  const [one, other] = [new URL(here), new URL(there)].map((url) =>
    url.pathname.split('/').filter((word) => word !== ''),
  );
  if (one!.length !== other!.length || one!.length === 0) return false;
  if (one!.length === 1) return firstWord(one![0]) === firstWord(other![0]);
  return one!.slice(0, -1).join('/') === other!.slice(0, -1).join('/');
}
