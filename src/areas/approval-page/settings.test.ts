import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../lib/clock.ts';
import type { Store } from '../../store/types.ts';
import { putPageSettings } from './settings.ts';

/** Nothing may be stored. */
const store = {
  query: () => Promise.reject(new Error('it was stored')),
} as unknown as Store;
const ctx = { store, clock: createManualClock() };

describe('how an approval page looks', () => {
  it.each([
    [{ accent: '#eeeeee' }, 'cannot be read'],
    [{ accent: 'red;}' }, 'six hexadecimal digits'],
    [{ logo: 'https://x.example/a.png; script-src *' }, 'logo'],
    [{ logo: 'javascript:alert(1)' }, 'logo'],
    [{ frameOrigins: ['https://*.example'] }, 'no origin'],
    [{ frameOrigins: ['http://shop.example'] }, 'no origin'],
    [{ frameOrigins: ["https://a.example; script-src 'unsafe-inline'"] }, 'no origin'],
    [{ frameOrigins: ['https://a.example;sandbox'] }, 'no origin'],
    [{ frameOrigins: ['https://a.example,b.example'] }, 'no origin'],
    [{ colour: '#000000' }, 'colour'],
  ])('takes no such setting: %o', async (settings, why) => {
    await expect(putPageSettings(ctx, { projectId: 'project', settings })).rejects.toThrow(why);
  });

  it('is stored when it can be read and does nothing else', async () => {
    const settings = {
      name: 'Shop',
      accent: '#7a1fa2',
      accentDark: '#e0b0ff',
      logo: 'https://cdn.example/a.png',
      frameOrigins: ['https://shop.example'],
    };
    await expect(putPageSettings(ctx, { projectId: 'project', settings })).rejects.toThrow(
      'sealed',
    );
  });
});
