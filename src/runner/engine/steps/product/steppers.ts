import { click } from '../../act.ts';
import { captionOf } from '../../buttons.ts';
import type { ButtonInfo, Snapshot } from '../../page/snapshot.ts';
import { type Run, readLater, readPage } from '../../run.ts';

const pressesMax = 30;

/** Plus and minus beside a number. */
export interface Stepper {
  readonly plus?: ButtonInfo;
  readonly minus?: ButtonInfo;
  readonly count: number;
}

const isPlus = (button: ButtonInfo) =>
  /^[+＋]$/.test(captionOf(button)) ||
  /increase|plus\b|one more|erhöhen|augmenter|aumentar/i.test(
    `${captionOf(button)} ${button.label} ${button.hint}`,
  );
const isMinus = (button: ButtonInfo) =>
  /^[−–-]$/.test(captionOf(button)) ||
  /decrease|minus\b|one less|reduce|verringern|diminuer|disminuir/i.test(
    `${captionOf(button)} ${button.label} ${button.hint}`,
  );

/** The first stepper among the buttons that are allowed; undefined without one. */
export function findStepper(
  snapshot: Snapshot,
  isAllowed: (button: ButtonInfo) => boolean,
): Stepper | undefined {
  const own = snapshot.buttons.filter(
    (button) =>
      button.count !== '' &&
      !['header', 'footer', 'nav'].includes(button.region) &&
      isAllowed(button),
  );
  const plus = own.find(isPlus);
  const minus = own.find(
    (button) => isMinus(button) && (plus === undefined || button.parent === plus.parent),
  );
  const count = Number((plus ?? minus)?.count ?? Number.NaN);
  return Number.isNaN(count) ? undefined : { count, plus, minus };
}

/**
 * Presses plus or minus until the stepper shows the wanted quantity, or another one that is named,
 * and stops where it does not move.
 */
export async function pressStepper(
  run: Run,
  given: Snapshot,
  isAllowed: (button: ButtonInfo) => boolean,
  wanted = run.state.quantity,
): Promise<Snapshot> {
  let snapshot = given;
  let last: number | undefined;
  for (let press = 0; press < pressesMax; press += 1) {
    const stepper = findStepper(snapshot, isAllowed);
    if (stepper === undefined || stepper.count === wanted || stepper.count === last)
      return snapshot;
    const button = stepper.count < wanted ? stepper.plus : stepper.minus;
    if (button === undefined || button.disabled || !(await click(run, snapshot, button.ref)))
      return snapshot;
    last = stepper.count;
    snapshot = await readPage(run);
    for (let wait = 0; wait < 5 && findStepper(snapshot, isAllowed)?.count === last; wait += 1) {
      snapshot = await readLater(run, 300);
    }
  }
  return snapshot;
}
