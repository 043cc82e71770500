import { z } from 'zod';
import { ask, path, type ToolCtx, ToolRefusal } from '../tool.ts';

const root = '/2025-06-09/wallets';
export const walletPath = (wallet: string): string => `${root}${path`/${wallet}`}`;

export const walletArgument = z
  .string()
  .min(1)
  .max(400)
  .describe(
    'An address, or a locator such as userId:alice:evm, email:ann@example.com:evm or me:evm (with a client key).',
  );
export const signerArgument = z
  .string()
  .min(1)
  .max(1_500)
  .optional()
  .describe(
    'Locator of the delegated signer that acts, e.g. server:0x…; the one of this MCP server when it has one.',
  );

export const signerView = z.object({ type: z.string(), locator: z.string() });

const scopeView = z.object({
  type: z.string(),
  tokenLocator: z.string().optional(),
  recipients: z.array(z.string()).optional(),
  spendingLimit: z
    .object({
      amount: z.string(),
      interval: z.number().optional().describe('Seconds after which the limit is whole again.'),
    })
    .optional(),
});

/** A delegated signer and what it may do. */
export const delegateView = signerView.extend({
  expiresAt: z.string().optional(),
  scopes: z.array(scopeView).optional(),
  chains: z.record(z.string(), z.object({ status: z.string() })).optional(),
});
export type Delegate = z.output<typeof delegateView>;

export const chainOf = (token: string): string => token.split(':', 1)[0]!;

/**
 * Who acts: the signer that was named, or the one whose secret this server has.
 * @throws ToolRefusal
 */
export function chooseSigner(
  ctx: ToolCtx,
  input: { readonly signer: string | undefined; readonly chain: string },
): string {
  const locator = input.signer ?? ctx.signer?.locatorOn(input.chain);
  if (locator === undefined)
    throw new ToolRefusal(
      'Name the delegated signer that acts: get_wallet lists those of the wallet. This tool never uses the power of an admin signer.',
    );
  return locator;
}

/**
 * The delegated signer of that name.
 * @throws ToolRefusal for the admin signer, and for one that is none of the wallet
 */
export async function requireDelegate(
  ctx: ToolCtx,
  input: { readonly wallet: string; readonly signer: string },
): Promise<Delegate> {
  const request = {
    method: 'GET',
    path: `${walletPath(input.wallet)}${path`/signers/${input.signer}`}`,
  } as const;
  const { status, body } = await ctx.call(request);
  const code = z.object({ code: z.string() }).safeParse(body).data?.code;
  if (status === 404 && code !== 'wallet-not-found')
    throw new ToolRefusal(
      `${input.signer} is no delegated signer of this wallet. Agents act only through one that the owner has given limits; the power of an admin signer is not used here. The owner registers one with POST …/signers, as docs/guides/mcp.md says.`,
    );
  return (
    await ask(
      { ...ctx, call: async () => ({ status, body, isReplayed: false }) },
      request,
      delegateView,
    )
  ).data;
}

/** A delegate whose every permission to pay has a limit. @throws ToolRefusal */
export function requireLimits(delegate: Delegate): void {
  const scopes = delegate.scopes ?? [];
  if (scopes.length > 0 && scopes.every(({ spendingLimit }) => spendingLimit !== undefined)) return;
  throw new ToolRefusal(
    `${delegate.locator} may spend without a limit, so that this tool pays nothing with it. The owner registers it anew with scopes that have a spendingLimit.`,
  );
}
