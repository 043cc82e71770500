import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { Assertion, Registration } from '../operators/passkeys.ts';

/** An authenticator in software: real keys and signatures, as a browser hands them on. */
export class TestPasskey {
  readonly id = randomBytes(16).toString('base64url');
  readonly #origin: string;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** @param challenge base64url */
  register(challenge: string): Registration {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' });
    const coordinate = (text: string | undefined) => Buffer.from(text!, 'base64url');
    // {1: 2, 3: -7, -1: 1, -2: x, -3: y}
    const cose = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      coordinate(x),
      Buffer.from('225820', 'hex'),
      coordinate(y),
    ]);
    const id = Buffer.from(this.id, 'base64url');
    const data = Buffer.concat([
      this.#data(0x45),
      Buffer.alloc(16),
      Buffer.from([0, id.length]),
      id,
      cose,
    ]);
    // {"fmt": "none", "attStmt": {}, "authData": data}
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
      Buffer.from([data.length]),
      data,
    ]);
    const clientDataJSON = this.#clientData('webauthn.create', challenge).toString('base64url');
    return {
      ...this.#envelope(),
      response: {
        clientDataJSON,
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** @param flags user present and verified when absent */
  assert(challenge: string, flags = 0x05): Assertion {
    const data = this.#data(flags);
    const client = this.#clientData('webauthn.get', challenge);
    const signature = sign(
      'sha256',
      Buffer.concat([data, createHash('sha256').update(client).digest()]),
      this.#keys.privateKey,
    );
    return {
      ...this.#envelope(),
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      },
    };
  }

  #envelope() {
    return { id: this.id, rawId: this.id, type: 'public-key' as const, clientExtensionResults: {} };
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(
      JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }),
    );
  }

  #data(flags: number): Buffer {
    const rpId = new URL(this.#origin).hostname;
    return Buffer.concat([
      createHash('sha256').update(rpId).digest(),
      Buffer.from([flags]),
      Buffer.alloc(4),
    ]);
  }
}
