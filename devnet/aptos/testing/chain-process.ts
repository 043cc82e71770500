import { startAptosChain } from '../local.ts';

/** A local chain in a process of its own, for tests that kill it. */
const { url } = await startAptosChain({ folder: process.argv[2]! });
process.stdout.write(`${url}\n`);
