import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Secret } from '../../../lib/sealing/secret.ts';
import { openUpstream } from './upstream.ts';

test.each(['runner', 'http://', 'http://runner:99999', 'ftp://runner', 'http://runner/#x'])(
  'a runner that says its pictures are at %s shows none, and ends nobody',
  (origin) => {
    let lostCount = 0;
    const upstream = openUpstream({
      checkoutId: randomUUID(),
      identity: { name: 'api', seed: new Secret(randomBytes(32)) },
      now: () => new Date(),
      onPicture: () => undefined,
      onStatus: () => undefined,
      onLost: () => lostCount++,
    });
    upstream.follow(origin);
    expect(lostCount).toBe(1);
    upstream.follow(undefined);
    upstream.close();
  },
);
