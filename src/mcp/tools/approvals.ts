import { z } from 'zod';
import { ask, path, type ToolCtx } from '../tool.ts';
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

/** Signs with the delegated signer of this server what waits for exactly that signer. Without one, or for another, nothing is signed. */
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
  if (open.status !== 'awaiting-approval' || !ctx.signer || !isSame(ctx.signer.locatorOn(chain), signer)) return;
  const own = open.approvals?.pending.find((entry) => isSame(entry.signer.locator, signer));
  if (own?.message === undefined) return;
  const signature = await ctx.signer.sign({ chain, message: own.message });
  const approvals = [{ signer: own.signer.locator, signature }];
  await ask(
    ctx,
    { method: 'POST', path: `${walletPath(wallet)}/${of}${path`/${open.id}`}/approvals`, body: { approvals } },
    approvableView,
  );
}

/** Addresses differ in case between spellings. */
const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** How it stands, and who has to do something. */
export function standing({ status, approvals }: Approvable, what: string): string {
  const waitsFor = approvals?.pending.map(({ signer }) => signer.locator).join(', ');
  if (status === 'awaiting-approval')
    return `The ${what} waits for the approval of ${waitsFor}, who signs in the app that holds this signer. No tool approves: say so to the user, and read it again later.`;
  if (status === 'pending') return `The ${what} is under way: read it again in a few seconds.`;
  return status === 'success' ? `The ${what} is done.` : `The ${what} has failed, and nothing was done.`;
}

/** Who is waited for, without what they would sign. */
export function withoutMessages<T extends Approvable>({ approvals, ...view }: T) {
  const waitsFor = approvals?.pending.map(({ signer }) => signer) ?? [];
  return { ...view, ...(view.status === 'awaiting-approval' && { waitsFor }) };
}
