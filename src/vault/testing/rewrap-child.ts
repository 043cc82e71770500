import { systemClock } from '../../lib/clock.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import { createStore } from '../../store/pool.ts';
import { createAuditLog } from '../audit/audit.ts';
import { createFileKek } from '../keys/keks/file.ts';
import { createKeyRing } from '../keys/key-ring.ts';
import { rewrapKeys } from '../keys/rewrap.ts';

// A rewrap that a test kills:
// `tsx rewrap-child.ts <database> <new key hex> <old key hex> <ms per key>`.
const [url, newKey, oldKey, pauseMs] = process.argv.slice(2) as [string, string, string, string];
const store = createStore({ url, poolSize: 2 });
const kekOf = (hex: string) => createFileKek(new Secret(new Uint8Array(Buffer.from(hex, 'hex'))));
const slow = kekOf(newKey);
const ring = createKeyRing([
  {
    id: 'second',
    provider: {
      ...slow,
      wrap: async (key, context) => {
        await new Promise((resolve) => setTimeout(resolve, Number(pauseMs)));
        return slow.wrap(key, context);
      },
    },
  },
  { id: 'first', provider: kekOf(oldKey) },
]);
const audit = createAuditLog({ clock: systemClock }, new Secret(Buffer.alloc(32, 1)));
process.stdout.write('started\n');
await rewrapKeys({ store }, { ring, audit, actor: 'operator', limit: 1_000_000 });
await store.close();
