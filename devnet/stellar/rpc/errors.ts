/** A refusal of JSON-RPC, in one sentence. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
  }
}

export const codes = {
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
};
export const invalid = (message: string): RpcError => new RpcError(codes.invalidParams, message);
