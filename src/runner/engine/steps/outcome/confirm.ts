import { setTimeout as delay } from 'node:timers/promises';
import type { RunEnd } from '../../../types.ts';
import { fingerprint } from '../../act.ts';
import { bounded } from '../../page/bounded.ts';
import { awaitChange, settle } from '../../page/settle.ts';
import { type Snapshot, takeSnapshot } from '../../page/snapshot.ts';
import { isShopUrl, type Run } from '../../run.ts';
import { uncoverScreen } from '../login/secrets.ts';
import { type Challenge, findChallenge } from '../paying/three-ds.ts';
import type { Traffic } from '../traffic.ts';
import { canOrder, readConfirmation, readRefusal } from './confirmation.ts';
import {
  askIssuer,
  chargedTotal,
  confirmed,
  type Findings,
  notPlaced,
  reconcile,
} from './reconcile.ts';

const afterUserWaitMs = 40_000;
const lookMs = 250;
const snapshotMsMin = 2_000;
const quietMs = 3_000;
const swallowedMs = 8_000;
const askedMax = 3;
const challengeRestMs = 700;
const refusalRestMs = 6_000;

/** The moment of the click, against which everything later is read. */
export interface Click {
  readonly before: Snapshot;
  /** Addresses of the frames that were there. */
  readonly frames: ReadonlySet<string>;
  readonly requestsBefore: number | undefined;
  readonly at: number;
  readonly traffic: Traffic;
  /**
   * Presses the button once more; only where the gate lets one request of it pass and the first
   * press has sent nothing.
   */
  readonly again?: () => Promise<boolean>;
  /**
   * Orders where the page is a review of the order, and what was pressed only led there; undefined
   * where it is none.
   */
  readonly review?: (snapshot: Snapshot) => Promise<RunEnd | undefined>;
}

interface Watching {
  until: number;
  asked: number;
  /** What the user did at the bank last. */
  pressedAt: number;
  again: Click['again'];
  challenge?: Challenge & { readonly since: number };
  refusal?: { readonly text: string; readonly since: number };
}

/** Waits for what the click brought about; the user is asked for 3-D Secure. */
export async function watchOutcome(run: Run, click: Click): Promise<RunEnd> {
  const watching: Watching = {
    until: Date.now() + run.patience.outcomeMs,
    asked: 0,
    pressedAt: click.at,
    again: click.again,
  };
  const leftMs = () =>
    Math.max(
      watching.until,
      run.watch.awaitsAnswer ? watching.pressedAt + run.patience.answerMs : 0,
    ) - Date.now();
  while (leftMs() > 0 && !run.signal.aborted) {
    await settle(run.page, run.watch, { quietMs: 120, timeoutMs: 3_000 });
    // While the next document has no answer, the page answers nothing either.
    const snapshot = await bounded(
      takeSnapshot(run.page.mainFrame()),
      Math.max(snapshotMsMin, leftMs()),
    ).catch(() => undefined);
    if (snapshot === undefined && run.watch.awaitsAnswer) {
      await delay(500);
      continue;
    }
    // The browser's own error page: the answer is lost.
    if (snapshot === undefined || !/^https?:/.test(snapshot.url)) break;
    const isShop = isShopUrl(run, snapshot.url);
    const confirmation = isShop ? readConfirmation(snapshot, click.before.url) : undefined;
    if (confirmation !== undefined)
      return confirmed(run, confirmation, await chargedTotal(run, snapshot));
    const reviewed = isShop && run.watch.busy === 0 ? await click.review?.(snapshot) : undefined;
    if (reviewed !== undefined) return reviewed;
    const ended = await answerBank(run, click, snapshot, watching);
    if (ended !== undefined) return ended;
    const refusal =
      isShop && watching.challenge === undefined ? readRefusal(snapshot, click.before) : undefined;
    if (refusal === undefined) watching.refusal = undefined;
    else if (watching.refusal?.text !== refusal)
      watching.refusal = { text: refusal, since: Date.now() };
    if (watching.refusal !== undefined) {
      const end = await refused(run, click, snapshot, watching.refusal);
      if (end !== undefined) return end;
    } else if (isSwallowed(run, click, snapshot)) {
      const end = await pressAgain(run, watching);
      if (end !== undefined) return end;
    }
    await awaitChange(run.page, lookMs);
  }
  const text = watching.refusal?.text;
  const findings: Findings = {
    page: text === undefined ? 'silent' : 'refuses',
    isRefusalProven: false,
    request: 'unknown',
  };
  return reconcile(
    run,
    text === undefined ? 'The shop did not confirm the order.' : `The shop says: “${text}”.`,
    findings,
  );
}

/**
 * Asks the user for the bank's question, which rests for a moment; the same one again when it stays
 * after the answer.
 */
async function answerBank(
  run: Run,
  click: Click,
  snapshot: Snapshot,
  watching: Watching,
): Promise<RunEnd | undefined> {
  const challenge = await findChallenge(run, snapshot, click.frames);
  if (challenge === undefined) {
    watching.challenge = undefined;
    return undefined;
  }
  const known = watching.challenge;
  if (known === undefined || known.key !== challenge.key)
    watching.challenge = { ...challenge, since: Date.now() };
  const isResting = known !== undefined && Date.now() - known.since >= challengeRestMs;
  if (
    !isResting ||
    watching.asked >= askedMax ||
    (watching.asked > 0 && Date.now() - watching.pressedAt < quietMs * 2)
  )
    return undefined;
  watching.asked += 1;
  await uncoverScreen(run);
  const said = await askOrGone(run, click, challenge);
  watching.pressedAt = Date.now();
  watching.until = Date.now() + afterUserWaitMs;
  return said === 'declined' ? notConfirmed(run) : undefined;
}

/**
 * The answer of the user, or that the bank's question went away by itself: approved in the bank's
 * app.
 */
async function askOrGone(
  run: Run,
  click: Click,
  challenge: Challenge,
): Promise<'answered' | 'declined' | 'expired' | 'gone'> {
  let isAnswered = false;
  const answer = run.ports
    .ask({ kind: 'three-d-secure', origin: challenge.origin })
    .then(({ action }) =>
      action === 'submit' ? 'answered' : action === 'decline' ? 'declined' : 'expired',
    )
    .finally(() => {
      isAnswered = true;
    });
  void answer.catch(() => undefined);
  const gone = async () => {
    for (let misses = 0; misses < 4 && !isAnswered && !run.signal.aborted; ) {
      await delay(500);
      const snapshot = await takeSnapshot(run.page.mainFrame()).catch(() => undefined);
      const found =
        snapshot === undefined
          ? challenge
          : await findChallenge(run, snapshot, click.frames).catch(() => challenge);
      misses = found === undefined ? misses + 1 : 0;
    }
    return isAnswered ? answer : 'gone';
  };
  return Promise.race([answer, gone()]) as Promise<'answered' | 'declined' | 'expired' | 'gone'>;
}

/** The user will not confirm at the bank: nothing was bought when the issuer says so. */
async function notConfirmed(run: Run): Promise<RunEnd> {
  const use = await askIssuer(run);
  if (use.state !== 'not-used') return reconcile(run, 'The payment was not confirmed at the bank.');
  return {
    outcome: 'failed',
    reason: 'user_cancelled',
    message: 'The user did not confirm the payment at the bank.',
    placed: 'no',
  };
}

/**
 * A refusal counts with a second witness; against the issuer's word it does not. Undefined: wait
 * and see.
 */
async function refused(
  run: Run,
  click: Click,
  snapshot: Snapshot,
  { text, since }: NonNullable<Watching['refusal']>,
): Promise<RunEnd | undefined> {
  const isProven = run.watch.busy === 0 && (hasRefusedAnswer(run, click) || canOrder(snapshot));
  if (!isProven && Date.now() - since < refusalRestMs) return undefined;
  const use = await askIssuer(run, 0);
  if (use.state === 'authorised')
    return reconcile(run, `The shop says: “${text}”.`, {
      page: 'refuses',
      isRefusalProven: isProven,
      request: 'left',
    });
  return isProven || use.state === 'not-used'
    ? notPlaced(`The shop refused the order: “${text}”.`)
    : undefined;
}

const refusingStatus = new Set([400, 402, 409, 410, 422]);

/**
 * The shop answered the order request, or what came back from the bank, with an error that means
 * no.
 */
function hasRefusedAnswer(run: Run, click: Click): boolean {
  return run.watch.answers.some(
    (answer) =>
      answer.at >= click.at &&
      isShopUrl(run, answer.url) &&
      (refusingStatus.has(answer.status) ||
        (answer.method !== 'GET' && answer.status >= 400 && answer.status < 500)),
  );
}

/**
 * The gate and the network agree that nothing has left, and the page is as it was. A page alone is
 * no proof.
 */
function isSwallowed(run: Run, click: Click, snapshot: Snapshot): boolean {
  return (
    run.gate !== undefined &&
    click.requestsBefore !== undefined &&
    run.gate.placedRequests() === click.requestsBefore &&
    click.traffic.sent() === 0 &&
    run.watch.busy === 0 &&
    fingerprint(snapshot) === fingerprint(click.before)
  );
}

/** After a press that nothing came of: once more where that is safe, else the end. */
async function pressAgain(run: Run, watching: Watching): Promise<RunEnd | undefined> {
  const silentMs = Date.now() - watching.pressedAt;
  if (watching.again !== undefined && silentMs > quietMs) {
    const press = watching.again;
    watching.again = undefined;
    watching.pressedAt = Date.now();
    run.log.info(
      { silentMs },
      'Nothing has left the browser: the order button is pressed once more.',
    );
    await press();
    return undefined;
  }
  if (silentMs < swallowedMs || (await askIssuer(run, 0)).state === 'authorised') return undefined;
  return notPlaced('The shop did not react to the order button: no order request has left.');
}
