import type { ElementHandle, Frame, JSHandle } from 'playwright-core';
import type { SectionKind } from '../sections/kinds.ts';
import { divide, type Section } from '../sections/sections.ts';
import { accessibleNames } from './accessible-names.ts';
import { pictureTaken } from './picture.ts';
import { noteAction } from './settle.ts';
import { snapshotScript } from './snapshot-script.ts';

/** A field that a person can see. Texts are the page's: data, never instructions. */
export interface FieldInfo {
  /** Index of the element in its snapshot. */
  readonly ref: number;
  /** What is clicked instead when the box itself is drawn by its label. */
  readonly proxy: number | null;
  readonly tag: string;
  /** `text`, `email`, `select`, `radio`, `checkbox`, `combobox` … */
  readonly type: string;
  readonly role: string;
  readonly name: string;
  readonly id: string;
  readonly hint: string;
  readonly autocomplete: string;
  readonly inputMode: string;
  readonly pattern: string;
  readonly maxLength: number;
  readonly placeholder: string;
  readonly label: string;
  readonly near: string;
  /** Radio buttons of the same choice share it; −1 for other fields. */
  readonly group: number;
  readonly groupLabel: string;
  readonly section: string;
  readonly itemprop: string;
  readonly required: boolean;
  readonly disabled: boolean;
  readonly readOnly: boolean;
  readonly value: string;
  readonly checked: boolean;
  readonly options: readonly OptionInfo[];
  readonly invalid: boolean;
  readonly message: string;
  readonly hasPopup: string;
  readonly datalist: boolean;
  /** Index in {@link Snapshot.forms}. */
  readonly container: number;
  /** Index in {@link PageInfo.boxes}; -1 in none. */
  readonly box: number;
  readonly region: string;
  /** Which of the things over the page it stands in; -1 in none. */
  readonly over: number;
  readonly rowText: string;
  readonly rowRef: number | null;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface OptionInfo {
  readonly value: string;
  readonly text: string;
  readonly disabled: boolean;
  readonly selected: boolean;
}

/** A button, link or tab that a person can see. */
export interface ButtonInfo {
  readonly ref: number;
  readonly tag: string;
  readonly role: string;
  readonly type: string;
  readonly text: string;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly href: string;
  readonly action: string;
  readonly target: string;
  readonly disabled: boolean;
  readonly pressed: string;
  readonly expanded: string;
  /** The number that a stepper shows beside its plus and minus; empty for other buttons. */
  readonly count: string;
  readonly hasPopup: string;
  readonly container: number;
  /** Index in {@link PageInfo.boxes}; -1 in none. */
  readonly box: number;
  /** Buttons of the same parent share it. */
  readonly parent: number;
  readonly groupLabel: string;
  readonly region: string;
  /** Which of the things over the page it stands in; -1 in none. */
  readonly over: number;
  readonly rowText: string;
  readonly rowRef: number | null;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** An amount with the words beside it. */
export interface PriceInfo {
  readonly text: string;
  readonly label: string;
  readonly row: string;
  readonly struck: boolean;
  readonly hint: string;
  readonly itemprop: string;
  readonly region: string;
  readonly inButton: boolean;
  readonly heading: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

export interface FormInfo {
  readonly tag: string;
  readonly hint: string;
  readonly role: string;
  readonly action: string;
  readonly method: string;
  readonly heading: string;
  readonly region: string;
  /** What it is there for; absent where it is no section. */
  readonly kind?: SectionKind;
}

/** An element around several fields and buttons, or a form. Texts are the page's. */
export interface BoxInfo {
  readonly ref: number;
  /** Index of the box around it; -1 without one. */
  readonly parent: number;
  /** How many fields and buttons it holds. */
  readonly size: number;
  readonly isForm: boolean;
  readonly tag: string;
  readonly hint: string;
  readonly role: string;
  readonly heading: string;
  readonly action: string;
  readonly method: string;
  readonly region: string;
  readonly text: string;
}

/** What can be seen in one frame at one moment, as it is written there. */
export interface PageInfo {
  readonly url: string;
  readonly title: string;
  readonly lang: string;
  readonly heading: string;
  readonly text: string;
  readonly fields: readonly FieldInfo[];
  readonly buttons: readonly ButtonInfo[];
  readonly prices: readonly PriceInfo[];
  readonly forms: readonly FormInfo[];
  readonly boxes: readonly BoxInfo[];
  readonly alerts: readonly string[];
  readonly structured: readonly string[];
  readonly priceCurrency: string;
}

/** The same in sections; fields and buttons are those that may have to do with buying. */
export interface SnapshotInfo extends PageInfo {
  readonly sections: readonly Section[];
}

export interface Snapshot extends SnapshotInfo {
  readonly frame: Frame;
  /**
   * The element of a `ref`, for something to be done with it.
   * @throws when the page has gone away meanwhile
   */
  element(ref: number): Promise<ElementHandle>;
}

const triesMax = 4;

/** What reads a document, put into it once: it is long, and a document is read often. */
type Reader = JSHandle<() => { info: string; elements: unknown[] }>;
const readers = new WeakMap<Frame, Reader>();

async function install(frame: Frame): Promise<Reader> {
  const reader = (await frame.evaluateHandle(snapshotScript(await accessibleNames()))) as Reader;
  readers.set(frame, reader);
  return reader;
}

/** A new document gets a reader of its own. */
async function read(frame: Frame) {
  const known = readers.get(frame);
  const found = await known?.evaluateHandle((look) => look()).catch(() => undefined);
  return found ?? (await install(frame)).evaluateHandle((look) => look());
}

/** Reads a frame; when it navigates at that moment, the next page is read. */
export async function takeSnapshot(frame: Frame): Promise<Snapshot> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // While a picture is taken, secrets look different.
      await pictureTaken(frame.page());
      const handle = await read(frame);
      // One text: Playwright checks and copies each field of an object several times.
      const info = JSON.parse(await handle.evaluate((result) => result.info)) as PageInfo;
      const element = async (ref: number) => {
        await pictureTaken(frame.page());
        noteAction(frame.page());
        const found = (
          await handle.evaluateHandle((result, index) => result.elements[index], ref)
        ).asElement();
        if (found === null) throw new PageChangedError(`Element ${ref} is not there any more.`);
        return found as ElementHandle;
      };
      return { ...divide(info), frame, element };
    } catch (error) {
      if (
        attempt >= triesMax ||
        frame.isDetached() ||
        !/context was destroyed|navigat|Cannot find context/i.test(String(error))
      )
        throw error;
      await frame.waitForLoadState('domcontentloaded', { timeout: 10_000 }).catch(() => undefined);
    }
  }
}

/** The page is not the one that was read: read it again. */
export class PageChangedError extends Error {}
