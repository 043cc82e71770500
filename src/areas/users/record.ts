import type { z } from 'zod';
import type { Config } from '../../config/config.ts';
import type { Sealer } from '../../lib/sealing/seal.ts';
import { openUserKey } from './keys/user-keys.ts';
import type {
  dueDiligenceSchema,
  kycDataSchema,
  legalDocumentTypes,
  userDetailsSchema,
  verificationHistorySchema,
} from './schema.ts';
import type { UserRow } from './store.ts';

export type UserDetails = z.output<typeof userDetailsSchema>;
export type KycData = z.output<typeof kycDataSchema>;
export type DueDiligence = z.output<typeof dueDiligenceSchema>;
export type VerificationHistory = z.output<typeof verificationHistorySchema>;

export interface LegalDocument {
  readonly type: (typeof legalDocumentTypes)[number];
  /** ISO 8601 UTC. */
  readonly acceptedAt: string;
}

/** All that is known of a person; sealed as one with the user's key. */
export interface UserRecord {
  /** In their normal form, first linked first. */
  readonly locators: readonly string[];
  readonly userDetails?: UserDetails;
  readonly kycData?: KycData;
  readonly dueDiligence?: DueDiligence;
  readonly verificationHistory?: VerificationHistory;
  readonly legalDocuments: readonly LegalDocument[];
}

/** A person with its record open. */
export interface User {
  readonly id: string;
  readonly projectId: string;
  readonly record: UserRecord;
  readonly recordVersion: number;
  readonly hasData: boolean;
  readonly createdAt: Date;
  /** Seals and opens what belongs to this user. */
  readonly sealer: Sealer;
}

type RecordPlace = Pick<UserRow, 'id' | 'projectId' | 'recordVersion'>;

const contextOf = (place: RecordPlace) => ({
  purpose: 'user-record',
  projectId: place.projectId,
  id: place.id,
  version: place.recordVersion,
});

export function sealRecord(sealer: Sealer, place: RecordPlace, record: UserRecord): Buffer {
  return sealer.seal(Buffer.from(JSON.stringify(record)), contextOf(place));
}

/** @throws SealError when a key-encryption key is missing or the row was tampered with */
export function openUser(ctx: { readonly config: Config }, row: UserRow): User {
  const sealer = openUserKey(ctx, row);
  const record = JSON.parse(sealer.open(row.sealedRecord, contextOf(row)).toString()) as UserRecord;
  const { id, projectId, recordVersion, hasData, createdAt } = row;
  return { id, projectId, record, recordVersion, hasData, createdAt, sealer };
}
