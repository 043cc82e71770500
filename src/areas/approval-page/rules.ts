import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { type OperatorRule, operatorRule } from '../operations/index.ts';
import { changePageSettings, type PageSettings } from './settings.ts';

/**
 * What is named is changed; an empty text takes it away. Origins are one text, with commas between.
 */
const params = z.strictObject({
  name: z.string().optional(),
  logo: z.string().optional(),
  accent: z.string().optional(),
  accentDark: z.string().optional(),
  frameOrigins: z.string().optional(),
  passkeyDomain: z.string().optional(),
});
export type PageChange = z.infer<typeof params>;

const loggedMax = 200;

/** A picture is told by its hash: the log is kept for good. */
function logged(value: string | readonly string[] | undefined): string {
  const text = typeof value === 'string' || value === undefined ? (value ?? '') : value.join(',');
  return text.length <= loggedMax
    ? text
    : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** Of two states, what differs. */
function differencesOf(before: PageSettings, after: PageSettings): JsonObject {
  const names = Object.keys(params.shape) as (keyof PageChange)[];
  const pairs = names.map((name) => [name, [logged(before[name]), logged(after[name])]] as const);
  return Object.fromEntries(
    pairs.filter(([, [was, is]]) => was !== is).map(([name, [was, is]]) => [name, [was!, is!]]),
  );
}

/**
 * Changes how the page looks on which users approve, which pages may hold it in a frame, and whose
 * passkeys it takes.
 */
export const approvalPageSet: OperatorRule<PageChange, Pick<Ctx, 'config' | 'store' | 'clock'>> = {
  name: 'approval-page.set',
  role: 'admin',
  params,
  async run(ctx, { projectId, params: change, record }) {
    const settings = await changePageSettings(ctx, { projectId, change }, (tx, before, after) =>
      record(tx, { subject: `approval-page:${projectId}`, changed: differencesOf(before, after) }),
    );
    const { logo, ...shown } = settings;
    return JSON.parse(JSON.stringify({ ...shown, hasLogo: logo !== undefined })) as JsonObject;
  },
};

export const approvalPageRules: readonly OperatorRule[] = [operatorRule(approvalPageSet)];
