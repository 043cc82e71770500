import { fillField } from '../fields/fill.ts';
import type { FieldInfo, Snapshot } from '../page/snapshot.ts';
import { fail, type Run, readPage } from '../run.ts';
import { anyOf, wordLists } from '../words/languages.ts';
import { plain, words } from '../words/words.ts';
import { pressUpdate } from './take-out.ts';

const again = new RegExp(`(?<!\\p{L})(?:${anyOf(wordLists.again)})`, 'u');
/** Whether a text says that something comes again and again. */
export const comesAgain = (text: string) => again.test(plain(text)) || words.recurring.test(text);
const tried = new WeakSet<Run>();

/** A list in which what comes again is chosen, where it might come once. */
const isPlan = ({ type, options }: FieldInfo) =>
  type === 'select' &&
  options.some(({ selected, text }) => selected && comesAgain(text)) &&
  options.some(({ selected, text }) => !selected && words.oneTime.test(text));

/**
 * A cart whose line comes again and again, though it might come once, is set to once, unless the
 * request says otherwise. Undefined where there is none.
 * @throws RunStop when the cart does not take it
 */
export async function takeOnce(run: Run, snapshot: Snapshot): Promise<Snapshot | undefined> {
  if (comesAgain(run.task.request ?? '')) return undefined;
  const field = snapshot.fields.find(isPlan);
  if (field === undefined) return undefined;
  const chosen = field.options.find(({ selected }) => selected)!.text;
  const once = field.options.find(({ text }) => words.oneTime.test(text))!;
  const { changes } = run.watch;
  const isSet =
    !tried.has(run) && !field.disabled && (await fillField(snapshot, field, [once.text]));
  if (!isSet)
    return fail(
      run,
      `The cart of the shop has “${chosen.slice(0, 60)}” chosen, which was not asked for.`,
    );
  tried.add(run);
  return pressUpdate(run, await readPage(run, { quietMs: 300 }), {
    field,
    before: snapshot,
    changes,
  });
}
