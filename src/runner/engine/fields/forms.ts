import { captionOf, isHandle } from '../buttons.ts';
import type { FieldInfo, Snapshot } from '../page/snapshot.ts';
import { words } from '../words/words.ts';
import { type AssignedField, assignFields } from './assign.ts';
import { cardMeanings, foreignMeanings, type Meaning } from './meanings.ts';

/** What a page asks of a buyer: the fields of its checkout forms, and whether it wants a login. */
export interface PageForm {
  readonly fields: readonly AssignedField[];
  /** Fields in checkout forms that mean nothing known. */
  readonly unknown: readonly FieldInfo[];
  readonly containers: ReadonlySet<number>;
  readonly login?: {
    readonly username?: AssignedField;
    readonly password?: AssignedField;
    readonly container: number;
  };
  readonly oneTimeCode?: AssignedField;
}

const buyerMeanings: ReadonlySet<Meaning> = new Set([
  'email',
  'firstName',
  'lastName',
  'fullName',
  'phone',
  'phoneCode',
  'addressLine1',
  'houseNumber',
  'addressLine2',
  'city',
  'state',
  'postalCode',
  'country',
]);
const strongMeanings: ReadonlySet<Meaning> = new Set([
  'addressLine1',
  'city',
  'postalCode',
  'lastName',
  'firstName',
  'fullName',
  'country',
]);

/**
 * Finds the checkout's forms among those of a page by what their fields mean; newsletter, search,
 * review and login stay outside.
 */
export function readForm(snapshot: Snapshot): PageForm {
  const byContainer = [...new Set(snapshot.fields.map((field) => field.container))].map(
    (container) => {
      const own = snapshot.fields.filter((field) => field.container === container);
      const all = assignFields(own, snapshot.forms);
      const assigned = isCardForm(all) ? all : all.filter((one) => !cardMeanings.has(one.meaning));
      return { container, own, assigned };
    },
  );
  const kept = byContainer.filter(
    ({ container, assigned, own }) => formScore(snapshot, container, assigned, own) > 0,
  );
  const login = byContainer
    .map(({ container, assigned }) => loginOf(snapshot, container, assigned))
    .find((one) => one !== undefined);
  const inLogin = (container: number) =>
    login?.container === container &&
    !kept.some(
      (one) =>
        one.container === container &&
        one.assigned.some((field) => strongMeanings.has(field.meaning)),
    );
  // Beside a login the form of a new account is none of the checkout's.
  const isRegistration = ({ container }: (typeof kept)[number]) =>
    login !== undefined && snapshot.forms[container]?.kind === 'registration';
  const used = kept.filter((one) => !inLogin(one.container) && !isRegistration(one));
  const fields = used.flatMap(({ assigned }) =>
    assigned.filter((one) => !foreignMeanings.has(one.meaning)),
  );
  const known = new Set(
    used.flatMap(({ own }) => assignFields(own, snapshot.forms).map((one) => one.field.ref)),
  );
  return {
    fields,
    unknown: used.flatMap(({ own }) =>
      own.filter(
        (field) => !known.has(field.ref) && !['radio', 'checkbox', 'switch'].includes(field.type),
      ),
    ),
    containers: new Set(used.map(({ container }) => container)),
    login,
    ...oneTimeCodeOf(byContainer.flatMap(({ assigned }) => assigned)),
  };
}

/**
 * Whether fields ask for a card as a checkout does: for its number and when it expires. Who wants
 * the number alone, or beside a password, is a chat, a login or a trap.
 */
export function isCardForm(assigned: readonly AssignedField[]): boolean {
  const has = (...wanted: readonly Meaning[]) =>
    assigned.some((one) => wanted.includes(one.meaning));
  return (
    has('cardNumber') &&
    has('cardExpiry', 'cardMonth', 'cardYear') &&
    (!has('password') || has(...strongMeanings))
  );
}

function oneTimeCodeOf(assigned: readonly AssignedField[]): { oneTimeCode?: AssignedField } {
  const found = assigned.find((one) => one.meaning === 'oneTimeCode' && one.score >= 4);
  return found === undefined ||
    assigned.some((one) => one.meaning === 'cardNumber' || one.meaning === 'addressLine1')
    ? {}
    : { oneTimeCode: found };
}

function formScore(
  snapshot: Snapshot,
  container: number,
  assigned: readonly AssignedField[],
  own: readonly FieldInfo[],
): number {
  const form = snapshot.forms[container]!;
  const about = form.tag === 'form' ? `${form.hint} ${form.action} ${form.role}` : form.hint;
  const buyer = assigned.filter((one) => buyerMeanings.has(one.meaning)).length;
  const strong = assigned.filter((one) => strongMeanings.has(one.meaning)).length;
  const card = assigned.filter((one) => cardMeanings.has(one.meaning)).length;
  const buttons = snapshot.buttons.filter((button) => button.container === container);
  const leads = buttons.some(
    (button) =>
      words.place.test(button.text) ||
      words.continue.test(button.text) ||
      words.checkout.test(button.text),
  );
  const isChoices =
    own.length > 0 && own.every((field) => ['radio', 'checkbox', 'switch'].includes(field.type));
  let score =
    buyer + strong + card * 2 + (leads ? 1.5 : 0) + (isChoices && form.tag !== 'body' ? 1 : 0);
  if (
    /checkout|order|shipping|address|billing|payment|kasse|bestell|commande|pedido|delivery/i.test(
      about,
    )
  )
    score += 2;
  if (form.region === 'footer' || form.region === 'header' || form.region === 'nav') score -= 6;
  if (assigned.some((one) => one.meaning === 'review')) score -= 3;
  if (assigned.some((one) => ['search', 'newsletter'].includes(one.meaning)) && strong === 0)
    score -= 6;
  if (
    strong === 0 &&
    card === 0 &&
    buyer > 0 &&
    words.marketing.test(form.heading) &&
    form.tag === 'form' &&
    form.kind !== 'step'
  )
    score -= 3;
  return score;
}

function loginOf(
  snapshot: Snapshot,
  container: number,
  assigned: readonly AssignedField[],
): PageForm['login'] {
  const password = assigned.find((one) => one.meaning === 'password');
  const kind = snapshot.forms[container]?.kind;
  // Shops write `new-password` to keep the browser from filling it in: what the button says is
  // surer.
  const saysLogin = snapshot.buttons.some((button) => {
    const caption = captionOf(button);
    return (
      button.container === container &&
      isHandle(button) &&
      words.login.test(caption) &&
      !words.register.test(caption)
    );
  });
  const isNew =
    password !== undefined &&
    (kind === 'registration' ||
      kind === 'step' ||
      assigned.filter((one) => one.field.type === 'password').length > 1 ||
      (password.field.autocomplete === 'new-password' && !saysLogin));
  if (
    password === undefined ||
    isNew ||
    assigned.some((one) => strongMeanings.has(one.meaning) && one.meaning !== 'country')
  )
    return undefined;
  const username = assigned.find((one) => one.meaning === 'username' || one.meaning === 'email');
  return { container, password, username };
}
