import type { Json, JsonObject } from '../lib/json/json.ts';
import type { RunEnd, StepEvidence, UserActionRequest } from './types.ts';

/** What the wire takes at most; what pages say is cut to it. */
export const limits = {
  sentence: 2_000,
  title: 300,
  lines: 100,
  options: 200,
  missing: 50,
  sources: 20,
  envelopeBytes: 10_000,
  url: 2_048,
  detail: 10_000,
} as const;

export const clipText = (text: string, max: number = limits.sentence): string =>
  text.length <= max ? text : `${text.slice(0, max - 1)}…`;

export function clipRequest(request: UserActionRequest) {
  switch (request.kind) {
    case 'contact-and-shipping':
      return {
        ...request,
        missing: request.missing.slice(0, limits.missing),
        countries: request.countries?.slice(0, limits.title),
      };
    case 'option-choice':
      return {
        ...request,
        question: clipText(request.question),
        options: request.options.slice(0, limits.options).map(clipOption),
      };
    case 'merchant-login':
      return { ...request, needs: [...request.needs] };
    case 'approve-purchase':
      return {
        ...request,
        lines: request.lines.slice(0, limits.lines).map(({ title, amount }) => ({
          title: clipText(title),
          ...(amount !== undefined && { amount: clipText(amount, 100) }),
        })),
        ...(request.delivery !== undefined && { delivery: clipText(request.delivery) }),
        ...(request.paying !== undefined && { paying: clipText(request.paying) }),
        ...(request.address !== undefined && { address: clipText(request.address) }),
      };
    case 'confirm-outcome':
    case 'free-question':
      return { ...request, question: clipText(request.question) };
    default:
      return request;
  }
}

const clipOption = ({ value, title }: { readonly value: string; readonly title: string }) => ({
  value,
  title: clipText(title),
});

export function clipEnd(end: RunEnd): RunEnd {
  if (end.outcome === 'cancelled') return end;
  if (end.outcome === 'failed') return { ...end, message: clipText(end.message) };
  const { outcome, total, merchantOrderId, confirmationUrl, confirmationText } = end;
  return {
    outcome,
    total,
    ...(merchantOrderId !== undefined && { merchantOrderId: merchantOrderId.slice(0, 200) }),
    ...(confirmationUrl !== undefined && confirmationUrl.length <= 2_048 && { confirmationUrl }),
    ...(confirmationText !== undefined && { confirmationText: clipText(confirmationText) }),
  };
}

/** A step is recorded whatever its page says: without its record no run goes on, and none ends. */
export function clipEvidence({ url, detail, ...evidence }: StepEvidence): StepEvidence {
  return {
    ...evidence,
    ...(url !== undefined && { url: url.slice(0, limits.url) }),
    ...(detail !== undefined && { detail: clipDeep(detail) as JsonObject }),
  };
}

function clipDeep(value: Json): Json {
  if (typeof value === 'string') return clipText(value, limits.detail);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.slice(0, limits.options).map((one) => clipDeep(one as Json));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, clipDeep(one as Json)]),
  );
}
