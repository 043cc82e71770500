import { z } from 'zod';
import { ask, path, type ToolCtx, ToolRefusal } from '../tool.ts';
import { signerView, walletPath } from './limits.ts';

const pendingView = z.object({ signer: signerView, message: z.string().optional() });

/** What waits for approvals: a transaction or a signature. The messages to sign are not shown. */
export const approvable = {
  id: z.string(),
  status: z.enum(['awaiting-approval', 'failed', 'pending', 'success']),
  createdAt: z.string().optional(),
  completedAt: z.string().optional(),
  error: z.object({ reason: z.string().optional(), message: z.string().optional() }).optional(),
  approvals: z.object({ pending: z.array(pendingView) }).optional(),
};
const approvableView = z.object(approvable);
type Approvable = z.output<typeof approvableView>;

/**
 * Signs with the delegated signer of this server what waits for exactly that signer. Without one,
 * or for another, nothing is signed.
 */
export async function signOwn(
  ctx: ToolCtx,
  input: {
    readonly wallet: string;
    readonly of: 'transactions' | 'signatures';
    readonly chain: string;
    readonly signer: string;
    readonly open: Approvable;
  },
): Promise<void> {
  const { wallet, of, chain, signer, open } = input;
  if (
    open.status !== 'awaiting-approval' ||
    !ctx.signer ||
    !isSame(ctx.signer.locatorOn(chain), signer)
  )
    return;
  const own = open.approvals?.pending.find((entry) => isSame(entry.signer.locator, signer));
  if (own?.message === undefined) return;
  const signature = await ctx.signer.sign({ chain, message: own.message });
  const approvals = [{ signer: own.signer.locator, signature }];
  await ask(
    ctx,
    {
      method: 'POST',
      path: `${walletPath(wallet)}/${of}${path`/${open.id}`}/approvals`,
      body: { approvals },
    },
    approvableView,
  );
}

/** Addresses differ in case between spellings. */
const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Signers behind whom a person sits, who can be shown a page. */
const persons: readonly string[] = ['passkey', 'external-wallet', 'email', 'phone'];

/**
 * The page on which the one person who is asked approves or declines. Having its address approves
 * nothing: their passkey, wallet or code does. @returns undefined where nobody is asked who could
 * open it, or the key may make no link
 */
export async function linkForUser(
  ctx: ToolCtx,
  input: {
    readonly wallet: string;
    readonly of: 'transactions' | 'signatures';
    readonly open: Approvable;
  },
): Promise<string | undefined> {
  const { wallet, of, open } = input;
  const [asked, another] = open.approvals?.pending ?? [];
  if (
    open.status !== 'awaiting-approval' ||
    !asked ||
    another ||
    !persons.includes(asked.signer.type)
  )
    return undefined;
  const body = { signer: asked.signer.locator };
  try {
    const made = await ask(
      ctx,
      {
        method: 'POST',
        path: `${walletPath(wallet)}/${of}${path`/${open.id}`}/approval-links`,
        body,
      },
      z.object({ url: z.string() }),
    );
    return made.data.url;
  } catch (error) {
    if (error instanceof ToolRefusal) return undefined;
    throw error;
  }
}

/** How it stands, and who has to do something. */
export function standing({ status, approvals }: Approvable, what: string, link?: string): string {
  const waitsFor = approvals?.pending.map(({ signer }) => signer.locator).join(', ');
  if (status === 'awaiting-approval' && link !== undefined)
    return `The ${what} waits for the approval of ${waitsFor}, at ${link} . Give the user this link, wait, and read it again later. No tool approves: never ask the user for a code.`;
  if (status === 'awaiting-approval')
    return `The ${what} waits for the approval of ${waitsFor}, who signs in the app that holds this signer. No tool approves: say so to the user, and read it again later.`;
  if (status === 'pending') return `The ${what} is under way: read it again in a few seconds.`;
  return status === 'success'
    ? `The ${what} is done.`
    : `The ${what} has failed, and nothing was done.`;
}

/** Who is waited for, without what they would sign. */
export function withoutMessages<T extends Approvable>({ approvals, ...view }: T) {
  const waitsFor = approvals?.pending.map(({ signer }) => signer) ?? [];
  return { ...view, ...(view.status === 'awaiting-approval' && { waitsFor }) };
}
