import type { ChainFamily, Signer, SignerType } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { apiKeySigner } from './api-key-signer.ts';
import { type SignerInput, smartConfigSchema } from './schema.ts';

export interface SmartConfig {
  readonly adminSigner: Signer;
  /** Text of the caller; undefined: random. */
  readonly creationSeed?: string;
}

/** Reads `config` of a smart wallet. @throws validation-error, signer-type-not-supported, DEVICE_SIGNER_NOT_SUPPORTED */
export async function readSmartConfig(ctx: RequestCtx, family: ChainFamily, config: unknown): Promise<SmartConfig> {
  const parsed = smartConfigSchema.safeParse(config ?? {});
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ServiceError('validation-error', {
      message: `config${issue && issue.path.length > 0 ? `.${issue.path.join('.')}` : ''}: ${issue?.message ?? 'is required for a smart wallet'}. Send config.adminSigner with a type and its fields.`,
    });
  }
  const { adminSigner, delegatedSigners = [], creationSeed } = parsed.data;
  refuseDelegates(delegatedSigners);
  return { adminSigner: await readAdminSigner(ctx, family, adminSigner), ...(creationSeed === undefined ? {} : { creationSeed }) };
}

function refuseDelegates(delegates: readonly { signer: string | SignerInput }[]): void {
  for (const { signer } of delegates) {
    const type = typeof signer === 'string' ? signer.split(':', 1)[0] : signer.type;
    if (type === 'device') throw new ServiceError('DEVICE_SIGNER_NOT_SUPPORTED');
    throw new ServiceError('signer-type-not-supported', {
      message: `Delegated signers of type "${type?.slice(0, 20)}" are not supported on this instance: send delegatedSigners as [].`,
    });
  }
}

async function readAdminSigner(ctx: RequestCtx, family: ChainFamily, input: SignerInput): Promise<Signer> {
  if (input.type === 'device')
    throw new ServiceError('DEVICE_SIGNER_NOT_SUPPORTED', { message: 'A device signer can only be a delegated signer.' });
  if (!family.adminSignerTypes.includes(input.type)) {
    throw new ServiceError('signer-type-not-supported', {
      message: `config.adminSigner.type "${input.type}" is not supported on ${family.chainType}. Use one of: ${family.adminSignerTypes.join(', ')}.`,
    });
  }
  if (input.type === 'api-key') return apiKeySigner(ctx, family);
  if (!('address' in input) || input.address === undefined)
    throw new ServiceError('validation-error', { message: 'config.adminSigner.address: is required.' });
  const mistake = family.checkAddress(input.address);
  if (mistake !== undefined) throw new ServiceError('validation-error', { message: `config.adminSigner.address: ${mistake}.` });
  return { type: input.type satisfies SignerType, locator: `${input.type}:${input.address}`, address: input.address };
}
