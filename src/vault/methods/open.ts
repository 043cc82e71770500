import { ServiceError } from '../../lib/errors.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import { lockPersonsOfKeys, type VaultCtx } from '../index.ts';
import { suffixOf } from './accounts.ts';
import { isRoutingNumber, isUsAccountNumber } from './bank-numbers.ts';
import { openDetails, openSecrets, sealDetails, sealSecrets } from './content.ts';
import { requireMethod } from './payment-methods.ts';
import {
  selectByFingerprint,
  selectSealedAccount,
  setLastPayout,
  updateAccount,
  updateDetails,
} from './store.ts';
import {
  type AccountSecrets,
  type AccountType,
  type Details,
  type PaymentMethodType,
  railsOfType,
} from './types.ts';

/** Which method of which project. */
export interface OpenInput {
  readonly id: string;
  /** The project. */
  readonly tenant: string;
  /** Why the number is needed, for the audit log, e.g. `payout <id>`. No names, no numbers. */
  readonly reason: string;
}

/**
 * A payment method with its number. It stays in this process: give it to the payout provider and to
 * nothing else.
 */
export interface OpenedPaymentMethod {
  readonly id: string;
  readonly tenant: string;
  readonly type: PaymentMethodType;
  readonly rails: readonly string[];
  /** Locator of the owner. */
  readonly userLocator: string;
  /** What answers show: suffix, bank, billing, a card's expiry. */
  readonly details: Details;
  /** The number itself. `reveal()` it where the request to the bank is written, not before. */
  readonly account: Secret<AccountSecrets>;
}

/**
 * Opens the number of a live payment method, inside the vault process only: no route and no
 * internal operation answers what this returns in a form that the asking process can read. The use
 * is in the audit log before the number is out.
 * @throws payment-method-not-found, provider-unavailable the key service is away
 */
export async function openPaymentMethod(
  ctx: VaultCtx,
  input: OpenInput,
): Promise<OpenedPaymentMethod> {
  const method = await requireMethod(ctx, { projectId: input.tenant, id: input.id });
  const sealedAccount = await selectSealedAccount(ctx.store, method.id);
  if (!sealedAccount) throw new ServiceError('payment-method-not-found');
  await ctx.store.transaction((tx) =>
    ctx.vault.audit.append(tx, [
      {
        actor: 'vault',
        action: 'payment-method.opened',
        projectId: input.tenant,
        subject: method.id,
        detail: { reason: input.reason },
      },
    ]),
  );
  const details = await openDetails(ctx, method);
  return {
    id: method.id,
    tenant: input.tenant,
    type: method.type,
    rails: railsOfType[method.type],
    userLocator: details.userLocator,
    details,
    account: new Secret(await openSecrets(ctx, method, sealedAccount)),
  };
}

/** Notes the latest successful payout to a method. A deleted or unknown method is left alone. */
export function recordPayout(
  ctx: VaultCtx,
  input: { readonly id: string; readonly tenant: string; readonly at: Date },
): Promise<void> {
  return setLastPayout(ctx.store, { projectId: input.tenant, id: input.id, at: input.at });
}

/**
 * What a bank's notice of change says is right: C01 the account number, C02 the routing number, C05
 * the kind of account.
 */
export interface AccountCorrection {
  readonly accountNumber?: string;
  readonly routingNumber?: string;
  readonly accountType?: AccountType;
}

/**
 * Corrects a saved US account as its bank asked (notice of change).
 * @returns false when another live method of the user has the corrected account already: then
 * nothing changes
 * @throws payment-method-not-found, payment-method-not-supported another type, validation-error a
 * number that cannot be one, conflict
 */
export async function correctAccount(
  ctx: VaultCtx,
  input: OpenInput & { readonly correction: AccountCorrection },
): Promise<boolean> {
  const before = await requireMethod(ctx, { projectId: input.tenant, id: input.id });
  return ctx.store.transaction(async (tx) => {
    await lockPersonsOfKeys(tx, [before.userKey.id]);
    const method = await requireMethod(ctx, { projectId: input.tenant, id: input.id }, tx);
    const sealed = await selectSealedAccount(tx, method.id);
    if (!sealed) throw new ServiceError('payment-method-not-found');
    const secrets = correct(await openSecrets(ctx, method, sealed), input.correction);
    const fingerprint = ctx.vault.fingerprint(input.tenant, [
      'account',
      method.type,
      secrets.routingNumber,
      secrets.accountNumber,
    ]);
    const twin = await selectByFingerprint(tx, { personId: method.personId, fingerprint });
    if (twin && twin.id !== method.id) return false;

    const at = ctx.clock.now();
    const details = correctDetails(await openDetails(ctx, method), secrets);
    const next = {
      ...method,
      version: method.version + 1,
      accountVersion: method.accountVersion + 1,
    };
    const sealedAccount = await sealSecrets(ctx, method.userKey, next, secrets);
    const sealedDetails = await sealDetails(ctx, method.userKey, next, details);
    const isStored =
      (await updateAccount(tx, {
        id: method.id,
        fromVersion: method.accountVersion,
        sealedAccount,
        fingerprint,
        at,
      })) &&
      (await updateDetails(tx, { id: method.id, fromVersion: method.version, sealedDetails, at }));
    if (!isStored) throw new ServiceError('conflict');
    await ctx.vault.audit.append(tx, [
      {
        actor: 'vault',
        action: 'payment-method.corrected',
        projectId: input.tenant,
        subject: method.id,
        detail: { reason: input.reason, fields: Object.keys(input.correction) },
      },
    ]);
    return true;
  });
}

type UsSecrets = Extract<AccountSecrets, { type: 'bank-account-us' }>;

function correct(secrets: AccountSecrets, correction: AccountCorrection): UsSecrets {
  if (secrets.type !== 'bank-account-us')
    throw new ServiceError('payment-method-not-supported', {
      message: 'Only US accounts are corrected by a notice of change.',
    });
  const corrected: UsSecrets = {
    ...secrets,
    accountNumber: correction.accountNumber?.replaceAll(/[ -]/g, '') ?? secrets.accountNumber,
    routingNumber: correction.routingNumber ?? secrets.routingNumber,
    accountType: correction.accountType ?? secrets.accountType,
  };
  if (!isRoutingNumber(corrected.routingNumber) || !isUsAccountNumber(corrected.accountNumber))
    throw new ServiceError('validation-error', {
      message: 'The corrected routing or account number cannot be one.',
    });
  return corrected;
}

function correctDetails(details: Details, secrets: UsSecrets): Details {
  const accountSuffix = suffixOf(secrets.accountNumber);
  return {
    ...details,
    displayName: details.displayName.replace(/••.*$/, `••${accountSuffix}`),
    bankAccount: {
      ...details.bankAccount!,
      accountSuffix,
      routingNumber: secrets.routingNumber,
      accountType: secrets.accountType,
    },
  };
}
