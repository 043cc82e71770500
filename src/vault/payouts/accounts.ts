import { Secret } from '../../lib/sealing/secret.ts';
import type { PayoutDestination } from '../../providers/payout/payout.ts';
import type { VaultCtx } from '../index.ts';
import { correctAccount, type OpenedPaymentMethod, openPaymentMethod } from '../methods/open.ts';
import { requireMethod } from '../methods/payment-methods.ts';
import { selectDestination, setLastPayout } from '../methods/store.ts';
import type { PayoutVault } from './types.ts';

/** Payment methods as payouts need them. */
export function createPayoutVault(ctx: VaultCtx): PayoutVault {
  return {
    describe: async (method) => {
      const { id, type } = await requireMethod(ctx, method);
      return { type, ...(await selectDestination(ctx.store, id)) };
    },
    open: async ({ id, projectId, reason }) =>
      destinationOf(await openPaymentMethod(ctx, { id, tenant: projectId, reason })),
    correct: ({ id, projectId, reason, correction }) =>
      correctAccount(ctx, {
        id,
        tenant: projectId,
        reason,
        correction: { ...correction, accountNumber: correction.accountNumber?.reveal() },
      }),
    notePayout: (db, payout) => setLastPayout(db, payout),
    audit: (tx, entry) => ctx.vault.audit.append(tx, [entry]),
  };
}

/** What a bank is told. @throws Error for a card, which no rail reaches */
function destinationOf({ id, details, account }: OpenedPaymentMethod): PayoutDestination {
  const secrets = account.reveal();
  const { bankAccount } = details;
  if (bankAccount === undefined || secrets.type === 'card')
    throw new Error(`Payment method ${id} is no bank account.`);
  const { name, address } = bankAccount.billing;
  const holder = { name, entityType: bankAccount.entityType, address };
  switch (secrets.type) {
    case 'bank-account-us':
      return {
        type: secrets.type,
        holder,
        routingNumber: secrets.routingNumber,
        accountNumber: new Secret(secrets.accountNumber),
        accountType: secrets.accountType,
      };
    case 'bank-account-sepa-iban':
      return { type: secrets.type, holder, iban: new Secret(secrets.iban), bic: secrets.bic };
    case 'bank-account-mx-clabe':
      return { type: secrets.type, holder, clabe: new Secret(secrets.clabe) };
    case 'bank-account-co':
      return {
        type: secrets.type,
        holder,
        bankCode: secrets.bankCode,
        accountNumber: new Secret(secrets.accountNumber),
        accountType: secrets.accountType,
        nationalDocument: new Secret(secrets.nationalDocument),
      };
  }
}
