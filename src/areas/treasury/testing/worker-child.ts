import pino from 'pino';
import { developmentConfig } from '../../../config/development-config.ts';
import { composeCtx } from '../../../processes/compose.ts';
import { runWorker } from '../../../processes/worker/run.ts';

/** A whole worker as a process that a test kills: `worker-child.ts <json>`. */
export interface WorkerChildInput {
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly rpcUrls: readonly (readonly [string, string])[];
  readonly testTokenAddress: `0x${string}`;
}

const { rpcUrls, ...input } = JSON.parse(process.argv[2]!) as WorkerChildInput;
const config = developmentConfig({ ...input, rpcUrls: new Map(rpcUrls) });
const log = pino({ level: 'silent' });
await runWorker(await composeCtx(config, { log, process: 'worker-child' }));
