import { z } from 'zod';
import type { Secret } from '../../lib/sealing/secret.ts';
import { readCallbackEvent } from './callback-event.ts';
import { checkCallback } from './callback-signature.ts';
import {
  type CreateInquiryInput,
  type Inquiry,
  type InquiryNotTaken,
  type InquiryState,
  type KycLevel,
  KycOutage,
  type KycPerson,
  type KycProvider,
} from './kyc.ts';
import { callPersona, type PersonaCall, type PersonaHttpOptions } from './persona-http.ts';

export interface PersonaOptions extends PersonaHttpOptions {
  /** Inquiry template by level, `itmpl_…`. */
  readonly templates: Readonly<Record<KycLevel, string>>;
  /** For the company's browser component, `env_…`. */
  readonly environmentId?: string;
  /** Secrets of the webhook; two while one is being replaced. */
  readonly callbackSecrets: readonly Secret[];
  /** Where the company shows an inquiry to the person. */
  readonly hostedUrl: string;
  /**
   * Fields of the templates that take a file, by our document type. Documents without one are taken
   * on the company's page.
   */
  readonly documentFields: ReadonlyMap<string, string>;
  /**
   * `completed` means passed where the templates make no decision of their own; else only
   * `approved` does.
   */
  readonly passesWhen: 'approved' | 'completed';
}

const inquirySchema = z.object({
  data: z.object({
    id: z.string().min(1).max(200),
    attributes: z.looseObject({ status: z.string(), 'redacted-at': z.string().nullish() }),
  }),
  meta: z.looseObject({ 'session-token': z.string().nullish() }).nullish(),
});
const listSchema = z.object({ data: z.array(inquirySchema.shape.data).max(100) });

/** What the company's words mean; `completed` depends on the templates. */
const states: Readonly<Record<string, InquiryState>> = {
  created: 'waiting',
  pending: 'waiting',
  completed: 'in-review',
  needs_review: 'in-review',
  approved: 'passed',
  declined: 'refused',
  failed: 'refused',
  expired: 'expired',
};

/**
 * Persona, or whatever speaks its interface: templates, inquiries, one-time session tokens, signed
 * webhooks.
 */
export function createPersonaKyc(options: PersonaOptions): KycProvider {
  const toInquiry = ({ id, attributes }: z.output<typeof inquirySchema>['data']): Inquiry => {
    if (typeof attributes['redacted-at'] === 'string') return { id, state: 'expired' };
    if (attributes.status === 'completed' && options.passesWhen === 'completed')
      return { id, state: 'passed' };
    const state = Object.hasOwn(states, attributes.status) ? states[attributes.status] : undefined;
    // A word that is new to us decides nothing: the inquiry is looked at again later.
    return { id, state: state ?? 'in-review' };
  };
  const call = (request: PersonaCall) => callPersona(options, request);

  return {
    name: 'persona',
    async createInquiry(input, signal) {
      // An earlier try may have been made without our hearing of it, longer ago than the company
      // remembers idempotency keys.
      const found = await findByReference(call, input.reference, signal);
      if (found) return toInquiry(found);
      const answer = await call({
        method: 'POST',
        path: '/inquiries',
        idempotencyKey: input.idempotencyKey,
        body: { data: { attributes: createAttributes(options, input) } },
        signal,
      });
      if (answer.status >= 400) return notTaken(answer.status, answer.body);
      return toInquiry(read(inquirySchema, answer.body).data);
    },
    async readInquiry(inquiryId, signal) {
      const answer = await call({
        method: 'GET',
        path: `/inquiries/${encodeURIComponent(inquiryId)}`,
        signal,
      });
      if (answer.status === 404 || answer.status === 410)
        return { id: inquiryId, state: 'expired' };
      if (answer.status >= 400)
        throw new KycOutage(
          `The identity company answered ${answer.status} to the reading of an inquiry.`,
        );
      return toInquiry(read(inquirySchema, answer.body).data);
    },
    async openSession(inquiryId, signal) {
      const answer = await call({
        method: 'POST',
        path: `/inquiries/${encodeURIComponent(inquiryId)}/resume`,
        body: { meta: {} },
        signal,
      });
      if (answer.status >= 400) return undefined;
      const { data, meta } = read(inquirySchema, answer.body);
      const sessionToken = meta?.['session-token'];
      if (!sessionToken || toInquiry(data).state !== 'waiting') return undefined;
      const url = new URL(options.hostedUrl);
      url.searchParams.set('inquiry-id', data.id);
      url.searchParams.set('session-token', sessionToken);
      const { environmentId } = options;
      return {
        inquiryId: data.id,
        sessionToken,
        ...(environmentId !== undefined && { environmentId }),
        url: url.href,
      };
    },
    async redactInquiry(inquiryId, signal) {
      const answer = await call({
        method: 'DELETE',
        path: `/inquiries/${encodeURIComponent(inquiryId)}`,
        signal,
      });
      if (answer.status >= 400 && answer.status !== 404 && answer.status !== 410)
        throw new KycOutage(
          `The identity company answered ${answer.status} to the redaction of an inquiry.`,
        );
    },
    readCallback({ headers, body, now }) {
      const header = headers['persona-signature'];
      const refused = checkCallback({
        header: Array.isArray(header) ? header.join(' ') : header,
        body,
        secrets: options.callbackSecrets,
        now,
      });
      if (refused) return { refused };
      return readCallbackEvent(body) ?? { refused: 'malformed' };
    },
  };
}

type Call = (request: PersonaCall) => ReturnType<typeof callPersona>;

async function findByReference(call: Call, reference: string, signal: AbortSignal | undefined) {
  const query = new URLSearchParams({ 'filter[reference-id]': reference, 'page[size]': '1' });
  const answer = await call({ method: 'GET', path: `/inquiries?${query.toString()}`, signal });
  if (answer.status >= 400)
    throw new KycOutage(
      `The identity company answered ${answer.status} to the search for an inquiry.`,
    );
  return read(listSchema, answer.body).data[0];
}

function createAttributes(
  options: PersonaOptions,
  { level, reference, person, documents }: CreateInquiryInput,
) {
  const files = documents.flatMap((document) => {
    const field = options.documentFields.get(document.documentType);
    return field === undefined
      ? []
      : [
          [
            field,
            { filename: document.fileName, io: Buffer.from(document.content).toString('base64') },
          ] as const,
        ];
  });
  return {
    'inquiry-template-id': options.templates[level],
    'reference-id': reference,
    fields: { ...personFields(person), ...Object.fromEntries(files) },
  };
}

function personFields(person: KycPerson): Record<string, string> {
  const fields = {
    'name-first': person.firstName,
    'name-last': person.lastName,
    birthdate: person.dateOfBirth,
    'email-address': person.email,
    'phone-number': person.phoneNumber,
    'address-street-1': person.address?.line1,
    'address-street-2': person.address?.line2,
    'address-city': person.address?.city,
    'address-subdivision': person.address?.stateOrRegion,
    'address-postal-code': person.address?.postalCode,
    'address-country-code': person.countryOfResidence,
    'identification-number': person.identityDocument?.number,
  };
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

const errorsSchema = z.object({
  errors: z
    .array(z.looseObject({ title: z.string().optional(), code: z.string().optional() }))
    .max(100),
});

/** Titles and codes only: details may repeat what was sent. */
function notTaken(status: number, body: unknown): InquiryNotTaken {
  const parsed = errorsSchema.safeParse(body);
  const titles = parsed.success
    ? parsed.data.errors.map(({ title, code }) => title ?? code ?? '').join('; ')
    : '';
  return { notTaken: `status ${status}${titles === '' ? '' : `: ${titles.slice(0, 200)}`}` };
}

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (!result.success)
    throw new KycOutage('The identity company answered in a form that is not known here.', {
      cause: result.error,
    });
  return result.data;
}
