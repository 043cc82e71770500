import type { ElementHandle } from 'playwright-core';

// The browser's keyboard writes to whatever has the focus, and any frame may take that between two
// keys. So text goes into a field by the field's own document, and nowhere else.

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

/**
 * Takes the focus, looks whether the field really has it, and puts the text in place of what is
 * there: in one piece, no page comes between.
 */
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
  const about = {
    key,
    keyCode: code,
    which: code,
    bubbles: true,
    cancelable: true,
    composed: true,
  };
  field.focus();
  if (field.getRootNode().activeElement !== element) return false;
  const isLeft =
    field.dispatchEvent(new KeyboardEvent('keydown', about)) &&
    field.dispatchEvent(
      new KeyboardEvent('keypress', {
        ...about,
        keyCode: key.charCodeAt(0),
        charCode: key.charCodeAt(0),
      }),
    );
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

/** What the field holds. */
export const readText = (element: ElementHandle): Promise<string> => element.evaluate(readScript);

/** Leaves the field, as a user does who goes on to the next one. */
export const leaveField = (element: ElementHandle): Promise<void> =>
  element.evaluate((one) => (one as unknown as PageField).blur());

/**
 * Puts the text in place of what the field holds, in one piece.
 * @returns false when the field does not take the focus
 */
export const replaceText = (element: ElementHandle, text: string): Promise<boolean> =>
  element.evaluate(insertScript, text);

/**
 * The same character by character, with the events of its keys, for pages that write what was typed
 * anew after each.
 */
export async function typeKeys(element: ElementHandle, text: string): Promise<void> {
  if (!(await replaceText(element, ''))) return;
  for (const key of text) {
    if (!(await element.evaluate(keyScript, key))) return;
    await new Promise((resolve) => setTimeout(resolve, keyPauseMs));
  }
}
