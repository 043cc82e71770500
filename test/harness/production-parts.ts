import type { SecretHolder } from '../../src/config/process-secrets.ts';
import { findFreePort, type ServiceProcess, startProcess, waitUntilReady } from './processes.ts';
import { type ProductionEnvInput, productionEnv } from './production.ts';

/** A process of a production instance. */
export interface Part {
  readonly process: ServiceProcess;
  /** Of the API, where the process is one. */
  readonly origin: string;
  readonly metricsUrl: string;
}

export type ProductionParts = ReturnType<typeof createProductionParts>;

/**
 * API and worker as in production, as real processes on one database and one node.
 * @param input.databaseUrl a password is put into it: the server trusts whoever reaches its socket
 */
export function createProductionParts({
  databaseUrl,
  password = 'any',
  ...rest
}: Pick<ProductionEnvInput, 'databaseUrl' | 'secrets' | 'rpcUrls'> & {
  readonly password?: string;
}) {
  /** Every process that was started, in order. */
  const ran: ServiceProcess[] = [];
  const environment = (
    process: SecretHolder,
    ports: { readonly port?: number; readonly metricsPort?: number } = {},
    extra: Readonly<Record<string, string>> = {},
  ): Record<string, string> =>
    productionEnv({
      process,
      databaseUrl: databaseUrl.replace('purser@', `purser:${password}@`),
      ...rest,
      ...ports,
      extra,
    });
  return {
    ran,
    environment,
    /** Answers once it is ready. */
    async start(name: 'api' | 'worker'): Promise<Part> {
      const [port, metricsPort] = [await findFreePort(), await findFreePort()];
      const process = startProcess({
        name,
        program: `bin/${name}.ts`,
        env: environment(name, { port, metricsPort }),
      });
      ran.push(process);
      const part = {
        process,
        origin: `http://127.0.0.1:${port}`,
        metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
      };
      await waitUntilReady(name === 'api' ? `${part.origin}/ready` : part.metricsUrl, process);
      return part;
    },
    async stop(signal?: NodeJS.Signals): Promise<void> {
      await Promise.all(ran.map((process) => process.stop(signal)));
    },
  };
}
