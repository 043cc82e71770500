import { createHash } from 'node:crypto';
import { getAddress } from 'viem';

/** So much of a list is shown. */
const itemsMax = 2;
/** Signatures are whole; the data of a call is cut. */
const hexLengthMax = 132;
const firstDay = Date.UTC(2026, 0, 15, 12);

type Stand = (text: string) => string;

/**
 * Replaces what differs from run to run by stand-ins of the same form, the same for the same value
 * within one example.
 */
export function normalise<T>(value: T): T {
  const text = JSON.stringify(value);
  const instants = instantsIn(text);
  const stand = standIns();
  return JSON.parse(JSON.stringify(value), (_, item: unknown) => {
    if (Array.isArray(item)) return item.slice(0, itemsMax);
    if (typeof item === 'string') return normaliseText(item, stand, instants);
    if (typeof item === 'number') return instants.get(item) ?? item;
    return item;
  }) as T;
}

function normaliseText(text: string, stand: Stand, instants: ReadonlyMap<number, number>): string {
  const known = (date: string) =>
    new Date(instants.get(Date.parse(date)) ?? firstDay).toISOString();
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z/g, known)
    .replaceAll(/(data:[\w/+.-]+;base64,)[\w+/=]{16,}/g, '$1PHN2Zy8+')
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]*/g, '<JWT>')
    .replaceAll(/\b((?:sk|ck|whsec)_(?:[a-z]+_)?)[\w+/=-]{16,}/g, (_, kind: string) => `${kind}…`)
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}/gi, stand)
    .replaceAll(/0x[\da-fA-F]{40,}/g, stand)
    .replaceAll(/(?<![\w-])(?=\d*[A-Za-z_-])[\w-]{40,}(?![\w-])/g, stand)
    .replaceAll(/http:\/\/(?:127\.0\.0\.1|localhost):\d+/g, 'http://127.0.0.1:3000');
}

/** Stand-ins in the order in which values appear: a function of the number alone. */
function standIns(): Stand {
  const known = new Map<string, string>();
  return (text) => {
    const key = text.toLowerCase();
    const number = known.get(key) ?? String(known.size + 1);
    known.set(key, number);
    return shaped(text, createHash('sha512').update(`example ${number}`).digest('hex'));
  };
}

function shaped(text: string, hash: string): string {
  if (/^0x0*$/.test(text)) return text;
  if (/^0x[\da-fA-F]{40}$/.test(text))
    return text === text.toLowerCase()
      ? `0x${hash.slice(0, 40)}`
      : getAddress(`0x${hash.slice(0, 40)}`);
  if (text.startsWith('0x')) {
    const length = Math.min(text.length, hexLengthMax) - 2;
    return `0x${hash.repeat(2).slice(0, length)}`;
  }
  if (/^[\da-f]{8}-/i.test(text))
    return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
  return hash.repeat(Math.ceil(text.length / hash.length)).slice(0, Math.min(text.length, 86));
}

/**
 * Instants of the example, as text, seconds or milliseconds, by their rank: near ones are a second
 * apart, others as they were, in minutes.
 */
function instantsIn(text: string): ReadonlyMap<number, number> {
  const written = [...text.matchAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z/g)].map(
    ([date]) => Date.parse(date),
  );
  const numbers = [...text.matchAll(/(?<=[:[,])1[6-9]\d{8}(?:\d{3})?(?=[,\]}])/g)].map(([digits]) =>
    Number(digits),
  );
  const ordered = [...new Set([...written, ...numbers])].sort((a, b) => msOf(a) - msOf(b));
  const result = new Map<number, number>();
  let [before, now] = [msOf(ordered[0] ?? 0), firstDay];
  for (const instant of ordered) {
    const passed = msOf(instant) - before;
    now += passed < 30_000 ? Math.min(1, passed) * 1_000 : Math.round(passed / 60_000) * 60_000;
    before = msOf(instant);
    result.set(instant, instant < 1e11 ? now / 1_000 : now);
  }
  return result;
}

const msOf = (instant: number) => (instant < 1e11 ? instant * 1_000 : instant);
