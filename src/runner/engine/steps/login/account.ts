import { click } from '../../act.ts';
import { captionOf } from '../../buttons.ts';
import type { PageForm } from '../../fields/forms.ts';
import { cardMeanings } from '../../fields/meanings.ts';
import { hasAmount } from '../../money/prices.ts';
import type { ButtonInfo, FieldInfo, Snapshot } from '../../page/snapshot.ts';
import { askOnce, fail, originOf, type Run } from '../../run.ts';
import { words } from '../../words/words.ts';
import { isRequired } from '../buyer/ask-missing.ts';
import { fillSecret, wantsAccount } from './login.ts';
import { coverScreen } from './secrets.ts';

/**
 * A checkout that insists on a password makes an account in the buyer's name: the user says
 * whether, and chooses the password. Where the shop does not insist, the fields stay empty. Whether
 * something was typed.
 * @throws RunStop when no account shall be made
 */
export async function settleAccount(
  run: Run,
  snapshot: Snapshot,
  form: PageForm,
  isRefused: boolean,
): Promise<boolean> {
  const open = newPasswords(snapshot, form).filter((field) => field.value === '');
  const wanted = open.filter(
    (field) =>
      isRequired(field) || (isRefused && field.invalid) || (isRefused && isComplained(snapshot)),
  );
  if (wanted.length === 0) return false;
  if (await takeGuestTab(run, snapshot)) return true;
  const origin = originOf(snapshot.url);
  const consent = await askOnce(run, `account/${origin}`, {
    kind: 'option-choice',
    question: `${origin} sells only to customers with an account. Shall one be made? You choose its password next.`,
    options: [
      { value: 'make', title: 'Yes, make an account' },
      { value: 'stop', title: 'No, stop' },
    ],
  });
  if (consent['choice'] !== 'make')
    fail(run, 'The shop sells only to customers with an account, and none was to be made.');
  const { password } = await askOnce(run, `account/password/${origin}`, {
    kind: 'merchant-login',
    origin,
    needs: ['password'],
  });
  if (typeof password !== 'string') fail(run, 'No password for the account was chosen.');
  await coverScreen(run);
  for (const field of open) await fillSecret(run, snapshot, field.ref, password);
  return true;
}

/** The guest among tabs or switches, where another one is open: pressed once. */
async function takeGuestTab(run: Run, snapshot: Snapshot): Promise<boolean> {
  const key = `account/guest/${originOf(snapshot.url)}`;
  const tab = wantsAccount(run) ? undefined : guestTab(snapshot);
  if (tab === undefined || run.state.asked.has(key)) return false;
  run.state.asked.set(key, {});
  return click(run, snapshot, tab.ref);
}

/** What may stand beside the words of a guest: “Continue as guest”, “Buy without an account”. */
const besideGuest: readonly RegExp[] = [words.checkout, words.continue, words.buyNow];
const smallWords =
  /(?<!\p{L})(?:as|an?|to|en tant qu|comme|como|come|als|com|som|jako|ako)(?!\p{L})/giu;

/** Whether a caption says that one buys as a guest, and nothing else. */
function saysGuest(caption: string): boolean {
  if (!words.guest.test(caption) || hasAmount(caption)) return false;
  const all = new RegExp(words.guest.source, 'giu');
  const rest = besideGuest.reduce(
    (text, one) => text.trim().replace(one, ' '),
    caption.replace(all, ' '),
  );
  return !/[\p{L}\p{N}]/u.test(rest.replace(smallWords, ' '));
}

/** A tab or switch that buys as a guest, beside one that has to do with an account. */
export function guestTab({ buttons }: Pick<Snapshot, 'buttons'>): ButtonInfo | undefined {
  const isAccount = (caption: string) =>
    !words.guest.test(caption) &&
    [words.login, words.register, words.account].some((one) => one.test(caption));
  return buttons.find(
    (button) =>
      (button.role === 'tab' || button.pressed !== '') &&
      button.pressed !== 'true' &&
      !button.disabled &&
      button.href === '' &&
      saysGuest(captionOf(button)) &&
      buttons.some((one) => one.parent === button.parent && isAccount(captionOf(one))),
  );
}

/** Password fields among those of the buyer: of a new account. A login is another form. */
function newPasswords(snapshot: Snapshot, form: PageForm): readonly FieldInfo[] {
  const card = new Set(
    form.fields.filter((one) => cardMeanings.has(one.meaning)).map((one) => one.field.ref),
  );
  return snapshot.fields.filter(
    (field) =>
      field.type === 'password' &&
      form.containers.has(field.container) &&
      !field.disabled &&
      !field.readOnly &&
      !card.has(field.ref),
  );
}

const isComplained = ({ alerts }: Snapshot) =>
  alerts.some((alert) =>
    /password|passwort|kennwort|mot de passe|contrase|パスワード/i.test(alert),
  );
