import { z } from 'zod';
import type { Json } from './json.ts';

/**
 * Any JSON value, for bodies that have been parsed already. Not `z.json()`, whose recursive schema
 * generated types cannot express.
 */
export const jsonSchema = z.unknown() as unknown as z.ZodType<Json>;
