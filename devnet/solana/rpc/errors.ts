/** A refusal with a code of JSON-RPC or of a Solana node. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

export const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  blockCleanedUp: -32001,
  preflightFailure: -32002,
  signatureVerification: -32003,
  blockNotAvailable: -32004,
  slotSkipped: -32007,
  unsupportedVersion: -32015,
  minContextSlot: -32016,
} as const;

export function invalidParams(message: string): RpcError {
  return new RpcError(codes.invalidParams, `Invalid params: ${message}`);
}

/**
 * An error as a reply has it; what is not a refusal is a mistake of ours and goes to the log as
 * well.
 */
export function describeFailure(error: unknown): object {
  if (error instanceof RpcError)
    return { code: error.code, message: error.message, data: error.data };
  console.error(error);
  return {
    code: codes.internal,
    message: `Internal error: ${error instanceof Error ? error.message : String(error)}`,
  };
}
