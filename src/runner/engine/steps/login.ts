import { bestButton, click, clickAndRead } from '../act.ts';
import { captionOf } from '../buttons.ts';
import { fillField } from '../fields/fill.ts';
import { type PageForm, readForm } from '../fields/forms.ts';
import type { Snapshot } from '../page/snapshot.ts';
import { ask, askOnce, fail, originOf, type Run, reach, readPage } from '../run.ts';
import { words } from '../words.ts';

const loginsMax = 3;

/** Passes a page that wants a login: as a guest where that is offered, else with what the user tells. */
export async function passLogin(run: Run, given: Snapshot, form: PageForm): Promise<Snapshot> {
  const guest = bestButton(run, given, 'guest');
  if (guest !== undefined) {
    const after = await clickAndRead(run, given, guest);
    if (after.changed) return after.snapshot;
  }
  let snapshot = given;
  let login = form.login;
  for (let attempt = 0; login !== undefined && attempt < loginsMax; attempt += 1) {
    const origin = originOf(snapshot.url);
    const values = await ask(run, {
      kind: 'merchant-login',
      origin,
      needs: [...(login.username === undefined ? [] : ['username' as const]), 'password'],
    });
    if (login.username !== undefined && typeof values['username'] === 'string')
      await fillField(snapshot, login.username.field, [values['username']]);
    if (login.password !== undefined && typeof values['password'] === 'string')
      await fillSecret(snapshot, login.password.field.ref, values['password']);
    snapshot = await submitIn(run, snapshot, login.container);
    login = readForm(snapshot).login;
  }
  if (login !== undefined) fail(run, 'The shop did not accept the login.');
  snapshot = await passOneTimeCode(run, snapshot);
  await reach(run, 'login', {});
  return snapshot;
}

/** Enters the code that the shop has sent to the user. */
export async function passOneTimeCode(run: Run, given: Snapshot): Promise<Snapshot> {
  let snapshot = given;
  for (let attempt = 0; attempt < loginsMax; attempt += 1) {
    const code = readForm(snapshot).oneTimeCode;
    if (code === undefined) return snapshot;
    const sentTo = /(?:sent|gesendet|geschickt|envoyé|enviado)[^.\n]{0,40}?([\w.*•+-]+@[\w.*•-]+|\+?[\d*•][\d*• -]{3,}\d)/i.exec(
      snapshot.text,
    )?.[1];
    const values = await ask(run, { kind: 'one-time-code', origin: originOf(snapshot.url), ...(sentTo === undefined ? {} : { sentTo }) });
    await fillSecret(snapshot, code.field.ref, String(values['code'] ?? ''));
    snapshot = await submitIn(run, snapshot, code.field.container);
  }
  return readForm(snapshot).oneTimeCode === undefined ? snapshot : fail(run, 'The shop did not accept the code.');
}

async function fillSecret(snapshot: Snapshot, ref: number, value: string): Promise<void> {
  const element = await snapshot.element(ref);
  await element.fill(value, { timeout: 3_000 });
}

async function submitIn(run: Run, snapshot: Snapshot, container: number): Promise<Snapshot> {
  const own = snapshot.buttons.filter(
    (button) =>
      button.container === container &&
      !button.disabled &&
      button.href === '' &&
      !words.forgot.test(captionOf(button)) &&
      !words.guest.test(captionOf(button)),
  );
  const button =
    own.find((one) => words.login.test(captionOf(one))) ??
    own.find((one) => /verify|confirm|bestätig|vérif|confirmar/i.test(captionOf(one))) ??
    own.find((one) => one.type === 'submit') ??
    own.find((one) => words.continue.test(captionOf(one)));
  if (button === undefined) return fail(run, 'The login has no button.');
  await click(run, snapshot, button.ref);
  return readPage(run, { quietMs: 300 });
}

/** A test that one is human is solved by the user, in the live page; never here. */
export async function passHumanCheck(run: Run, given: Snapshot): Promise<Snapshot> {
  let snapshot = given;
  for (let attempt = 0; attempt < 3 && (await isHumanCheck(run, snapshot)); attempt += 1) {
    await askAgain(run, snapshot, attempt);
    snapshot = await readPage(run);
  }
  return (await isHumanCheck(run, snapshot)) ? fail(run, 'The shop still wants to see a human.') : snapshot;
}

async function askAgain(run: Run, snapshot: Snapshot, attempt: number): Promise<void> {
  await askOnce(run, `human/${snapshot.url}/${attempt}`, { kind: 'human-verification', origin: originOf(snapshot.url) });
}

async function isHumanCheck(run: Run, snapshot: Snapshot): Promise<boolean> {
  if (words.human.test(snapshot.title) || (words.human.test(snapshot.text) && snapshot.text.length < 1_500)) return true;
  if (
    snapshot.fields.some(
      (field) =>
        words.human.test(`${field.label} ${field.near} ${field.name}`) && (field.type === 'checkbox' ? !field.checked : field.value === ''),
    )
  )
    return true;
  for (const frame of run.page.frames()) {
    if (!/recaptcha|hcaptcha|turnstile|challenges\.cloudflare|arkoselabs|geetest|captcha/i.test(frame.url())) continue;
    const element = await frame.frameElement().catch(() => undefined);
    const box = await element?.boundingBox().catch(() => undefined);
    const isBadge = await element
      ?.evaluate((el) => (el as unknown as { closest(selector: string): unknown }).closest('.grecaptcha-badge') !== null)
      .catch(() => true);
    if (box && box.width >= 200 && box.height >= 50 && !isBadge) return true;
  }
  return false;
}
