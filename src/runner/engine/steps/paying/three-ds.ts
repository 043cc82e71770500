import type { Frame, Page } from 'playwright-core';
import { type Snapshot, takeSnapshot } from '../../page/snapshot.ts';
import { isShopUrl, originOf, type Run } from '../../run.ts';
import { outcomeWords } from '../outcome/outcome-words.ts';

/** Where the bank asks the cardholder. `key` tells one question from the next. */
export interface Challenge {
  readonly origin: string;
  readonly key: string;
}

const frameAbout = /3ds|3-?d-?s|\bacs\b|challenge|authenticat|secure-?code/i;

/**
 * Addresses of all frames of all pages: what is there before the click is no question of a bank.
 */
export function frameAddresses(run: Run): ReadonlySet<string> {
  return new Set(run.context.pages().flatMap((page) => page.frames().map((frame) => frame.url())));
}

/**
 * The bank's question as a page of its own, in a window that opened, or in a frame; undefined when
 * nobody asks.
 */
export async function findChallenge(
  run: Run,
  snapshot: Snapshot,
  before: ReadonlySet<string>,
): Promise<Challenge | undefined> {
  for (const page of run.context.pages()) {
    if (page !== run.page && !before.has(page.url()) && (await isBankWindow(run, page)))
      return challengeAt(page.url());
  }
  for (const frame of run.page.frames()) {
    if (frame !== run.page.mainFrame() && !before.has(frame.url()) && (await isBankFrame(frame)))
      return challengeAt(frame.url());
  }
  const isElsewhere = /^https?:/.test(snapshot.url) && !isShopUrl(run, snapshot.url);
  return isElsewhere || outcomeWords.challenge.test(`${snapshot.heading} ${snapshot.title}`)
    ? challengeAt(snapshot.url)
    : undefined;
}

const challengeAt = (address: string): Challenge => ({
  origin: originOf(address),
  key: address.split('#')[0]!,
});

async function isBankWindow(run: Run, page: Page): Promise<boolean> {
  if (page.isClosed() || !/^https?:/.test(page.url())) return false;
  if (!isShopUrl(run, page.url())) return true;
  const seen = await takeSnapshot(page.mainFrame()).catch(() => undefined);
  return (
    seen !== undefined &&
    outcomeWords.challenge.test(`${seen.heading} ${seen.title} ${seen.text.slice(0, 600)}`)
  );
}

/** A frame large enough to be answered, which calls itself one of a bank or speaks like one. */
async function isBankFrame(frame: Frame): Promise<boolean> {
  const element = await frame.frameElement().catch(() => undefined);
  if (!(await element?.isVisible().catch(() => false))) return false;
  const box = await element?.boundingBox().catch(() => null);
  if (!box || box.width < 150 || box.height < 100) return false;
  const attribute = (name: string) => element?.getAttribute(name).catch(() => null);
  const about = [
    frame.url(),
    frame.name(),
    await attribute('title'),
    await attribute('id'),
    await attribute('class'),
  ].join(' ');
  if (frameAbout.test(about)) return true;
  const seen = await takeSnapshot(frame).catch(() => undefined);
  return (
    seen !== undefined &&
    outcomeWords.challenge.test(`${seen.heading} ${seen.text.slice(0, 1_500)}`)
  );
}
