import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { ApiError, get, getMe, post } from './api.ts';

const encoder = new TextEncoder();

function base64url(bytes: ArrayBuffer): string {
  const text = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

const challengeOf = async (text: string) =>
  base64url(await crypto.subtle.digest('SHA-256', encoder.encode(text)));

/** What the browser says when somebody closes its window, or has no passkey, in a sentence. */
function explain(error: unknown): never {
  if (error instanceof ApiError) throw error;
  const name = (error as Error | undefined)?.name;
  throw new ApiError(
    0,
    name === 'NotAllowedError' || name === 'AbortError'
      ? 'The passkey was not used: the window was closed, or took too long. Nothing was done.'
      : `The browser could not use the passkey: ${(error as Error).message}`,
  );
}

export async function signIn(): Promise<void> {
  const { challenge, rpId } = await post<{ challenge: string; rpId: string }>('/sign-in/challenge');
  const assertion = await startAuthentication({
    optionsJSON: { challenge, rpId, userVerification: 'required' },
  }).catch(explain);
  await post('/sign-in', { assertion: tidy(assertion) });
}

/** What the service reads of it, and nothing that a browser adds. */
function tidy({ id, rawId, type, response }: Awaited<ReturnType<typeof startAuthentication>>) {
  const { clientDataJSON, authenticatorData, signature } = response;
  return {
    id,
    rawId,
    type,
    clientExtensionResults: {},
    response: { clientDataJSON, authenticatorData, signature },
  };
}

/** @param token behind the `#` of the link; it is computed with, and never sent */
export async function join(token: string): Promise<void> {
  const operatorId = token.split('.')[0] ?? '';
  const { name, rpId } = await post<{ name: string; rpId: string }>('/join/look', { operatorId });
  const made = await startRegistration({
    optionsJSON: {
      challenge: await challengeOf(token),
      rp: { id: rpId, name: 'Purser console' },
      user: {
        id: base64url(encoder.encode(operatorId).buffer as ArrayBuffer),
        name,
        displayName: name,
      },
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ alg, type: 'public-key' as const })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    },
  }).catch(explain);
  const { clientDataJSON, attestationObject, transports } = made.response;
  const registration = JSON.stringify({
    id: made.id,
    rawId: made.rawId,
    type: made.type,
    clientExtensionResults: {},
    response: { clientDataJSON, attestationObject, transports },
  });
  const key = await crypto.subtle.importKey(
    'raw',
    encoder.encode(token),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  const hmac = base64url(await crypto.subtle.sign('HMAC', key, encoder.encode(registration)));
  const { id } = await post<{ id: string }>('/join', { operatorId, registration, hmac });
  const outcome = await untilSettled(() => post<Outcome>('/join/outcome', { id }));
  if (outcome.status !== 'done')
    throw new ApiError(403, outcome.message ?? 'The passkey was refused.');
}

interface Outcome {
  readonly status: 'asked' | 'waiting' | 'done' | 'refused';
  readonly message?: string;
  readonly result?: { readonly message?: string };
}

const signedForMs = 4 * 60_000;

/**
 * Has a decision signed, and waits for what became of it.
 * @returns what it waits for, where it takes a second person @throws ApiError with why it was
 * refused
 */
export async function decide(input: {
  readonly projectId: string;
  readonly action: string;
  readonly params: Readonly<Record<string, string | number>>;
  readonly reason: string;
  readonly onSigned: () => void;
}): Promise<string | undefined> {
  const { onSigned, ...action } = input;
  // By the clock of the service, which in development may be another one than here.
  const me = await getMe();
  const signed = JSON.stringify({
    purser: 'operator-action-1',
    console: me.console,
    id: crypto.randomUUID(),
    operatorId: me.id,
    ...action,
    expiresAt: new Date(Date.parse(me.now) + signedForMs).toISOString(),
  });
  const assertion = await startAuthentication({
    optionsJSON: {
      challenge: await challengeOf(signed),
      rpId: location.hostname,
      userVerification: 'required',
      allowCredentials: me.passkeys.map(({ id, transports }) => ({
        id,
        type: 'public-key',
        transports: transports as never,
      })),
    },
  }).catch(explain);
  onSigned();
  const { id } = await post<{ id: string }>('/actions', { signed, assertion: tidy(assertion) });
  const outcome = await untilSettled(() => get<Outcome>(`/actions/${id}`));
  if (outcome.status === 'waiting')
    return outcome.result?.message ?? 'It waits for a second person.';
  if (outcome.status !== 'done')
    throw new ApiError(409, outcome.result?.message ?? 'It was refused.');
  return undefined;
}

const waitMaxMs = 30_000;

async function untilSettled(look: () => Promise<Outcome>): Promise<Outcome> {
  for (const endAt = Date.now() + waitMaxMs; ; ) {
    const outcome = await look();
    if (outcome.status !== 'asked') return outcome;
    if (Date.now() > endAt)
      throw new ApiError(
        0,
        'It is signed, and the worker has not looked at it yet. Is it running? The audit log says what becomes of it.',
      );
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
