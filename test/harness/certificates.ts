import { createHash, X509Certificate } from 'node:crypto';
import { type GenerateResult, generate } from 'selfsigned';

/**
 * What a TLS server shows: its own certificate and that of the authority behind it, and the key of
 * the first. PEM.
 */
export interface ServerCertificate {
  readonly key: string;
  readonly cert: string;
}

/** An authority that nobody trusts by itself. */
export interface TestAuthority {
  /**
   * Base64 of the SHA-256 of its public key (SPKI): by this a browser is told to take what it has
   * signed.
   */
  readonly publicKeyHash: string;
  /** For hosts, valid for a day around now, or one that ended yesterday. */
  issue(
    hosts: readonly string[],
    options?: { readonly isExpired?: boolean },
  ): Promise<ServerCertificate>;
}

const dayMs = 86_400_000;
const kind = { keyType: 'ec', algorithm: 'sha256' } as const;

/** Makes an authority with a new key; nothing is written to disk. */
export async function makeTestAuthority(name = 'Purser test authority'): Promise<TestAuthority> {
  const authority = await generate([{ name: 'commonName', value: name }], {
    ...kind,
    ...validFor(false),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return {
    publicKeyHash: publicKeyHashOf(authority.cert),
    async issue(hosts, { isExpired = false } = {}) {
      const issued: GenerateResult = await generate([{ name: 'commonName', value: hosts[0]! }], {
        ...kind,
        ...validFor(isExpired),
        extensions: [
          { name: 'basicConstraints', cA: false },
          { name: 'keyUsage', digitalSignature: true, critical: true },
          { name: 'extKeyUsage', serverAuth: true },
          { name: 'subjectAltName', altNames: hosts.map((value) => ({ type: 2, value })) },
        ],
        ca: { key: authority.private, cert: authority.cert },
      });
      return { key: issued.private, cert: `${issued.cert.trim()}\n${authority.cert}` };
    },
  };
}

function validFor(isExpired: boolean) {
  const end = isExpired ? Date.now() - dayMs : Date.now() + dayMs;
  return { notBeforeDate: new Date(end - 2 * dayMs), notAfterDate: new Date(end) };
}

function publicKeyHashOf(cert: string): string {
  const spki = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(spki).digest('base64');
}
