import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, decodeProtectedHeader, jwtVerify } from 'jose';
import { decrypt, encrypt, NotAuthentic } from '../keys/aead.ts';

/**
 * A stand-in of a key service on this machine, as its HTTP interface is documented. It checks what
 * the real one checks.
 */
export interface KeyService {
  readonly url: string;
  /** Requests so far, without their bodies. */
  readonly requests: {
    readonly method: string;
    readonly path: string;
    readonly headers: IncomingMessage['headers'];
  }[];
  /** Answers the next requests in another way; `undefined` serves. */
  next: ((path: string) => Reply | 'hang' | 'reset' | undefined) | undefined;
  close(): Promise<void>;
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

interface Call {
  readonly request: IncomingMessage;
  readonly path: string;
  readonly text: string;
}

async function startService(handle: (call: Call) => Reply | Promise<Reply>): Promise<KeyService> {
  const service: { requests: KeyService['requests']; next: KeyService['next'] } = {
    requests: [],
    next: undefined,
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '/';
      service.requests.push({ method: request.method ?? '', path, headers: request.headers });
      const other = service.next?.(path);
      if (other === 'hang') return;
      if (other === 'reset') return void request.socket.destroy();
      void Promise.resolve(
        other ?? handle({ request, path, text: Buffer.concat(chunks).toString('utf8') }),
      ).then(({ status, body }) =>
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(typeof body === 'string' ? body : JSON.stringify(body)),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(service, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

const keyOf = (name: string) => createHash('sha256').update(name).digest();

/**
 * AWS KMS: Encrypt and Decrypt of the JSON 1.1 protocol, signed with version 4 by this key id and
 * secret.
 */
export function startAwsKms(account: {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}): Promise<KeyService> {
  return startService(({ request, path, text }) => {
    const problem = checkAwsSignature(request, { path, text, ...account });
    if (problem)
      return { status: 400, body: { __type: 'IncompleteSignatureException', message: problem } };
    const input = JSON.parse(text) as {
      KeyId: string;
      Plaintext?: string;
      CiphertextBlob?: string;
      EncryptionContext: Record<string, string>;
    };
    const associated = Buffer.from(JSON.stringify(Object.entries(input.EncryptionContext).sort()));
    if (input.KeyId.endsWith('/missing'))
      return { status: 400, body: { __type: 'NotFoundException', message: 'no such key' } };
    if (request.headers['x-amz-target'] === 'TrentService.Encrypt') {
      const blob = encrypt(keyOf(input.KeyId), Buffer.from(input.Plaintext!, 'base64'), associated);
      return {
        status: 200,
        body: {
          KeyId: input.KeyId,
          CiphertextBlob: blob.toString('base64'),
          EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
        },
      };
    }
    try {
      const plaintext = decrypt(
        keyOf(input.KeyId),
        Buffer.from(input.CiphertextBlob!, 'base64'),
        associated,
      );
      return {
        status: 200,
        body: {
          KeyId: input.KeyId,
          Plaintext: plaintext.toString('base64'),
          EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
        },
      };
    } catch (error) {
      if (!(error instanceof NotAuthentic)) throw error;
      return { status: 400, body: { __type: 'InvalidCiphertextException' } };
    }
  });
}

function checkAwsSignature(
  request: IncomingMessage,
  input: {
    path: string;
    text: string;
    accessKeyId: string;
    secretAccessKey: string;
    region: string;
  },
): string | undefined {
  const [, credential, signedHeaders, signature] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    ) ?? [];
  if (!credential || !signedHeaders || !signature) return 'no version 4 signature';
  const date = String(request.headers['x-amz-date']);
  const scope = `${date.slice(0, 8)}/${input.region}/kms/aws4_request`;
  if (credential !== `${input.accessKeyId}/${scope}`) return 'another credential';
  for (const needed of ['host', 'x-amz-date', 'x-amz-target'])
    if (!signedHeaders.split(';').includes(needed)) return `${needed} is not signed`;
  const headers = signedHeaders
    .split(';')
    .map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const canonical = [
    request.method,
    input.path,
    '',
    headers.join(''),
    signedHeaders,
    hash(input.text),
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', date, scope, hash(canonical)].join('\n');
  const key = [date.slice(0, 8), input.region, 'kms', 'aws4_request'].reduce<Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    Buffer.from(`AWS4${input.secretAccessKey}`),
  );
  return createHmac('sha256', key).update(toSign).digest('hex') === signature
    ? undefined
    : 'the signature does not match';
}

/**
 * Google's token service and Cloud KMS. Tokens come for an assertion that the service account
 * signed.
 */
export function startGcpKms(account: {
  readonly email: string;
  readonly publicKey: CryptoKey;
  readonly keyId: string;
}): Promise<KeyService> {
  let tokens = 0;
  return startService(async ({ request, path, text }) => {
    if (path === '/token') {
      const form = new URLSearchParams(text);
      const assertion = form.get('assertion') ?? '';
      const audience = `http://${request.headers.host}/token`;
      const verified = await jwtVerify(assertion, account.publicKey, {
        issuer: account.email,
        audience,
        algorithms: ['RS256'],
      }).catch(() => undefined);
      const isGood =
        verified?.payload.scope === 'https://www.googleapis.com/auth/cloudkms' &&
        decodeProtectedHeader(assertion).kid === account.keyId &&
        form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer';
      return isGood
        ? {
            status: 200,
            body: { access_token: `token-${++tokens}`, expires_in: 3_600, token_type: 'Bearer' },
          }
        : { status: 400, body: { error: 'invalid_grant' } };
    }
    if (request.headers.authorization !== `Bearer token-${tokens}`)
      return { status: 401, body: { error: { status: 'UNAUTHENTICATED' } } };
    const [, name, action] = /^\/v1\/(projects\/[^:]+):(encrypt|decrypt)$/.exec(path) ?? [];
    if (!name || name.endsWith('/missing'))
      return { status: 404, body: { error: { status: 'NOT_FOUND' } } };
    const input = JSON.parse(text) as {
      plaintext?: string;
      ciphertext?: string;
      additionalAuthenticatedData: string;
    };
    const associated = Buffer.from(input.additionalAuthenticatedData, 'base64');
    if (action === 'encrypt')
      return {
        status: 200,
        body: {
          name,
          ciphertext: encrypt(
            keyOf(name),
            Buffer.from(input.plaintext!, 'base64'),
            associated,
          ).toString('base64'),
        },
      };
    try {
      return {
        status: 200,
        body: {
          plaintext: decrypt(
            keyOf(name),
            Buffer.from(input.ciphertext!, 'base64'),
            associated,
          ).toString('base64'),
        },
      };
    } catch {
      return { status: 400, body: { error: { status: 'INVALID_ARGUMENT' } } };
    }
  });
}

/** OpenBao's transit engine. */
export function startOpenBao(account: {
  readonly token: string;
  readonly mount: string;
}): Promise<KeyService> {
  return startService(({ request, path, text }) => {
    if (request.headers['x-vault-token'] !== account.token)
      return { status: 403, body: { errors: ['permission denied'] } };
    const [, action, name] =
      new RegExp(`^/v1/${account.mount}/(encrypt|decrypt)/([\\w.-]+)$`).exec(path) ?? [];
    if (!action || !name) return { status: 404, body: { errors: ['no handler for route'] } };
    const input = JSON.parse(text) as {
      plaintext?: string;
      ciphertext?: string;
      associated_data?: string;
    };
    const associated = Buffer.from(input.associated_data ?? '', 'base64');
    if (action === 'encrypt') {
      const blob = encrypt(keyOf(name), Buffer.from(input.plaintext!, 'base64'), associated);
      return {
        status: 200,
        body: { data: { ciphertext: `vault:v1:${blob.toString('base64')}`, key_version: 1 } },
      };
    }
    try {
      const blob = Buffer.from(input.ciphertext!.replace('vault:v1:', ''), 'base64');
      return {
        status: 200,
        body: { data: { plaintext: decrypt(keyOf(name), blob, associated).toString('base64') } },
      };
    } catch {
      return { status: 400, body: { errors: ['cipher: message authentication failed'] } };
    }
  });
}
