import { openRecord, sealRecord, type UserKey, type VaultCtx } from '../index.ts';
import type { MethodRecord } from './store.ts';
import type { AccountSecrets, Details } from './types.ts';

type Place = Pick<MethodRecord, 'id' | 'projectId' | 'type'>;

/** What answers are made of, sealed for version `version` of a method. */
export function sealDetails(
  ctx: VaultCtx,
  key: UserKey,
  place: Place & { readonly version: number },
  details: Details,
): Promise<Buffer> {
  return ctx.vault.userKeys.use(key, (dataKey) =>
    sealRecord(dataKey, details, detailsContext(place)),
  );
}

export function openDetails(ctx: VaultCtx, method: MethodRecord): Promise<Details> {
  return ctx.vault.userKeys.use(
    method.userKey,
    (dataKey) => openRecord(dataKey, method.sealedDetails, detailsContext(method)) as Details,
  );
}

/** The number, sealed for version `accountVersion` of a method. */
export function sealSecrets(
  ctx: VaultCtx,
  key: UserKey,
  place: Place & { readonly accountVersion: number },
  secrets: AccountSecrets,
): Promise<Buffer> {
  return ctx.vault.userKeys.use(key, (dataKey) =>
    sealRecord(dataKey, secrets, accountContext(place)),
  );
}

/** The number itself. Only `open.ts` has a reason to call this. */
export function openSecrets(
  ctx: VaultCtx,
  method: MethodRecord,
  sealedAccount: Buffer,
): Promise<AccountSecrets> {
  ctx.vault.scrubber.note();
  return ctx.vault.userKeys.use(
    method.userKey,
    (dataKey) => openRecord(dataKey, sealedAccount, accountContext(method)) as AccountSecrets,
  );
}

function detailsContext({ projectId, type, id, version }: Place & { readonly version: number }) {
  return { tenant: projectId, type, id, version, part: 'details' };
}

function accountContext({
  projectId,
  type,
  id,
  accountVersion,
}: Place & { readonly accountVersion: number }) {
  return { tenant: projectId, type, id, version: accountVersion, part: 'account' };
}
