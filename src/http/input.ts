import type { z } from 'zod';
import { type ErrorCode, errorTable, ServiceError } from '../lib/errors.ts';
import { setSchemaWords } from '../lib/json/schema-words.ts';
import { isStorable } from './json-body.ts';

// Whatever reads what callers send comes by here first: rules that parse a part themselves say it
// in the same words.
setSchemaWords();

const issuesShownMax = 5;

/**
 * Reads one part of a request by its schema. A schema refuses with a code of its own by an issue
 * with `params: {code: 'invalid-locator'}`, or by throwing a ServiceError.
 * @throws validation-error
 */
export function readInput<S extends z.ZodType | undefined>(
  schema: S,
  where: 'path' | 'query' | 'body' | 'headers',
  value: unknown,
): unknown {
  if (!schema) return undefined;
  if (where === 'body' && value === undefined)
    value = schema.safeParse(undefined).success ? undefined : missingBody();
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { issues } = result.error;
  const code = issues.map(codeOf).find((one) => one !== undefined) ?? 'validation-error';
  throw new ServiceError(code, { message: describeIssues(where, issues) });
}

/** @throws validation-error when a path parameter or a query value could not be stored */
export function checkTexts(where: 'path' | 'query', values: unknown): void {
  for (const value of Object.values(values ?? {}).flat()) {
    if (typeof value === 'string' && !isStorable(value))
      throw new ServiceError('validation-error', {
        message: `The ${where} has a NUL character or half a surrogate pair: remove it.`,
      });
  }
}

function missingBody(): never {
  throw new ServiceError('validation-error', {
    message: 'The request body is missing: send a JSON object.',
  });
}

function codeOf(issue: z.core.$ZodIssue): ErrorCode | undefined {
  const code = issue.code === 'custom' ? issue.params?.code : undefined;
  return typeof code === 'string' && Object.hasOwn(errorTable, code)
    ? (code as ErrorCode)
    : undefined;
}

/** One sentence per issue, each naming its field. */
function describeIssues(where: string, issues: readonly z.core.$ZodIssue[]): string {
  const shown = issues
    .slice(0, issuesShownMax)
    .map((issue) => `${formatPath(where, issue.path)}: ${issue.message}`);
  const more = issues.length > issuesShownMax ? `; and ${issues.length - issuesShownMax} more` : '';
  return `The request is not valid. ${shown.join('; ')}${more}`;
}

function formatPath(where: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}.${String(part)}`),
    where,
  );
}
