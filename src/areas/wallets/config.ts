import { factsOf } from '../../chains/families.ts';
import { type ChainFamily, type Delegate, isQuorum, type Signer } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { type SmartConfigInput, smartConfigSchema } from './schema.ts';
import { liftTerms, readSigner, refuseSameKeys, schemaError } from './signer/read-signer.ts';
import { keyIdOf } from './signer/signer-key.ts';
import { readTerms } from './terms.ts';

export interface SmartConfig {
  readonly adminSigner: Signer;
  /**
   * All ways to recover the wallet, `adminSigner` first; absent when that is the only one and no
   * quorum.
   */
  readonly recoveryMethods?: readonly Signer[];
  readonly delegates?: readonly ConfiguredDelegate[];
  /** Text of the caller; undefined: random. */
  readonly creationSeed?: string;
}

/** A delegated signer that is part of the wallet's set-up. */
export interface ConfiguredDelegate extends Delegate {
  /** `expiresAt` and `scopes` as sent. */
  readonly asked: JsonObject;
}

/**
 * Reads `config` of a smart wallet.
 * @throws validation-error, invalid-locator, signer-type-not-supported, DEVICE_SIGNER_NOT_SUPPORTED
 */
export async function readSmartConfig(
  ctx: RequestCtx,
  family: ChainFamily,
  config: unknown,
): Promise<SmartConfig> {
  const parsed = smartConfigSchema.safeParse(config ?? {});
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    if (issue!.path.length > 0) throw schemaError('config', issue);
    throw new ServiceError('validation-error', {
      message: `config: ${issue!.message}. Send an object with adminSigner, its type and its fields.`,
    });
  }
  const { delegatedSigners = [], creationSeed, plugins } = parsed.data;
  if (plugins !== undefined && !factsOf(family.chainType).hasPlugins)
    throw new ServiceError('validation-error', {
      message: 'config.plugins: is for stellar wallets only. Leave it out.',
    });
  if (creationSeed !== undefined && !factsOf(family.chainType).hasCreationSeed)
    throw new ServiceError('validation-error', {
      message: 'config.creationSeed: is for evm wallets only. Leave it out.',
    });
  if (plugins !== undefined && plugins.length > 0)
    throw new ServiceError('validation-error', {
      message: 'config.plugins: none are known to this version. Leave it out, or send [].',
    });
  const methods = await readRecoveryMethods(ctx, family, parsed.data);
  const delegates = await readDelegates(ctx, family, { delegatedSigners, methods });
  const [adminSigner] = methods as [Signer, ...Signer[]];
  return {
    adminSigner,
    ...(methods.length > 1 || isQuorum(adminSigner) ? { recoveryMethods: methods } : {}),
    ...(delegates.length === 0 ? {} : { delegates }),
    creationSeed,
  };
}

async function readRecoveryMethods(
  ctx: RequestCtx,
  family: ChainFamily,
  config: SmartConfigInput,
): Promise<Signer[]> {
  const { adminSigner, recoveryMethods } = config;
  const asked = recoveryMethods ?? (adminSigner === undefined ? [] : [adminSigner]);
  if (asked.length === 0)
    throw new ServiceError('validation-error', {
      message: 'config.adminSigner: is required, with a type and its fields.',
    });
  const methods: Signer[] = [];
  for (const [index, method] of asked.entries()) {
    const place =
      recoveryMethods === undefined ? 'config.adminSigner' : `config.recoveryMethods[${index}]`;
    methods.push(await readSigner(ctx, family, method, { place, role: 'admin' }));
  }
  refuseSameKeys(family, methods, 'config.recoveryMethods');
  if (recoveryMethods !== undefined && adminSigner !== undefined) {
    const first = await readSigner(ctx, family, adminSigner, {
      place: 'config.adminSigner',
      role: 'admin',
    });
    // Answers have both, and the first method twice.
    if (keyIdOf(family, first) !== keyIdOf(family, methods[0]!))
      throw new ServiceError('validation-error', {
        message:
          'config: send adminSigner or recoveryMethods, not both: the first of recoveryMethods is the admin signer.',
      });
  }
  return methods;
}

async function readDelegates(
  ctx: RequestCtx,
  family: ChainFamily,
  input: {
    delegatedSigners: NonNullable<SmartConfigInput['delegatedSigners']>;
    methods: readonly Signer[];
  },
): Promise<ConfiguredDelegate[]> {
  const delegates: ConfiguredDelegate[] = [];
  for (const [index, entry] of input.delegatedSigners.entries()) {
    const place = `config.delegatedSigners[${index}]`;
    const { signer, expiresAt, scopes } = liftTerms(entry, `${place}.signer`);
    const [network] = family.networks;
    if (
      scopes !== undefined &&
      (network === undefined || factsOf(family.chainType).severalNetworks)
    )
      throw new ServiceError('validation-error', {
        message: `${place}.scopes: a scope names a token of one chain, and a signer of the config is there on every chain. Leave scopes out here and add the signer with POST …/signers.`,
      });
    const delegate = await readSigner(ctx, family, signer, {
      place: `${place}.signer`,
      role: 'delegated',
    });
    refuseRecoveryMethod(family, input.methods, delegate, `${place}.signer`);
    const chain = network?.name ?? family.chainType;
    delegates.push({
      signer: delegate,
      ...(await readTerms(ctx, family, { expiresAt, scopes, chain, place })),
    });
  }
  refuseSameKeys(
    family,
    delegates.map(({ signer }) => signer),
    'config.delegatedSigners',
  );
  return delegates;
}

/**
 * A recovery method may do everything already; as a delegate its limits would be an illusion.
 * @throws validation-error
 */
export function refuseRecoveryMethod(
  family: ChainFamily,
  methods: readonly Signer[],
  delegate: Signer,
  place: string,
): void {
  const keyId = keyIdOf(family, delegate);
  const method = methods.find((candidate) => keyIdOf(family, candidate) === keyId);
  if (method)
    throw new ServiceError('validation-error', {
      message: `${place}: is ${method.locator}, an admin signer of this wallet, which may do everything without being added. Use another key.`,
    });
}
