import { migrate } from './migrate.ts';
import { createStore } from './pool.ts';

// A process that migrates and says what it applied: for the test of several that start at once.
const [url, folder] = process.argv.slice(2);
const store = createStore({ url: url!, poolSize: 2 });
const { applied } = await migrate(store, folder!);
await store.close();
process.stdout.write(JSON.stringify(applied));
