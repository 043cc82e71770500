// The few names of a browser that the client uses, for whoever reads it without one: the service,
// whose code is to know no `document`. sdk-react/tsconfig.json reads the client with all of them.

declare const location: { readonly hostname: string };

declare const navigator: {
  readonly credentials: {
    create(options: object): Promise<object | null>;
    get(options: object): Promise<object | null>;
  };
};

declare class PublicKeyCredential {
  readonly rawId: ArrayBuffer;
  readonly response: object;
}

interface AuthenticatorAttestationResponse {
  getPublicKey(): ArrayBuffer | null;
}

interface AuthenticatorAssertionResponse {
  readonly clientDataJSON: ArrayBuffer;
  readonly signature: ArrayBuffer;
  readonly authenticatorData: ArrayBuffer;
}

type CryptoKey = import('node:crypto').webcrypto.CryptoKey;
type CryptoKeyPair = import('node:crypto').webcrypto.CryptoKeyPair;
