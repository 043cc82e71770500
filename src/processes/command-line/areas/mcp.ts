import { readFile } from 'node:fs/promises';
import bs58 from 'bs58';
import { z } from 'zod';
import { tokenCommand } from '../../../areas/projects/index.ts';
import { families } from '../../../chains/families.ts';
import { CommandError, parseCommand } from '../../../lib/command.ts';
import { createFetchCaller } from '../../../mcp/fetch-caller.ts';
import { type LocalSigner, readDailyMax, type ToolCtx, ToolRefusal } from '../../../mcp/tool.ts';
import type { Command, CommandCall } from '../command.ts';
import { untilInterrupted } from '../interrupt.ts';
import { dataDirOf, readInstance } from '../place.ts';

/** Tokens of the local instance are good for 12 hours; one is made anew long before. */
const tokenAgeMaxMs = 60 * 60_000;

export const mcp: Command = {
  usage: `purser mcp                          tools for an agent, on standard input and output (Model Context Protocol)
Options: [--url <base address, ending in /api>] [--user <end user, in development>]
What it may do is what its key may do; nothing secret is an argument of a tool. From the environment:
  PURSER_API_KEY             the key; that of the local instance when absent
  PURSER_USER_JWT            token of the end user, for a client key; or PURSER_USER_JWT_FILE, which is read at each call
  PURSER_SIGNER_SECRET       secret of a delegated server signer that signs transfers here; PURSER_SIGNER_CHAIN=evm when it has
                             one address on all chains
  PURSER_CHECKOUT_DAILY_MAX  what the user's checkouts may cost in 24 hours: "10.00 USD"
docs/guides/mcp.md says how MCP clients are told of it.`,
  async run(call) {
    const { values } = parseCommand(call.argv, { texts: ['url', 'user'] });
    const ctx = await makeToolCtx(call, values);
    // Its library is read once everything else is right: a wrong setting is said at once.
    const { serveToolsOnStdio } = await import('../../../mcp/stdio.ts');
    await untilInterrupted((signal) => serveToolsOnStdio(ctx, signal));
  },
};

async function makeToolCtx(
  call: CommandCall,
  { url, user }: { readonly url?: string; readonly user?: string },
): Promise<ToolCtx> {
  const { env } = call;
  const isLocal = !env.PURSER_API_KEY;
  if (!isLocal && !isHeaderText(env.PURSER_API_KEY!))
    throw new CommandError(`PURSER_API_KEY ${notHeaderText}`);
  if (user === '')
    throw new CommandError('--user is empty: it names the end user that the tools are for.');
  if (!isLocal && user !== undefined)
    throw new CommandError(
      '--user is for the local instance: with PURSER_API_KEY give PURSER_USER_JWT.',
    );
  if (!isLocal && url === undefined)
    throw new CommandError(
      'With PURSER_API_KEY say where the service is: --url https://purser.example/api.',
    );
  const local = isLocal
    ? localSchema.parse(
        readInstance(
          dataDirOf(env, call.dataDir),
          'set PURSER_API_KEY and name another with --url',
        ),
      )
    : undefined;
  const apiKey = env.PURSER_API_KEY || (user === undefined ? local!.serverKey : local!.clientKey);
  const baseUrl = readBaseUrl(url ?? local!.baseUrl);
  if (local && new URL(baseUrl).origin !== new URL(local.baseUrl).origin)
    throw new CommandError(
      '--url is another service than the local instance, whose key it would get: set PURSER_API_KEY to a key of that one.',
    );
  const userJwt = user === undefined ? readUserJwt(env) : await localUserJwt(call, user);
  const signer = await readSigner(env, apiKey);
  return {
    call: createFetchCaller({ baseUrl, apiKey, ...(userJwt && { userJwt }) }),
    now: () => new Date(),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    ...(signer && { signer }),
    ...(env.PURSER_CHECKOUT_DAILY_MAX !== undefined && {
      checkoutDailyMax: readCheckoutMax(env.PURSER_CHECKOUT_DAILY_MAX),
    }),
  };
}

const localSchema = z.looseObject({
  baseUrl: z.string(),
  serverKey: z.string(),
  clientKey: z.string(),
});

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLoopback =
    url !== undefined && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback);
  if (!isSafe || !/\/api\/?$/.test(url.pathname))
    throw new CommandError(
      '--url is an https address that ends in /api; plain http is for this machine only, since a key goes over it.',
    );
  return url.href.replace(/\/$/, '');
}

/** Key and token go into headers: with anything else in them no call would leave this process. */
const isHeaderText = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);
const notHeaderText =
  'has characters that stand in no key and no token, such as a line end: copy it whole.';

/** @throws CommandError, and at a call ToolRefusal */
function readUserJwt(env: CommandCall['env']): (() => Promise<string>) | undefined {
  const { PURSER_USER_JWT: jwt, PURSER_USER_JWT_FILE: file } = env;
  if (jwt && !isHeaderText(jwt)) throw new CommandError(`PURSER_USER_JWT ${notHeaderText}`);
  if (jwt) return async () => jwt;
  return file
    ? async () => {
        const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
          throw new ToolRefusal(
            `The token of the user cannot be read from PURSER_USER_JWT_FILE (${cause.code}): whoever started this MCP server has to mend that.`,
            { cause },
          );
        });
        if (!isHeaderText(text.trim()))
          throw new ToolRefusal(
            'The file that PURSER_USER_JWT_FILE names holds no token: whoever started this MCP server has to mend that.',
          );
        return text.trim();
      }
    : undefined;
}

/** As the identity provider of an app would make them; of the local instance only. */
async function localUserJwt(call: CommandCall, user: string): Promise<() => Promise<string>> {
  const { ctx, input, userJwtKey: key } = await call.open();
  let known: { readonly jwt: string; readonly madeAtMs: number } | undefined;
  const make = async () => {
    let jwt = '';
    await tokenCommand(ctx, {
      ...input,
      argv: ['--user', user],
      print: (line) => (jwt = line),
      key,
    });
    return { jwt, madeAtMs: performance.now() };
  };
  return async () => {
    if (!known || performance.now() - known.madeAtMs > tokenAgeMaxMs) known = await make();
    return known.jwt;
  };
}

async function readSigner(
  env: CommandCall['env'],
  apiKey: string,
): Promise<LocalSigner | undefined> {
  const { PURSER_SIGNER_SECRET: secret, PURSER_SIGNER_CHAIN: fixed } = env;
  if (!secret) return undefined;
  const facts = families.find(({ code }) => code?.loadServerSigners !== undefined);
  const { derive } = await facts!.code!.loadServerSigners!();
  const place = readKeyPlace(apiKey);
  const on = (chain: string) => derive({ ...place, secret, chain: fixed || chain });
  try {
    on(facts!.name);
  } catch (error) {
    throw new CommandError(`PURSER_SIGNER_SECRET: ${(error as Error).message}`);
  }
  return {
    locatorOn: (chain) => on(chain).locator,
    sign: ({ chain, message }) => on(chain).sign(message),
  };
}

/** Project and environment stand in a key. */
function readKeyPlace(apiKey: string): {
  readonly projectId: string;
  readonly environment: string;
} {
  const [, environment, encoded] =
    /^(?:ck|sk)_(development|staging|production)_([1-9A-HJ-NP-Za-km-z]+)$/.exec(apiKey) ?? [];
  const projectId = encoded && Buffer.from(bs58.decode(encoded)).toString('utf8').split('.', 1)[0];
  if (environment === undefined || !projectId)
    throw new CommandError('PURSER_API_KEY is no key of this service: sk_… or ck_….');
  return { projectId, environment };
}

function readCheckoutMax(text: string): { readonly amount: string; readonly currency: string } {
  const max = readDailyMax(text);
  if (!max)
    throw new CommandError(
      'PURSER_CHECKOUT_DAILY_MAX is an amount and a currency, as in "10.00 USD".',
    );
  return max;
}
