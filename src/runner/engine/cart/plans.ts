import { fillField, setChecked } from '../fields/fill.ts';
import type { FieldInfo, Snapshot } from '../page/snapshot.ts';
import { fail, type Run, readPage } from '../run.ts';
import { comesAgain, isPlan, words } from '../words/words.ts';
import { sayingOf } from './identity.ts';
import { cartLines } from './lines.ts';
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
 * What makes a line of the cart come again and again. Beside a radio button for once that is
 * chosen, a list says how often it would come.
 */
function findPlan(snapshot: Snapshot): Plan | undefined {
  const own = snapshot.fields.filter(({ region }) => !['header', 'footer', 'nav'].includes(region));
  const radios = own.filter(({ type, checked }) => type === 'radio' && checked);
  const isOnce = radios.some(({ label }) => words.oneTime.test(label));
  return [
    ...radios.map((field) => radioPlan(snapshot, field)),
    ...own.flatMap((field) =>
      field.type === 'select' && !isOnce ? [listPlan(snapshot, field)] : [],
    ),
  ].find(({ chosen }) => isPlan(chosen));
}

/**
 * A cart whose line comes again and again is set to once, unless the request says otherwise.
 * Undefined where there is none.
 * @throws RunStop when the cart does not take it, or says so of the product in words alone
 */
export async function takeOnce(run: Run, snapshot: Snapshot): Promise<Snapshot | undefined> {
  if (comesAgain(run.task.request ?? '')) return undefined;
  const plan = findPlan(snapshot);
  const said =
    plan?.chosen ??
    cartLines(run, snapshot)
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
