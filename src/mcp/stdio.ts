import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createLogger, logTo } from '../lib/log/log.ts';
import { createToolServer } from './server.ts';
import type { ToolCtx } from './tool.ts';

/** Standard output is the protocol's. */
const standardError = 2;

/**
 * Serves the tools on standard input and output until whoever started this closes them, or the
 * signal comes.
 */
export async function serveToolsOnStdio(ctx: ToolCtx, signal: AbortSignal): Promise<void> {
  const transport = new StdioServerTransport();
  const log = createLogger({ level: 'error', process: 'mcp' }, logTo(standardError));
  const handle = serveStdio(() => createToolServer(ctx, { log }), {
    transport,
    maxSubscriptions: 0,
  });
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    process.stdin.once('end', resolve).once('close', resolve);
    if (signal.aborted) resolve();
  });
  await handle.close();
}
