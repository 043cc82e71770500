import { describeEventTypes } from '../../areas/event-descriptions.ts';
import { consoleRoutes } from '../../areas/operator/index.ts';
import { publicRoutes, socketRoutes } from '../../areas/public-routes.ts';
import { routes } from '../../areas/routes.ts';
import type { Ctx } from '../../context.ts';
import { closeServer } from '../../http/close-server.ts';
import { createServer, type ServerOptions } from '../../http/server.ts';
import { runScheduledJobs } from '../../jobs/every.ts';
import { mcpRoute } from '../../mcp/http.ts';
import { storeCallCounts } from '../../providers/calls/index.ts';
import type { Running } from '../lifecycle.ts';
import { sandboxValues } from '../sandbox-values.ts';

/** Serves the interface until it is stopped. @throws Error one sentence when the port is taken */
export async function runApi(
  ctx: Ctx,
  options: Omit<ServerOptions, 'routes' | 'publicRoutes' | 'socketRoutes' | 'consoleRoutes'> = {},
): Promise<Running> {
  const sandboxes = ctx.config.environment === 'production' ? [] : sandboxValues();
  const reference = { events: describeEventTypes(), sandboxes };
  const server = createServer(ctx, {
    routes,
    publicRoutes,
    socketRoutes,
    consoleRoutes,
    keyedRoutes: [mcpRoute],
    reference,
    ...options,
  });
  const { host, port } = ctx.config.api;
  await server.listen({ host, port }).catch((cause: NodeJS.ErrnoException) => {
    const reason =
      cause.code === 'EADDRINUSE'
        ? 'is in use by another program: stop that one, or choose another port'
        : `cannot be opened (${cause.code ?? cause.message})`;
    throw new Error(`Port ${port} on ${host} ${reason}.`, { cause });
  });
  ctx.log.info({ host, port }, 'the API listens');
  const counts = runScheduledJobs(
    [
      {
        name: 'store counts of calls to companies and nodes',
        everyMs: 10_000,
        run: () => storeCallCounts(ctx),
      },
    ],
    ctx.log,
  );
  return {
    name: 'api',
    async stop() {
      await closeServer(server);
      await counts.stop();
    },
  };
}
