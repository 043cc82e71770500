import { fingerprint } from '../act.ts';
import { captionOf, isHandle } from '../buttons.ts';
import { assignFields } from '../fields/assign.ts';
import { isCardForm } from '../fields/forms.ts';
import type { ButtonInfo, FieldInfo, Snapshot } from '../page/snapshot.ts';
import type { Section } from '../sections/sections.ts';
import { plain, words } from '../words/words.ts';

/**
 * Something of a checkout that is done by a button of its own before the order: a part that is
 * sent, or a box that is opened.
 */
export interface Part {
  readonly button: ButtonInfo;
  readonly key: string;
  /** What its fields hold; another value is sent again. */
  readonly holds: string;
}

/** How often a part may be sent: a shop that refuses it more often does not take it. */
const triesMax = 2;

/**
 * The parts of a checkout's pages as this run has sent them. Where a page has several, each with a
 * button of its own, none is sent again once it was taken, and the order comes behind all of them.
 */
export class Parts {
  readonly #sent = new Map<string, { holds: string; tries: number; isTaken: boolean }>();

  /** How many were taken: a page that comes back with one more is not the same. */
  get taken(): number {
    return [...this.#sent.values()].filter(({ isTaken }) => isTaken).length;
  }

  /** A page without the buttons of what was taken: they lead on no more. */
  without<T extends Snapshot>(snapshot: T): T {
    const done = [...partsOf(snapshot), ...emptyBoxes(snapshot)].filter(
      ({ key }) => this.#sent.get(key)?.isTaken === true,
    );
    const gone = new Set(done.map(({ button }) => button.ref));
    return gone.size === 0
      ? snapshot
      : { ...snapshot, buttons: snapshot.buttons.filter(({ ref }) => !gone.has(ref)) };
  }

  /**
   * The next to be sent or opened; undefined where none is open, or the page is sent as a whole.
   */
  next(snapshot: Snapshot): Part | undefined {
    const isOpen = ({ key, holds }: Part) => {
      const known = this.#sent.get(key);
      return (
        known === undefined || (known.tries < triesMax && !(known.isTaken && known.holds === holds))
      );
    };
    return partsOf(snapshot).find(isOpen) ?? emptyBoxes(snapshot).find(isOpen);
  }

  /** Notes what became of one: taken when the shop has reacted and complains of nothing in it. */
  note(part: Part, before: Snapshot, after: Snapshot, isSent: boolean): boolean {
    const tries = (this.#sent.get(part.key)?.tries ?? 0) + 1;
    const complaints = after.alerts.filter((alert) => !before.alerts.includes(alert));
    const same = partsOf(after).find(({ key }) => key === part.key);
    const isMissing =
      same !== undefined &&
      fieldsOf(after, same.button).some((field) => field.invalid && field.value === '');
    const isTaken =
      (isSent || fingerprint(after) !== fingerprint(before)) &&
      complaints.length === 0 &&
      !isMissing;
    this.#sent.set(part.key, { holds: part.holds, tries, isTaken });
    return isTaken;
  }
}

const fieldsOf = (snapshot: Snapshot, button: ButtonInfo) =>
  snapshot.fields.filter(({ container }) => container === button.container);

/** Those in a dialog alone while one lies over the page. */
function partsOf(snapshot: Snapshot): readonly Part[] {
  const steps = snapshot.sections.filter(({ kind }) => kind === 'step');
  const over = steps.filter(({ box }) => box.region === 'dialog');
  const found = (over.length > 0 ? over : steps).flatMap((section) => {
    const button = takesCard(snapshot, section) ? undefined : ownButton(section);
    return button === undefined
      ? []
      : [{ button, key: keyOf(section), holds: section.fields.map(valueOf).join() }];
  });
  found.sort((one, other) => one.button.y - other.button.y);
  const orders = snapshot.buttons.some(
    (button) => isOrder(button) && !found.some((part) => isInside(snapshot, part, button)),
  );
  const isWhole =
    over.length === 0 && found.length < 2 && !orders && emptyBoxes(snapshot).length === 0;
  return isWhole ? [] : found;
}

/** Where a card goes, nothing is sent before it is approved. */
const takesCard = (snapshot: Snapshot, { fields }: Section) =>
  isCardForm(assignFields(fields, snapshot.forms));

/** The button that sends a part, and is not the order. */
const ownButton = ({ buttons }: Section): ButtonInfo | undefined =>
  buttons.find(
    (button) =>
      !button.disabled &&
      isHandle(button) &&
      words.continue.test(captionOf(button)) &&
      !words.place.test(captionOf(button)),
  );

const isOrder = (button: ButtonInfo) => {
  const caption = captionOf(button);
  return words.place.test(caption) && !words.continue.test(caption) && isHandle(button);
};

const isInside = (snapshot: Snapshot, { button }: Part, other: ButtonInfo) =>
  snapshot.sections.some(
    ({ buttons }) =>
      buttons.some(({ ref }) => ref === button.ref) && buttons.some(({ ref }) => ref === other.ref),
  );

const keyOf = ({ box, heading, fields }: Section) =>
  `${box.hint.slice(0, 60)} ${heading} ${[...new Set(fields.map(({ name, label, type }) => `${name || label}${type}`))].join()}`;

const valueOf = (field: FieldInfo) =>
  field.type === 'password'
    ? ''
    : ['radio', 'checkbox', 'switch'].includes(field.type)
      ? String(field.checked)
      : field.value;

const opens =
  /^(?:choose|select|change|wahlen|auswahlen|choisir|selectionner|elegir|seleccionar|scegli|seleziona|kiezen|kies|selecteren|escolher|selecionar|選択)(?: .{0,30})?$/;
const farPixels = 60;

/**
 * A field that nobody can type into, empty, beside a button that lets one choose: a dialog has what
 * goes there.
 */
const emptyBoxes = (snapshot: Snapshot): readonly Part[] =>
  snapshot.fields
    .filter(
      ({ readOnly, disabled, type, value, region }) =>
        readOnly && !disabled && type === 'text' && value === '' && region !== 'dialog',
    )
    .flatMap((field) => {
      const button = snapshot.buttons.find(
        (one) =>
          one.box === field.box &&
          !one.disabled &&
          isHandle(one) &&
          Math.abs(one.y - field.y) < farPixels &&
          opens.test(plain(captionOf(one))),
      );
      return button === undefined
        ? []
        : [{ button, key: `box ${field.section} ${field.name} ${field.id}`, holds: '' }];
    });
