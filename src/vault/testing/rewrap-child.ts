import { systemClock } from '../../lib/clock.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import { createStore } from '../../store/pool.ts';
import { createAuditLog } from '../audit/audit.ts';
import { createFileKek } from '../keys/keks/file.ts';
import { createKeyRing } from '../keys/key-ring.ts';
import { rewrapKeys } from '../keys/rewrap.ts';

// A rewrap that a test kills:
// `tsx rewrap-child.ts <database> <new key hex> <old key hex> <keys>`. It stops in the middle of the
// next key and says so: a test that waits for a moment comes too late on a busy machine.
const [url, newKey, oldKey, keys] = process.argv.slice(2) as [string, string, string, string];
const store = createStore({ url, poolSize: 2 });
const kekOf = (hex: string) => createFileKek(new Secret(new Uint8Array(Buffer.from(hex, 'hex'))));
const stopping = kekOf(newKey);
let wrapped = 0;
const ring = createKeyRing([
  {
    id: 'second',
    provider: {
      ...stopping,
      wrap: async (key, context) => {
        if (wrapped++ < Number(keys)) return stopping.wrap(key, context);
        process.stdout.write('stopped\n');
        return await new Promise<never>(() => setInterval(() => undefined, 60_000));
      },
    },
  },
  { id: 'first', provider: kekOf(oldKey) },
]);
const audit = createAuditLog({ clock: systemClock }, new Secret(Buffer.alloc(32, 1)));
await rewrapKeys({ store }, { ring, audit, actor: 'operator', limit: 1_000_000 });
await store.close();
