import { startDevelopment } from '../devnet/service/start.ts';
import { exitWith } from '../src/processes/lifecycle.ts';

// `npm start`: everything in one process tree, with an embedded PostgreSQL and local chains.
await startDevelopment(process.argv.slice(2)).catch(exitWith);
