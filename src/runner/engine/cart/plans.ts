import { fillField, setChecked } from '../fields/fill.ts';
import type { FieldInfo, Snapshot } from '../page/snapshot.ts';
import { fail, type Run, readPage } from '../run.ts';
import { surelyWantedIn } from '../words/wishes.ts';
import { comesAgain, isPlan, words } from '../words/words.ts';
import { sayingOf } from './identity.ts';
import { type CartLine, cartLines } from './lines.ts';
import { pressUpdate } from './take-out.ts';

const tried = new WeakSet<Run>();

/** A choice of how often something comes, as one list or several radio buttons. */
interface Plan {
  readonly field: FieldInfo;
  readonly chosen: string;
  /** Makes it come once; undefined where the shop offers no such thing. */
  readonly takeOnce?: () => Promise<boolean>;
}

function listPlan(snapshot: Snapshot, field: FieldInfo): Plan {
  const chosen = field.options.find(({ selected }) => selected)?.text ?? '';
  const once = field.options.find(({ text }) => words.oneTime.test(text))?.text;
  return {
    field,
    chosen,
    ...(once !== undefined && { takeOnce: () => fillField(snapshot, field, [once]) }),
  };
}

function radioPlan(snapshot: Snapshot, field: FieldInfo): Plan {
  const once = snapshot.fields.find(
    ({ group, label }) => group === field.group && words.oneTime.test(label),
  );
  return {
    field,
    chosen: field.label,
    ...(once !== undefined && { takeOnce: () => setChecked(snapshot, once, true) }),
  };
}

/**
 * What makes the product's line of the cart come again and again. Beside a radio button for once
 * that is chosen in the same line, a list says how often it would come. What the lines of other
 * products say is left to those who take them out.
 */
function findPlan(snapshot: Snapshot, lines: readonly CartLine[]): Plan | undefined {
  const rows = new Set(lines.map(({ text }) => text));
  const others = lines.filter(({ sameness }) => sameness === 'other').map(({ text }) => text);
  const own = snapshot.fields.filter(
    ({ region, rowText }) =>
      !['header', 'footer', 'nav'].includes(region) && !others.includes(rowText),
  );
  const radios = own.filter(({ type, checked }) => type === 'radio' && checked);
  const isOnce = ({ rowText }: FieldInfo) =>
    radios.some(
      (one) =>
        words.oneTime.test(one.label) &&
        (one.rowText === rowText || !rows.has(one.rowText) || !rows.has(rowText)),
    );
  return [
    ...radios.map((field) => radioPlan(snapshot, field)),
    ...own.flatMap((field) =>
      field.type === 'select' && !isOnce(field) ? [listPlan(snapshot, field)] : [],
    ),
  ].find(({ chosen }) => isPlan(chosen));
}

/**
 * A cart whose line comes again and again is set to once, unless the request says otherwise.
 * Undefined where there is none.
 * @throws RunStop when the cart does not take it, or says so of the product in words alone
 */
export async function takeOnce(run: Run, snapshot: Snapshot): Promise<Snapshot | undefined> {
  const isChosen = run.state.choices.some(({ chosen }) => isPlan(chosen));
  if (isChosen || comesAgain(surelyWantedIn(run.task.request ?? ''))) return undefined;
  const lines = cartLines(run, snapshot);
  const plan = findPlan(snapshot, lines);
  const said =
    plan?.chosen ??
    lines
      .flatMap((line) => (line.isOurs ? [sayingOf(run, snapshot, line.text)] : []))
      .find(comesAgain);
  if (said === undefined) return undefined;
  const { changes } = run.watch;
  const isSet = !tried.has(run) && plan?.field.disabled === false && (await plan.takeOnce?.());
  if (plan === undefined || isSet !== true)
    return fail(run, `The cart of the shop says “${said.slice(0, 60)}”, which was not asked for.`);
  tried.add(run);
  return pressUpdate(run, await readPage(run, { quietMs: 300 }), {
    field: plan.field,
    before: snapshot,
    changes,
  });
}
