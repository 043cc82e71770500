import { ListError } from './list-reader.ts';

/**
 * Reads well-formed XML in pieces with bounded memory: element names without prefixes, attributes,
 * and the text of the elements that are asked for. Document types are refused, so that no entity
 * can be defined.
 */

export interface XmlTag {
  readonly name: string;
  /** 1 for the root. */
  readonly depth: number;
  readonly attributes: (name: string) => string | undefined;
}

export interface XmlHandler {
  onOpen(tag: XmlTag): void;
  /**
   * `path`: the names of the open elements around it. `text`: what stands directly in it; empty
   * unless asked for.
   */
  onClose(name: string, path: readonly string[], text: string): void;
  wantsText(name: string): boolean;
}

/** A tag, comment or run of text that is held until it ends. */
const pieceLengthMax = 64 * 1_024;
const depthMax = 64;
const textLengthMax = 2_000;
const namePattern = /^[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?/;

export function createXmlScanner(handler: XmlHandler): {
  take(text: string): void;
  finish(): void;
} {
  const path: string[] = [];
  const texts: string[] = [];
  let rest = '';
  let ended = false;

  const addText = (text: string) => {
    const name = path.at(-1);
    if (name === undefined) {
      if (/[^\s\ufeff]/.test(text))
        throw new ListError('The XML has text outside of its root element.');
      return;
    }
    if (!handler.wantsText(name)) return;
    const held = texts[texts.length - 1]! + text;
    if (held.length > textLengthMax)
      throw new ListError(`The text of <${name}> is longer than ${textLengthMax} characters.`);
    texts[texts.length - 1] = held;
  };
  const openTag = (body: string) => {
    const selfClosing = body.endsWith('/');
    const [full] = namePattern.exec(body) ?? [];
    if (full === undefined) throw new ListError('The XML has a tag without a name.');
    if (ended) throw new ListError('The XML has two root elements.');
    if (path.length >= depthMax)
      throw new ListError(`The XML is nested deeper than ${depthMax} elements.`);
    const name = localName(full);
    path.push(name);
    texts.push('');
    handler.onOpen({
      name,
      depth: path.length,
      attributes: (wanted) => readAttribute(body.slice(full.length), wanted),
    });
    if (selfClosing) closeTop();
  };
  const closeTop = () => {
    const name = path.pop()!;
    handler.onClose(name, path, texts.pop()!);
    if (path.length === 0) ended = true;
  };
  const closeTag = (body: string) => {
    const name = localName(body.trim());
    if (path.at(-1) !== name)
      throw new ListError(
        `The XML closes <${name.slice(0, 40)}> where <${path.at(-1) ?? 'nothing'}> is open.`,
      );
    closeTop();
  };
  const takeMarkup = (markup: string) => {
    if (markup.startsWith('</')) closeTag(markup.slice(2, -1));
    else if (markup.startsWith('<![CDATA[')) addText(markup.slice(9, -3));
    else if (markup.startsWith('<!--') || markup.startsWith('<?')) return;
    else if (markup.startsWith('<!'))
      throw new ListError('The XML has a document type, which no sanctions list has.');
    else openTag(markup.slice(1, -1));
  };

  return {
    take(text) {
      rest += text;
      let at = 0;
      for (;;) {
        const start = rest.indexOf('<', at);
        const textEnd = start === -1 ? safeTextEnd(rest, at) : start;
        if (textEnd > at) addText(decodeEntities(rest.slice(at, textEnd)));
        at = textEnd;
        if (start === -1) break;
        const end = markupEnd(rest, start);
        if (end === -1) break;
        takeMarkup(rest.slice(start, end));
        at = end;
      }
      rest = rest.slice(at);
      if (rest.length > pieceLengthMax)
        throw new ListError(
          `The XML has a tag or comment longer than ${pieceLengthMax} characters.`,
        );
    },
    finish() {
      if (rest.trim() !== '' || !ended) throw new ListError('The XML is cut off.');
    },
  };
}

/** Behind the last character of the markup that starts here; -1 when it has not arrived whole. */
function markupEnd(text: string, start: number): number {
  // Two characters tell what it is, nine tell a CDATA section from the rest.
  if (text.length < start + 9 && text.indexOf('>', start) === -1) return -1;
  const closer = text.startsWith('<!--', start)
    ? '-->'
    : text.startsWith('<![CDATA[', start)
      ? ']]>'
      : text.startsWith('<?', start)
        ? '?>'
        : '';
  if (closer !== '') {
    const at = text.indexOf(closer, start + 2);
    return at === -1 ? -1 : at + closer.length;
  }
  let quote = '';
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at]!;
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '>') return at + 1;
  }
  return -1;
}

/** Keeps back an entity that may go on in the next piece. */
function safeTextEnd(text: string, from: number): number {
  const ampersand = text.lastIndexOf('&');
  return ampersand >= from && text.length - ampersand < 12 && text.indexOf(';', ampersand) === -1
    ? ampersand
    : text.length;
}

function localName(full: string): string {
  return full.slice(full.indexOf(':') + 1);
}

function readAttribute(body: string, wanted: string): string | undefined {
  for (const [, name, double, single] of body.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    if (localName(name!) === wanted) return decodeEntities(double ?? single ?? '');
  return undefined;
}

const namedEntities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(
    /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w{1,10}));/g,
    (_, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) {
        if (!Object.hasOwn(namedEntities, name))
          throw new ListError(`The XML uses the unknown entity "${name}".`);
        return namedEntities[name]!;
      }
      const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      if (point > 0x10ffff) throw new ListError('The XML names a character that does not exist.');
      return String.fromCodePoint(point);
    },
  );
}
