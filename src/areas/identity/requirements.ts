import type { KycLevel, RequestableDocument } from '../../providers/kyc/kyc.ts';
import type { DocumentType, UserRecord } from '../users/index.ts';

/** What a person may do once verified. */
export const eligibilityTypes = [
  'onramp',
  'onramp-light',
  'offramp',
  'offramp-light',
  'regulated-transfer',
] as const;
export type EligibilityType = (typeof eligibilityTypes)[number];

export const dataBlocks = ['user-details', 'kyc-data'] as const;
export type DataBlock = (typeof dataBlocks)[number];

export interface Requirement {
  readonly level: KycLevel;
  readonly data: readonly DataBlock[];
  readonly documents: readonly RequestableDocument[];
}

const light: Requirement = { level: 'light', data: ['user-details'], documents: [] };

/** What each type needs. */
const requirements: Readonly<Record<EligibilityType, Requirement>> = {
  'onramp-light': light,
  'offramp-light': light,
  onramp: { level: 'full', data: ['user-details', 'kyc-data'], documents: ['id'] },
  offramp: {
    level: 'full',
    data: ['user-details', 'kyc-data'],
    documents: ['id', 'proof-of-address'],
  },
  'regulated-transfer': {
    level: 'full',
    data: ['user-details', 'kyc-data'],
    documents: ['id', 'proof-of-address'],
  },
};

/**
 * Where a country asks for more: residents need what the other type needs (supplement, section 11).
 */
const strongerByCountry: Readonly<
  Record<string, Partial<Record<EligibilityType, EligibilityType>>>
> = {
  US: { 'offramp-light': 'offramp' },
};

/** Volume of twelve months, in US dollars, up to which the light types suffice. */
export const lightVolumeUsd = '1000';

/** Uploads that make up a document: any of the lists, all of the list. */
const documentParts: Readonly<
  Record<
    RequestableDocument,
    readonly { readonly parts: readonly DocumentType[]; readonly countries?: readonly string[] }[]
  >
> = {
  id: [
    { parts: ['id-passport'] },
    { parts: ['id-idcard-front', 'id-idcard-back'] },
    { parts: ['id-ssn'], countries: ['US'] },
  ],
  'proof-of-address': [{ parts: ['proof-of-address'] }],
};

/** What a type needs of a resident of that country. */
export function requirementOf(
  type: EligibilityType,
  countryOfResidence: string | undefined,
): Requirement {
  const stronger =
    countryOfResidence === undefined ? undefined : strongerByCountry[countryOfResidence]?.[type];
  return requirements[stronger ?? type];
}

export interface UploadedDocument {
  readonly documentId: string;
  readonly documentType: DocumentType;
}

/** Documents that the company asked for: the uploads it had then do not answer it. */
export interface DocumentRequest {
  readonly documents: readonly RequestableDocument[];
  readonly outdatedUploads: readonly string[];
}

export interface Missing {
  readonly data: readonly DataBlock[];
  readonly documents: readonly RequestableDocument[];
}

/** What a person has not provided of what a type needs. */
export function findMissing(input: {
  readonly requirement: Requirement;
  readonly record: UserRecord;
  readonly uploads: readonly UploadedDocument[];
  readonly request?: DocumentRequest;
}): Missing {
  const { requirement, record, uploads, request } = input;
  const country = record.userDetails?.countryOfResidence;
  const asked = new Set([...requirement.documents, ...(request?.documents ?? [])]);
  return {
    data: requirement.data.filter((block) => !hasBlock(record, block)),
    documents: [...asked].filter((document) => {
      const outdated = request?.documents.includes(document) ? request.outdatedUploads : [];
      return !hasDocument({
        document,
        uploads: uploads.filter((upload) => !outdated.includes(upload.documentId)),
        country,
      });
    }),
  };
}

export function isNothingMissing(missing: Missing): boolean {
  return missing.data.length === 0 && missing.documents.length === 0;
}

function hasBlock(record: UserRecord, block: DataBlock): boolean {
  return block === 'user-details' ? record.userDetails !== undefined : record.kycData !== undefined;
}

function hasDocument(input: {
  readonly document: RequestableDocument;
  readonly uploads: readonly UploadedDocument[];
  readonly country: string | undefined;
}): boolean {
  const { document, uploads, country } = input;
  const usable = new Set(uploads.map((upload) => upload.documentType));
  return documentParts[document].some(
    ({ parts, countries }) =>
      (countries === undefined || (country !== undefined && countries.includes(country))) &&
      parts.every((part) => usable.has(part)),
  );
}

/** The type that has to be verified for an order. */
export function requiredType(input: {
  readonly operation: 'onramp' | 'offramp';
  readonly countryOfResidence: string | undefined;
  /**
   * True when the order and those of the last twelve months are worth at most
   * {@link lightVolumeUsd}.
   */
  readonly isWithinLightVolume: boolean;
}): EligibilityType {
  const { operation, countryOfResidence, isWithinLightVolume } = input;
  if (!isWithinLightVolume) return operation;
  const lightType = `${operation}-light` as const;
  return (
    (countryOfResidence === undefined
      ? undefined
      : strongerByCountry[countryOfResidence]?.[lightType]) ?? lightType
  );
}
