import type { ElementHandle } from 'playwright-core';
import type { FieldInfo, Snapshot } from '../page/snapshot.ts';
import { sameText } from './fill.ts';

/** What the scripts below need of a field: its document's own types are not ours. */
interface PageField {
  readonly disabled?: boolean;
  readonly readOnly?: boolean;
  readonly value?: string;
  readonly textContent: string | null;
  readonly ownerDocument: {
    readonly defaultView: { readonly KeyboardEvent: new (type: string, about: object) => object };
    execCommand(command: string, hasUi?: boolean, text?: string): boolean;
    getSelection(): { selectAllChildren(node: unknown): void };
  };
  getRootNode(): { readonly activeElement: unknown };
  focus(): void;
  blur(): void;
  select?(): void;
  dispatchEvent(event: object): boolean;
}

/** Takes the focus, looks whether the field really has it, and puts the text in place of what is there: in one piece, no page comes between. */
const insertScript = (element: unknown, text: string): boolean => {
  const field = element as PageField;
  if (field.disabled || field.readOnly) return false;
  field.focus();
  if (field.getRootNode().activeElement !== element) return false;
  if (field.select) field.select();
  else field.ownerDocument.getSelection().selectAllChildren(field);
  field.ownerDocument.execCommand(text === '' ? 'delete' : 'insertText', false, text);
  return true;
};

/** The same for one more character, with the events of its key for pages that listen to those. */
const keyScript = (element: unknown, key: string): boolean => {
  const field = element as PageField;
  const page = field.ownerDocument;
  const { KeyboardEvent } = page.defaultView;
  const code = key.toUpperCase().charCodeAt(0);
  const about = { key, keyCode: code, which: code, bubbles: true, cancelable: true, composed: true };
  field.focus();
  if (field.getRootNode().activeElement !== element) return false;
  const isLeft =
    field.dispatchEvent(new KeyboardEvent('keydown', about)) &&
    field.dispatchEvent(new KeyboardEvent('keypress', { ...about, keyCode: key.charCodeAt(0), charCode: key.charCodeAt(0) }));
  if (isLeft && field.getRootNode().activeElement !== element) return false;
  if (isLeft) page.execCommand('insertText', false, key);
  field.dispatchEvent(new KeyboardEvent('keyup', about));
  return true;
};

const readScript = (element: unknown): string => {
  const field = element as PageField;
  return String(field.value ?? field.textContent ?? '');
};

const keyPauseMs = 5;

/**
 * Types a secret, the best spelling first, and reads back what the page keeps. The browser's keyboard writes to whatever has the focus,
 * and any frame may take that between two keys: so the text goes in by the field's own document, and nowhere else.
 * @returns false when the page keeps none of the spellings
 */
export async function typeSecret(snapshot: Snapshot, field: Pick<FieldInfo, 'ref'>, spellings: readonly string[]): Promise<boolean> {
  try {
    const element = await snapshot.element(field.ref);
    for (const spelling of spellings) {
      const isKept = async () => {
        const kept = await element.evaluate(readScript);
        return kept === spelling || sameText(kept, spelling);
      };
      if (!(await element.evaluate(insertScript, spelling))) return false;
      if (!(await isKept())) await typeKeys(element, spelling);
      if (await isKept()) {
        await element.evaluate((one) => (one as unknown as PageField).blur());
        return (await element.evaluate(readScript)) !== '';
      }
    }
    return false;
  } catch {
    return false;
  }
}

async function typeKeys(element: ElementHandle, text: string): Promise<void> {
  if (!(await element.evaluate(insertScript, ''))) return;
  for (const key of text) {
    if (!(await element.evaluate(keyScript, key))) return;
    // Some pages write what was typed anew after each key.
    await new Promise((resolve) => setTimeout(resolve, keyPauseMs));
  }
}
