import { bestButton } from '../act.ts';
import { assignFields } from '../fields/assign.ts';
import { fillField } from '../fields/fill.ts';
import type { Meaning } from '../fields/meanings.ts';
import type { FieldInfo, Snapshot } from '../page/snapshot.ts';
import { askOnce, type Run, readPage } from '../run.ts';
import { isRequired } from './buyer/ask-missing.ts';

const textsMax = 6;
const notProduct: ReadonlySet<Meaning> = new Set([
  'quantity',
  'email',
  'newsletter',
  'search',
  'review',
  'postalCode',
  'coupon',
  'giftCard',
  'password',
  'username',
]);

/**
 * Texts that a product needs, e.g. what is engraved: asked of the user, one by one.
 * @param named what the shop has said when it refused; a field that it names counts as required
 */
export async function askTexts(run: Run, given: Snapshot, named = ''): Promise<Snapshot> {
  let snapshot = given;
  for (let asked = 0; asked < textsMax; asked += 1) {
    const field = productTexts(run, snapshot).find(
      (one) => (isRequired(one) || isNamed(one, named)) && !run.state.asked.has(keyOf(one)),
    );
    if (field === undefined) return snapshot;
    const limit = field.maxLength > 0 ? ` At most ${field.maxLength} characters.` : '';
    const values = await askOnce(run, keyOf(field), {
      kind: 'free-question',
      question: `The product needs “${labelOf(field)}”. What should be entered?${limit}`,
    });
    if (typeof values['answer'] === 'string') await fillField(snapshot, field, [values['answer']]);
    snapshot = await readPage(run);
  }
  return snapshot;
}

const labelOf = (field: FieldInfo) =>
  (field.label || field.near || field.placeholder || field.name)
    .replace(/\s*[*:]\s*$/, '')
    .slice(0, 120);
const keyOf = (field: FieldInfo) => `text/${field.name}/${labelOf(field)}`;
const isNamed = (field: FieldInfo, said: string) =>
  said !== '' &&
  labelOf(field)
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => word.length > 4 && said.toLowerCase().includes(word));

function productTexts(run: Run, snapshot: Snapshot): readonly FieldInfo[] {
  const add = bestButton(run, snapshot, 'addToCart') ?? bestButton(run, snapshot, 'buyNow');
  const meanings = new Map(
    assignFields(snapshot.fields, snapshot.forms).map((one) => [one.field.ref, one.meaning]),
  );
  return snapshot.fields.filter((field) => {
    const meaning = meanings.get(field.ref);
    const isText =
      ['text', 'textarea', 'date', 'tel', 'url'].includes(field.type) &&
      field.hasPopup === '' &&
      !field.disabled &&
      !field.readOnly;
    const isBeside =
      add !== undefined &&
      (field.container === add.container || (field.y <= add.y && add.y - field.y < 1_200));
    const isOwn = !['header', 'footer', 'nav', 'aside', 'dialog'].includes(field.region);
    return (
      isText &&
      isBeside &&
      isOwn &&
      field.value === '' &&
      (meaning === undefined || !notProduct.has(meaning))
    );
  });
}
