import { createHash } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/id.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import type { Store } from '../../store/types.ts';
import { readCallbackEvent } from './callback-event.ts';
import { checkCallback, signCallback } from './callback-signature.ts';
import type {
  Inquiry,
  InquiryState,
  KycPerson,
  KycProvider,
  KycSandbox,
  RequestableDocument,
} from './kyc.ts';
import {
  insertSandboxInquiry,
  redactSandboxInquiry,
  redeemSandboxSession,
  type SandboxInquiryRow,
  selectSandboxInquiry,
  selectSandboxInquiryByReference,
  updateSandboxDecision,
  updateSandboxOutcome,
  updateSandboxSession,
} from './sandbox-store.ts';

/** What a first or last name steers an inquiry to, in any case; everybody else passes. */
export const sandboxNames = {
  refuse: 'refuse',
  review: 'review',
  slow: 'slow',
  document: 'document',
  address: 'address',
  page: 'page',
  untaken: 'untaken',
} as const;
export type SandboxOutcome = keyof typeof sandboxNames | 'pass';

/** How long a slow inquiry takes. */
export const sandboxSlowMs = 60_000;
/** An inquiry that the person never finishes ends after this long. */
export const sandboxInquiryMs = 24 * 60 * 60_000;
const sessionMs = 60 * 60_000;
const secretBytes = 32;
const idPattern = /^inq_[0-9a-f]{24}$/;

export interface SandboxKycDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  /**
   * Where this service shows the page, without the id, e.g.
   * `http://127.0.0.1:3000/api/sandbox/identity`.
   */
  readonly pageUrl: string;
}

/**
 * Stands in for an identity company outside production: steered by names, with a page of its own.
 */
export function createSandboxKyc(deps: SandboxKycDeps): KycProvider {
  const { store, clock, ids } = deps;
  // Callbacks of the sandbox are sent and received by the same process.
  const callbackSecret = new Secret(ids.bytes(secretBytes).toString('hex'));
  const find = async (id: string) =>
    idPattern.test(id) ? selectSandboxInquiry(store, id) : undefined;

  return {
    name: 'sandbox',
    async createInquiry({ reference, person, answered, missing }) {
      const steered = answered.length > 0 ? 'pass' : steer(person);
      // Whoever has not given everything is asked on the page, and decided by what is entered
      // there.
      const outcome = missing.length > 0 && steered !== 'untaken' ? 'page' : steered;
      if (outcome === 'untaken') return { notTaken: 'the name says so' };
      const id = `inq_${ids.bytes(12).toString('hex')}`;
      await insertSandboxInquiry(store, {
        id,
        reference,
        outcome,
        asks: missing,
        createdAt: clock.now(),
      });
      return toInquiry((await selectSandboxInquiryByReference(store, reference))!, clock.now());
    },
    async readInquiry(inquiryId) {
      const row = await find(inquiryId);
      return row ? toInquiry(row, clock.now()) : { id: inquiryId, state: 'expired' };
    },
    async openSession(inquiryId) {
      const row = await find(inquiryId);
      if (!row || isEnded(row, clock.now())) return undefined;
      const sessionToken = makeToken(ids);
      const expiresAt = new Date(clock.now().getTime() + sessionMs);
      await updateSandboxSession(store, {
        id: inquiryId,
        sessionHash: digest(sessionToken),
        expiresAt,
      });
      return {
        inquiryId,
        sessionToken,
        environmentId: 'env_sandbox',
        url: `${deps.pageUrl}/${inquiryId}?session=${sessionToken}`,
      };
    },
    async redactInquiry(inquiryId) {
      if (idPattern.test(inquiryId))
        await redactSandboxInquiry(store, { id: inquiryId, now: clock.now() });
    },
    readCallback({ headers, body, now }) {
      const header = headers['sandbox-signature'];
      const refused = checkCallback({
        header: Array.isArray(header) ? header.join(' ') : header,
        body,
        secrets: [callbackSecret],
        now,
      });
      if (refused) return { refused };
      return readCallbackEvent(body) ?? { refused: 'malformed' };
    },
    sandbox: createPage(deps, callbackSecret),
  };
}

function createPage({ store, clock, ids }: SandboxKycDeps, callbackSecret: Secret): KycSandbox {
  const find = async (id: string) =>
    idPattern.test(id) ? selectSandboxInquiry(store, id) : undefined;
  return {
    async redeemSession(inquiryId, sessionToken) {
      if (!idPattern.test(inquiryId)) return undefined;
      const pageToken = makeToken(ids);
      const redeemed = await redeemSandboxSession(store, {
        id: inquiryId,
        sessionHash: digest(sessionToken),
        pageHash: digest(pageToken),
        now: clock.now(),
      });
      return redeemed ? pageToken : undefined;
    },
    async readPage(inquiryId, pageToken) {
      const row = await find(inquiryId);
      if (!row?.pageHash || !row.pageHash.equals(digest(pageToken))) return undefined;
      return {
        inquiryId,
        state: stateOf(row, clock.now()),
        asks: row.asks,
        takesInput: takesInput(row, clock.now()),
      };
    },
    async submitPage(inquiryId, { firstName, lastName, given }) {
      const row = await find(inquiryId);
      if (!row || !takesInput(row, clock.now()) || row.asks.some((asked) => !given.includes(asked)))
        return false;
      const steered = steer({ firstName, lastName });
      // The page is where the person is already, and what a company does not take it says there.
      const outcome = steered === 'page' || steered === 'untaken' ? 'pass' : steered;
      return updateSandboxOutcome(store, { id: inquiryId, outcome, now: clock.now() });
    },
    async decide(inquiryId, decision) {
      const row = await find(inquiryId);
      if (!row || stateOf(row, clock.now()) !== 'in-review') return false;
      return updateSandboxDecision(store, { id: inquiryId, decision });
    },
    signCallback(inquiryId, name) {
      const data = {
        type: 'event',
        id: `evt_${ids.bytes(12).toString('hex')}`,
        attributes: { name, payload: { data: { type: 'inquiry', id: inquiryId } } },
      };
      const body = Buffer.from(JSON.stringify({ data }));
      return {
        headers: { 'sandbox-signature': signCallback(callbackSecret, body, clock.now()) },
        body,
      };
    },
  };
}

/** Nobody's name known: the person enters it on the page. */
function steer(person: Pick<KycPerson, 'firstName' | 'lastName'>): SandboxOutcome {
  const words = [person.firstName, person.lastName].flatMap((name) =>
    name === undefined ? [] : [name.trim().toLowerCase()],
  );
  if (words.length === 0) return 'page';
  const names = Object.entries(sandboxNames) as [SandboxOutcome, string][];
  return names.find(([, name]) => words.includes(name))?.[0] ?? 'pass';
}

function toInquiry(row: SandboxInquiryRow, now: Date): Inquiry {
  const state = stateOf(row, now);
  if (state !== 'document-requested') return { id: row.id, state };
  const requestedDocuments: RequestableDocument[] = [
    row.outcome === 'address' ? 'proof-of-address' : 'id',
  ];
  return { id: row.id, state, requestedDocuments };
}

function stateOf(row: SandboxInquiryRow, now: Date): InquiryState {
  if (row.redactedAt) return 'expired';
  if (row.decided) return row.decided;
  const ageMs = now.getTime() - (row.submittedAt ?? row.createdAt).getTime();
  switch (row.outcome) {
    case 'refuse':
      return 'refused';
    case 'review':
      return 'in-review';
    case 'slow':
      return ageMs < sandboxSlowMs ? 'waiting' : 'passed';
    case 'document':
    case 'address':
      return 'document-requested';
    case 'page':
      return ageMs < sandboxInquiryMs ? 'waiting' : 'expired';
    default:
      return 'passed';
  }
}

function takesInput(row: SandboxInquiryRow, now: Date): boolean {
  return row.outcome === 'page' && stateOf(row, now) === 'waiting';
}

function isEnded(row: SandboxInquiryRow, now: Date): boolean {
  return !['waiting', 'in-review'].includes(stateOf(row, now));
}

function makeToken(ids: Ids): string {
  return ids.bytes(secretBytes).toString('base64url');
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
