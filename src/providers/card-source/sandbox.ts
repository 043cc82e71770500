import { createHmac } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/id.ts';
import { cardCheckDigit } from '../../lib/money/card-number.ts';
import { createSealer, type KeyEncryptionKey, type Sealer } from '../../lib/sealing/seal.ts';
import type { RunCard } from '../../runner/types.ts';
import type { Store, Tx } from '../../store/types.ts';
import { CardRefusedError } from '../card/card.ts';
import type { CardSource, IssueCardInput } from './card-source.ts';
import {
  closeCard,
  insertAuthorisation,
  insertCard,
  lockCardByHash,
  type SandboxCardRow,
  selectCardByKey,
  selectUsed,
  setUsed,
} from './sandbox-store.ts';

export interface SandboxIssuerDeps {
  /** The issuer's books outlive a restart. */
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The first seals cards and hashes their numbers, all open and find them. */
  readonly keys: readonly KeyEncryptionKey[];
}

/** A card as a shop asks about it. Held for one call, never stored. */
export interface AuthorisationRequest {
  readonly card: { readonly number: string; readonly expiry: string; readonly cvc: string };
  /** Smallest units; zero only asks whether the card is good. */
  readonly amountMinor: bigint;
  /** ISO 4217, in either case. */
  readonly currency: string;
  /** Who asks. */
  readonly shop: string;
}

export interface SandboxIssuer extends CardSource {
  /** Where shops ask whether a card pays. Undefined: no card of this issuer. */
  authorise(request: AuthorisationRequest): Promise<'approved' | 'declined' | undefined>;
}

/** Test cards of the industry begin like this: no bank issues them. */
const testBin = '424242';
const numberLength = 16;
const yearsValid = 3;
const holder = 'Sandbox Cardholder';
const keyPattern = /^[A-Za-z0-9_-]{1,100}$/;
const name = 'sandbox';

/**
 * An issuer of single-use cards in tables of ours, in place of a company. Only shops that ask
 * {@link SandboxIssuer.authorise} take them.
 */
export function openSandboxIssuer(deps: SandboxIssuerDeps): SandboxIssuer {
  const sealer = createSealer(deps.keys);
  return {
    name,
    issues: true,
    issue: (input) => issue(deps, sealer, input),
    async readUse({ key }) {
      const card = await selectCardByKey(deps.store, key);
      const used = card && (await selectUsed(deps.store, card.reference));
      return used ? { state: 'authorised', total: used } : { state: 'not-used' };
    },
    close: ({ key }) => closeCard(deps.store, { key, at: deps.clock.now() }),
    authorise: (request) => authorise(deps, sealer, request),
  };
}

async function issue(deps: SandboxIssuerDeps, sealer: Sealer, { key, limit }: IssueCardInput) {
  if (!keyPattern.test(key))
    throw new CardRefusedError(name, 'the key is not 1 to 100 characters A-Z a-z 0-9 _ -.');
  const known = await selectCardByKey(deps.store, key);
  const row = known ?? (await make(deps, sealer, { key, limit }));
  if (row.limitMinor !== limit.amountMinor || row.currency !== limit.currency)
    throw new CardRefusedError(name, 'the key was used for another limit.');
  if (row.sealedCard === null) return { none: 'The card was closed.' };
  return { reference: row.reference, card: openCard(sealer, row) };
}

async function make(
  deps: SandboxIssuerDeps,
  sealer: Sealer,
  { key, limit }: IssueCardInput,
): Promise<SandboxCardRow> {
  const { store, clock, ids } = deps;
  const now = clock.now();
  const reference = `vcard_${ids.bytes(16).toString('hex')}`;
  const card: RunCard = {
    number: makeNumber(ids),
    expirationMonth: now.getUTCMonth() + 1,
    expirationYear: now.getUTCFullYear() + yearsValid,
    cvc: digits(ids, 3),
    holder,
  };
  await insertCard(store, {
    reference,
    key,
    numberHash: hashesOf(deps, card.number)[0]!,
    sealedCard: sealer.seal(Buffer.from(JSON.stringify(card)), contextOf(reference)),
    limitMinor: limit.amountMinor,
    currency: limit.currency,
    createdAt: now,
  });
  // Of two that ask at once one row is there, and both answer it.
  return (await selectCardByKey(store, key))!;
}

function makeNumber(ids: Ids): string {
  const body = testBin + digits(ids, numberLength - testBin.length - 1);
  return `${body}${cardCheckDigit(body)}`;
}

const digits = (ids: Ids, count: number): string =>
  Array.from({ length: count }, () => ids.bytes(4).readUInt32BE() % 10).join('');

const contextOf = (reference: string) => ({
  purpose: 'sandbox-issued-card',
  projectId: '',
  id: reference,
  version: 1,
});

function openCard(
  sealer: Sealer,
  { reference, sealedCard }: Pick<SandboxCardRow, 'reference' | 'sealedCard'>,
): RunCard {
  return JSON.parse(sealer.open(sealedCard!, contextOf(reference)).toString()) as RunCard;
}

/** By each live key: a plain hash of a number could be tried out. */
function hashesOf({ keys }: SandboxIssuerDeps, number: string): Buffer[] {
  return keys.map(({ key }) =>
    createHmac('sha256', key.reveal()).update(`sandbox issued card ${number}`).digest(),
  );
}

function authorise(
  deps: SandboxIssuerDeps,
  sealer: Sealer,
  request: AuthorisationRequest,
): Promise<'approved' | 'declined' | undefined> {
  const number = request.card.number.replaceAll(/\D/g, '');
  return deps.store.transaction(async (tx) => {
    const card = await lockCardByHash(tx, hashesOf(deps, number));
    if (!card) return undefined;
    const reason = judge(sealer, card, request);
    await note(deps, tx, card, request, reason);
    return reason === 'approved' ? 'approved' : 'declined';
  });
}

/** Why a card does not pay, or `approved`. */
function judge(
  sealer: Sealer,
  card: SandboxCardRow,
  { card: entered, amountMinor, currency }: AuthorisationRequest,
): string {
  if (card.status === 'closed' || card.sealedCard === null) return 'closed';
  const { expirationMonth, expirationYear, cvc } = openCard(sealer, card);
  const expiry = entered.expiry.replaceAll(/\D/g, '');
  const month = String(expirationMonth).padStart(2, '0');
  if (entered.cvc.trim() !== cvc) return 'wrong-code';
  if (expiry !== `${month}${expirationYear}` && expiry !== `${month}${expirationYear % 100}`)
    return 'wrong-expiry';
  if (amountMinor === 0n) return 'approved';
  if (card.status === 'used') return 'used';
  if (currency.toUpperCase() !== card.currency) return 'other-currency';
  return amountMinor > card.limitMinor ? 'above-limit' : 'approved';
}

async function note(
  { clock }: SandboxIssuerDeps,
  tx: Tx,
  card: SandboxCardRow,
  { amountMinor, currency, shop }: AuthorisationRequest,
  reason: string,
): Promise<void> {
  const approved = reason === 'approved';
  await insertAuthorisation(tx, {
    reference: card.reference,
    amountMinor,
    currency: currency.toUpperCase(),
    merchant: shop,
    approved,
    reason,
    at: clock.now(),
  });
  if (approved && amountMinor > 0n) await setUsed(tx, card.reference);
}
