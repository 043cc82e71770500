import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSealer, type KeyEncryptionKey, type SealContext, SealError } from './seal.ts';
import { Secret } from './secret.ts';

const context: SealContext = {
  purpose: 'custody-key',
  projectId: 'project-1',
  id: 'key-1',
  version: 1,
};
const aKey = (id: string, bytes = randomBytes(32)): KeyEncryptionKey => ({
  id,
  key: new Secret<Uint8Array>(bytes),
});
const oldKey = aKey('2026-01');
const newKey = aKey('2026-07');
const sealer = createSealer([oldKey]);

function refusalOf(run: () => unknown): SealError {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(SealError);
    return error as SealError;
  }
  throw new Error('It opened.');
}

describe('a sealed value', () => {
  test('opens to what was sealed, whatever the content and the context', { tags: 'slow' }, () => {
    const text = fc
      .string({ unit: 'binary' })
      .filter((each) => Buffer.from(each).toString() === each);
    const contexts = fc.record({ purpose: text, projectId: text, id: text, version: fc.nat() });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5_000 }), contexts, (plaintext, each) => {
        expect(sealer.open(sealer.seal(plaintext, each), each)).toEqual(Buffer.from(plaintext));
      }),
    );
  });

  test('shows nothing of its content and is never twice the same', () => {
    const plaintext = Buffer.from('a very secret scalar, 32 bytes!!');
    const sealed = sealer.seal(plaintext, context);
    expect(sealed.includes(plaintext)).toBe(false);
    expect(sealer.seal(plaintext, context).equals(sealed)).toBe(false);
    expect(sealed.length).toBe(2 + '2026-01'.length + 60 + 28 + plaintext.length);
  });

  test('opens from a view into a larger buffer, and leaves the input as it was', () => {
    const sealed = sealer.seal(Buffer.from('content'), context);
    const view = Buffer.concat([Buffer.from('before'), sealed, Buffer.from('after')]).subarray(
      6,
      6 + sealed.length,
    );
    const copy = Buffer.from(view);
    expect(sealer.open(view, context).toString()).toBe('content');
    expect(view.equals(copy)).toBe(true);
  });

  test('opens in its own context only', () => {
    const sealed = sealer.seal(Buffer.from('content'), context);
    for (const other of [
      { ...context, purpose: 'x' },
      { ...context, projectId: 'project-2' },
      { ...context, id: 'key-2' },
      { ...context, version: 2 },
    ]) {
      expect(refusalOf(() => sealer.open(sealed, other)).reason).toBe('not-authentic');
    }
    // The parts have lengths: shifting a character from one to the next makes another context.
    const shifted = { ...context, purpose: 'custody-keyp', projectId: 'roject-1' };
    expect(refusalOf(() => sealer.open(sealed, shifted)).reason).toBe('not-authentic');
  });
});

describe('a changed value is refused', () => {
  const sealed = sealer.seal(Buffer.from('sixteen bytes ok'), context);
  const both = createSealer([newKey, oldKey]);
  const header = 2 + '2026-01'.length;
  const regions: Record<string, [from: number, to: number]> = {
    'format version': [0, 1],
    'length of the key id': [1, 2],
    'key id': [2, header],
    'nonce of the data key': [header, header + 12],
    'wrapped data key': [header + 12, header + 44],
    'tag of the data key': [header + 44, header + 60],
    'nonce of the content': [header + 60, header + 72],
    content: [header + 72, sealed.length - 16],
    'tag of the content': [sealed.length - 16, sealed.length],
  };

  test('and the regions below cover every byte', () => {
    const covered = Object.values(regions).reduce((sum, [from, to]) => sum + to - from, 0);
    expect(covered).toBe(sealed.length);
  });

  test.each(Object.entries(regions))('in its %s, at each bit', (_region, [from, to]) => {
    for (let at = from; at < to; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const changed = Buffer.from(sealed);
        changed[at]! ^= 1 << bit;
        expect(() => sealer.open(changed, context)).toThrow(SealError);
        if (at < header + 60) expect(() => both.rewrap(changed, context)).toThrow(SealError);
        else expect(() => both.open(both.rewrap(changed, context), context)).toThrow(SealError);
      }
    }
  });

  test('when cut off anywhere or continued', () => {
    for (let length = 0; length < sealed.length; length++)
      expect(() => sealer.open(sealed.subarray(0, length), context)).toThrow(SealError);
    expect(
      refusalOf(() => sealer.open(Buffer.concat([sealed, Buffer.of(0)]), context)).reason,
    ).toBe('not-authentic');
  });

  test('when it is put together of two values of the same record', () => {
    const other = sealer.seal(Buffer.from('another content!'), context);
    const mixed = Buffer.concat([sealed.subarray(0, header + 60), other.subarray(header + 60)]);
    expect(refusalOf(() => sealer.open(mixed, context)).reason).toBe('not-authentic');
  });

  test('when it is no sealed value at all', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(() => sealer.open(bytes, context)).toThrow(SealError);
      }),
    );
  });
});

describe('key-encryption keys', () => {
  test('a value of a key that is not configured says which one it needs', () => {
    const error = refusalOf(() =>
      createSealer([newKey]).open(sealer.seal(Buffer.from('x'), context), context),
    );
    expect(error.reason).toBe('unknown-key');
    expect(error.message).toContain('"2026-01"');
    expect(error.message).toContain('Configured: 2026-07');
  });

  test('another key of the same id opens nothing', () => {
    const impostor = createSealer([aKey('2026-01')]);
    expect(
      refusalOf(() => impostor.open(sealer.seal(Buffer.from('x'), context), context)).reason,
    ).toBe('not-authentic');
  });

  test('the id in the header is bound, even where two ids name the same key', () => {
    const bytes = randomBytes(32);
    const twins = createSealer([aKey('kek-a', bytes), aKey('kek-b', bytes)]);
    const sealed = twins.seal(Buffer.from('x'), context);
    sealed.write('kek-b', 2);
    expect(refusalOf(() => twins.open(sealed, context)).reason).toBe('not-authentic');
  });

  test('two can be live: the first seals, both open', () => {
    const both = createSealer([newKey, oldKey]);
    const before = sealer.seal(Buffer.from('before'), context);
    const after = both.seal(Buffer.from('after'), context);
    expect(both.open(before, context).toString()).toBe('before');
    expect(both.open(after, context).toString()).toBe('after');
    expect(both.keyIdOf(before)).toBe('2026-01');
    expect(both.keyIdOf(after)).toBe('2026-07');
    expect(refusalOf(() => sealer.open(after, context)).reason).toBe('unknown-key');
  });

  test('rewrapping moves a value to the first key and leaves the content sealed as it was', () => {
    const both = createSealer([newKey, oldKey]);
    const before = sealer.seal(Buffer.from('content'), context);
    const after = both.rewrap(before, context);
    expect(createSealer([newKey]).open(after, context).toString()).toBe('content');
    expect(after.subarray(-28 - 7).equals(before.subarray(-28 - 7))).toBe(true);
    expect(both.rewrap(after, context).equals(after)).toBe(true);
    expect(refusalOf(() => both.rewrap(before, { ...context, id: 'key-2' })).reason).toBe(
      'not-authentic',
    );
    expect(refusalOf(() => createSealer([newKey]).rewrap(before, context)).reason).toBe(
      'unknown-key',
    );
  });

  test('are checked when the sealer is made', () => {
    expect(() => createSealer([])).toThrow('At least one');
    expect(() => createSealer([aKey('a', randomBytes(31))])).toThrow('32 bytes');
    expect(() => createSealer([aKey('a'), aKey('a')])).toThrow('same id');
    expect(() => createSealer([aKey('')])).toThrow('1 to 64');
    expect(() => createSealer([aKey('a b')])).toThrow('1 to 64');
    expect(() => createSealer([aKey('a'.repeat(65))])).toThrow('1 to 64');
  });

  test('never show in an error', () => {
    const key = randomBytes(32);
    const error = refusalOf(() =>
      createSealer([aKey('2026-01', key)]).open(sealer.seal(Buffer.from('x'), context), context),
    );
    const shown = `${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
    expect(shown).not.toContain(key.toString('hex'));
    expect(shown).not.toContain(key.toString('base64'));
  });
});
