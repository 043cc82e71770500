import { z } from 'zod';

const label = z
  .string()
  .min(1, 'must have 1 to 120 characters')
  .max(120, 'must have 1 to 120 characters')
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, 'must have no control characters');

/** Its one field may be missing, and so may the body. */
export const createBrowserProfileSchema = z
  .strictObject({ label: label.optional() })
  .prefault({})
  .meta({ id: 'CreateBrowserProfile' });
export const updateBrowserProfileSchema = z
  .strictObject({ label })
  .meta({ id: 'UpdateBrowserProfile' });

export const browserProfileSchema = z
  .looseObject({
    id: z.uuid(),
    label: z.string().optional(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({
    id: 'BrowserProfile',
    description:
      'Keeps the merchant logins of a user between checkouts. Answers hold metadata only: no cookies, tokens or storage.',
  });
export const browserProfileListSchema = z
  .looseObject({ data: z.array(browserProfileSchema).max(1), nextCursor: z.null() })
  .meta({ id: 'BrowserProfileList' });
export const browserProfileParamsSchema = z.object({ id: z.string().max(100) });
