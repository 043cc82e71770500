import type { Page } from 'playwright-core';
import { clickAndRead } from '../act.ts';
import { captionOf } from '../buttons.ts';
import type { ButtonInfo, Snapshot } from '../page/snapshot.ts';
import type { Run } from '../run.ts';
import { anyOf, wordLists } from '../words/languages.ts';
import { words } from '../words/words.ts';

const removing = new WeakSet<Page>();

/** Says no to what the browser asks in the page's name, but while a line is taken out of a cart. */
export const answerDialogs = (page: Page): void =>
  void page.on('dialog', (dialog) => {
    const isRemoval = removing.has(page) && dialog.type() === 'confirm';
    void (isRemoval ? dialog.accept() : dialog.dismiss()).catch(() => undefined);
  });

const yes = new RegExp(anyOf(wordLists.yes), 'iu');
const no = new RegExp(anyOf(wordLists.no), 'iu');

/**
 * Presses what takes a line out of a cart, and says yes where the shop asks whether it shall: in a
 * window of the browser, or of its page with a way back.
 */
export async function pressRemove(
  run: Run,
  given: Snapshot,
  remove: ButtonInfo,
): Promise<Snapshot> {
  removing.add(run.page);
  try {
    const { snapshot } = await clickAndRead(run, given, remove);
    const sure = sureButton(given, snapshot);
    return sure === undefined ? snapshot : (await clickAndRead(run, snapshot, sure)).snapshot;
  } finally {
    removing.delete(run.page);
  }
}

/** The yes of a question that was not there before. */
function sureButton(before: Snapshot, { buttons }: Snapshot): ButtonInfo | undefined {
  const known = before.buttons.filter(({ region }) => region === 'dialog').map(captionOf);
  const asked = buttons.filter(
    (button) =>
      button.region === 'dialog' && !button.disabled && !known.includes(captionOf(button)),
  );
  return asked.find(
    (button) =>
      [yes, words.remove].some((one) => one.test(captionOf(button))) &&
      asked.some((other) => other.over === button.over && no.test(captionOf(other))),
  );
}
