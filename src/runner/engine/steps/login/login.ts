import type { ElementHandle } from 'playwright-core';
import { bestButton, click, clickAndRead } from '../../act.ts';
import { captionOf, isHandle } from '../../buttons.ts';
import { fillField } from '../../fields/fill.ts';
import { type PageForm, readForm } from '../../fields/forms.ts';
import { typeSecret } from '../../fields/type-secret.ts';
import type { FieldInfo, Snapshot } from '../../page/snapshot.ts';
import { ask, askOnce, fail, originOf, type Run, reach, readPage } from '../../run.ts';
import { foreignKinds } from '../../sections/kinds.ts';
import { wantedIn } from '../../words/wishes.ts';
import { words } from '../../words/words.ts';
import { forgetQuantity } from '../product/quantity.ts';
import { coverScreen, noteSecret, uncoverScreen } from './secrets.ts';

const loginsMax = 3;
const ownAccount =
  /\b(?:my|existing|own) (?:\w+ )?(?:account|login)\b|\b(?:sign|log)(?:ged|ing)? ?-?in\b|mein(?:em|en)? (?:kunden)?konto|\banmelden|angemeldet|mon compte|connecte[rz]?[- ]|mi cuenta|iniciar sesi[oó]n|mio account|mijn account/i;

/** The user wants to buy as a customer of the shop and not as a guest. */
export function wantsAccount(run: Run): boolean {
  const told = `${run.task.request ?? ''}\n${run.task.merchantContext ?? ''}`;
  return ownAccount.test(wantedIn(told));
}

/**
 * A purchase with the user's account that has met no login is one as a guest: the user says whether
 * that will do.
 * @throws RunStop when it will not
 */
export async function settleGuest(run: Run): Promise<void> {
  const { browserState, resume } = run.task;
  const isKnown =
    run.state.signedIn ||
    browserState !== undefined ||
    resume?.evidence.some(({ step }) => step === 'login') === true;
  if (!wantsAccount(run) || isKnown) return;
  const origin = originOf(run.page.url());
  const values = await askOnce(run, `guest/${origin}`, {
    kind: 'option-choice',
    question: `You asked to buy with your account, and ${origin} has asked for no login so far. Buy as a guest?`,
    options: [
      { value: 'stop', title: 'No, stop' },
      { value: 'guest', title: 'Yes, buy as a guest' },
    ],
  });
  if (values['choice'] !== 'guest')
    fail(run, 'The shop asked for no login, and the purchase was to be made with your account.');
}

/**
 * Passes a page that wants a login: as a guest where that is offered and nothing else is wanted,
 * else with what the user tells.
 */
export async function passLogin(run: Run, given: Snapshot, form: PageForm): Promise<Snapshot> {
  const guest = wantsAccount(run) ? undefined : bestButton(run, given, 'guest');
  if (guest !== undefined) {
    const after = await clickAndRead(run, given, guest);
    if (after.changed) return after.snapshot;
  }
  let snapshot = given;
  let { login } = form;
  for (let attempt = 0; login !== undefined && attempt < loginsMax; attempt += 1) {
    const origin = originOf(snapshot.url);
    const needs = [
      ...(login.username === undefined ? [] : ['username' as const]),
      'password' as const,
    ];
    const values = await ask(run, { kind: 'merchant-login', origin, needs });
    // The user may have signed in by hand meanwhile.
    snapshot = await readPage(run);
    login = readForm(snapshot).login;
    if (login === undefined) break;
    const text = (name: string) =>
      typeof values[name] === 'string' ? String(values[name]) : undefined;
    snapshot = await signIn(run, snapshot, login, {
      username: text('username'),
      password: text('password'),
    });
    login = readForm(snapshot).login;
  }
  if (login !== undefined) fail(run, 'The shop did not accept the login.');
  snapshot = await passOneTimeCode(run, snapshot);
  run.state.signedIn = true;
  forgetQuantity(run);
  // The account's own basket may have come to the cart, or have taken its place.
  if (run.state.hasAdded) run.state.mayBeUsers = true;
  await reach(run, 'login', {});
  return snapshot;
}

async function signIn(
  run: Run,
  snapshot: Snapshot,
  login: NonNullable<PageForm['login']>,
  {
    username,
    password,
  }: { readonly username: string | undefined; readonly password: string | undefined },
): Promise<Snapshot> {
  if (password === undefined) return snapshot;
  await coverScreen(run);
  if (login.username !== undefined && username !== undefined)
    await fillField(snapshot, login.username.field, [username]);
  if (login.password !== undefined)
    await fillSecret(run, snapshot, login.password.field.ref, password);
  return submitIn(run, snapshot, login.container);
}

/** Enters the code that the shop has sent to the user. */
export async function passOneTimeCode(run: Run, given: Snapshot): Promise<Snapshot> {
  let snapshot = given;
  for (let attempt = 0; attempt < loginsMax; attempt += 1) {
    if (codeFields(snapshot).length === 0) return snapshot;
    const sentTo =
      /(?:sent|gesendet|geschickt|envoyé|enviado|inviato|verzonden)[^.\n]{0,40}?([\w.*•+-]+@[\w.*•-]+|\+?[\d*•][\d*• -]{3,}\d)/i.exec(
        snapshot.text,
      )?.[1];
    const values = await ask(run, {
      kind: 'one-time-code',
      origin: originOf(snapshot.url),
      sentTo,
    });
    snapshot = await readPage(run);
    const fields = codeFields(snapshot);
    const code = String(values['code'] ?? '').trim();
    if (fields.length === 0 || code === '') continue;
    await coverScreen(run);
    if (fields.length === 1) await fillSecret(run, snapshot, fields[0]!.ref, code);
    else
      for (const [index, field] of fields.entries())
        await fillSecret(run, snapshot, field.ref, code.replace(/\s|-/g, '')[index] ?? '');
    snapshot = await submitIn(run, snapshot, fields[0]!.container);
  }
  return codeFields(snapshot).length === 0
    ? snapshot
    : fail(run, 'The shop did not accept the code.');
}

const digitsMin = 4;
const digitsMax = 8;

/** The field of a code, or one field for each of its digits. */
function codeFields(snapshot: Snapshot): readonly FieldInfo[] {
  const single = snapshot.fields.filter(
    (field) =>
      field.maxLength === 1 &&
      ['text', 'tel', 'number', 'password'].includes(field.type) &&
      !field.disabled,
  );
  const digits = single.filter(
    (field) => field.container === single[0]!.container && Math.abs(field.y - single[0]!.y) < 40,
  );
  if (digits.length >= digitsMin && digits.length <= digitsMax) return digits;
  const { oneTimeCode } = readForm(snapshot);
  return oneTimeCode === undefined ? [] : [oneTimeCode.field];
}

/** Whether the page has taken it, its answer shows: some send a code as soon as it is whole. */
export async function fillSecret(
  run: Run,
  snapshot: Snapshot,
  ref: number,
  value: string,
): Promise<void> {
  noteSecret(run, snapshot, ref);
  await typeSecret(snapshot, { ref }, [value]);
}

/** Sends a form that holds a secret; the live picture comes back with the page after it. */
async function submitIn(run: Run, snapshot: Snapshot, container: number): Promise<Snapshot> {
  const own = snapshot.buttons.filter(
    (button) =>
      button.container === container &&
      !button.disabled &&
      isHandle(button) &&
      !words.forgot.test(captionOf(button)) &&
      !words.guest.test(captionOf(button)) &&
      !/resend|send (?:again|a new)|new code|erneut|renvoyer|reenviar|show|hide|anzeigen/i.test(
        captionOf(button),
      ),
  );
  const button =
    own.find((one) => words.login.test(captionOf(one))) ??
    own.find((one) =>
      /verify|confirm|bestätig|vérif|valider|confirmar|verificar|verifica|bevestig/i.test(
        captionOf(one),
      ),
    ) ??
    own.find((one) => one.type === 'submit') ??
    own.find((one) => words.continue.test(captionOf(one)));
  if (button !== undefined) await click(run, snapshot, button.ref);
  // Some pages send a code by themselves once it is whole.
  const after = await readPage(run, { quietMs: 300 });
  if (button === undefined && after.url === snapshot.url && readForm(after).login !== undefined)
    fail(run, 'The login has no button.');
  await uncoverScreen(run);
  return after;
}

/** A test that one is human is solved by the user, in the live page; never here. */
export async function passHumanCheck(run: Run, given: Snapshot): Promise<Snapshot> {
  let snapshot = given;
  for (let attempt = 0; attempt < 3 && (await isHumanCheck(run, snapshot)); attempt += 1) {
    await askAgain(run, snapshot, attempt);
    snapshot = await readPage(run);
  }
  return (await isHumanCheck(run, snapshot))
    ? fail(run, 'The shop still wants to see a human.')
    : snapshot;
}

async function askAgain(run: Run, snapshot: Snapshot, attempt: number): Promise<void> {
  await askOnce(run, `human/${snapshot.url}/${attempt}`, {
    kind: 'human-verification',
    origin: originOf(snapshot.url),
  });
}

async function isHumanCheck(run: Run, snapshot: Snapshot): Promise<boolean> {
  // A page that sells something is none that only lets people in: a code to type may stand in the
  // form of a review.
  const isGate =
    words.human.test(snapshot.text) && snapshot.text.length < 1_500 && snapshot.prices.length === 0;
  if (words.human.test(snapshot.title) || isGate) return true;
  if (
    snapshot.fields.some(
      (field) =>
        words.human.test(`${field.label} ${field.near} ${field.name}`) &&
        (field.type === 'checkbox' ? !field.checked : field.value === ''),
    )
  )
    return true;
  for (const frame of run.page.frames()) {
    if (
      !/recaptcha|hcaptcha|turnstile|challenges\.cloudflare|arkoselabs|geetest|captcha/i.test(
        frame.url(),
      )
    )
      continue;
    const element = await frame.frameElement().catch(() => undefined);
    const box = await element?.boundingBox().catch(() => undefined);
    const isBadge = await element
      ?.evaluate(
        (el) =>
          (el as unknown as { closest(selector: string): unknown }).closest('.grecaptcha-badge') !==
          null,
      )
      .catch(() => true);
    if (
      box &&
      box.width >= 200 &&
      box.height >= 50 &&
      !isBadge &&
      !(await isInForeign(snapshot, element!))
    )
      return true;
  }
  return false;
}

/**
 * Whether something stands in a part of the page that is not for buying: the form of a review, a
 * newsletter.
 */
async function isInForeign(snapshot: Snapshot, element: ElementHandle): Promise<boolean> {
  for (const { kind, box } of snapshot.sections) {
    if (!foreignKinds.has(kind)) continue;
    const around = await snapshot.element(box.ref).catch(() => undefined);
    const holds = (node: unknown, inner: unknown) =>
      (node as { contains(other: unknown): boolean }).contains(inner);
    if (around !== undefined && (await around.evaluate(holds, element).catch(() => false)))
      return true;
  }
  return false;
}
