import { fileTypeFromBuffer } from 'file-type';
import type { Ctx, RequestCtx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { parseUserLocator } from '../../../lib/locator/locator.ts';
import { locatorKeyOf } from '../../../lib/locator/locator-key.ts';
import type { SealContext } from '../../../lib/sealing/seal.ts';
import type { Db } from '../../../store/types.ts';
import { findUser } from '../access.ts';
import { changeUser } from '../change-user.ts';
import type { User } from '../record.ts';
import { saveRecord } from '../save-record.ts';
import type { DocumentType } from '../schema.ts';
import { claimAllowance } from './allowances.ts';
import {
  type DocumentRow,
  selectDocument,
  selectDocumentContents,
  selectDocumentsOfUser,
  upsertDocument,
} from './document-store.ts';

export const documentBytesMax = 10 * 1024 * 1024;
/** A document as base64, and the rest of the body. */
export const documentBodyBytesMax = Math.ceil(documentBytesMax / 3) * 4 + 64 * 1024;
const uploadsPerUserAndDayMax = 50;

const mediaTypes: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/heic': 'heic',
  'image/heif': 'heic',
  'application/pdf': 'pdf',
};

export interface StoredDocument {
  readonly documentId: string;
  readonly documentType: DocumentType;
  readonly createdAt: Date;
}

export interface OpenDocument extends StoredDocument {
  readonly mediaType: string;
  readonly fileName: string;
  readonly content: Buffer;
}

const contextOf = ({
  id,
  projectId,
}: {
  readonly id: string;
  readonly projectId: string;
}): SealContext => ({
  purpose: 'user-document',
  projectId,
  id,
  version: 1,
});

/**
 * Stores a document of a user, sealed with the user's key; one of the same type is replaced.
 * @throws invalid-locator, not-authorized, user-not-found, validation-error, payload-too-large,
 * rate-limited
 */
export async function uploadDocument(
  ctx: RequestCtx,
  input: {
    readonly locator: string;
    readonly userLocator?: string | undefined;
    readonly documentType: DocumentType;
    readonly content: string;
  },
): Promise<StoredDocument> {
  if (
    input.userLocator !== undefined &&
    locatorKeyOf(parseUserLocator(input.userLocator)) !==
      locatorKeyOf(parseUserLocator(input.locator))
  )
    throw new ServiceError('validation-error', {
      message:
        'body.userLocator: names another user than the path. Send the same one, or leave it out.',
    });
  const { id: userId } = await findUser(ctx, input.locator);
  await takeUpload(ctx, userId);
  const content = decodeContent(input.content);
  const mediaType = await sniffMediaType(content);
  const id = ctx.idempotency?.objectId ?? ctx.ids.randomUuid();
  const createdAt = ctx.clock.now();
  return changeUser(ctx, { locator: input.locator, create: false }, async (tx, user) => {
    const { projectId } = user;
    await upsertDocument(tx, {
      id,
      projectId,
      userId: user.id,
      documentType: input.documentType,
      mediaType,
      byteCount: content.length,
      sealedContent: user.sealer.seal(content, contextOf({ id, projectId })),
      createdAt,
    });
    if (!user.hasData) await saveRecord(ctx, tx, user, { record: user.record, hasData: true });
    return { documentId: id, documentType: input.documentType, createdAt };
  });
}

/** @throws invalid-locator, not-authorized, user-not-found, document-not-found */
export async function getDocument(
  ctx: RequestCtx,
  input: { readonly locator: string; readonly documentId: string },
): Promise<StoredDocument> {
  const user = await findUser(ctx, input.locator);
  const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(input.documentId);
  const row = isUuid
    ? await selectDocument(ctx.store, { userId: user.id, id: input.documentId.toLowerCase() })
    : undefined;
  if (!row) throw new ServiceError('document-not-found');
  return toStored(row);
}

/** What documents a user has, without their contents. */
export async function listDocuments(db: Db, user: Pick<User, 'id'>): Promise<StoredDocument[]> {
  return (await selectDocumentsOfUser(db, user.id)).map(toStored);
}

/** The documents of a user, opened. For whoever hands them to the identity company. */
export async function openDocuments(ctx: Pick<Ctx, 'store'>, user: User): Promise<OpenDocument[]> {
  const rows = await selectDocumentContents(ctx.store, user.id);
  return rows.map((row) => ({
    ...toStored(row),
    mediaType: row.mediaType,
    fileName: `${row.documentType}.${mediaTypes[row.mediaType] ?? 'bin'}`,
    content: user.sealer.open(row.sealedContent, contextOf(row)),
  }));
}

function toStored(row: DocumentRow): StoredDocument {
  return { documentId: row.id, documentType: row.documentType, createdAt: row.createdAt };
}

async function takeUpload(ctx: RequestCtx, userId: string): Promise<void> {
  const { projectId } = ctx.caller;
  await claimAllowance(ctx, {
    projectId,
    userId,
    kind: 'document-upload',
    perDayMax: uploadsPerUserAndDayMax,
  });
  await claimAllowance(ctx, {
    projectId,
    kind: 'document-upload',
    perDayMax: ctx.config.identity.limits.documentUploadsPerDayMax,
  });
}

/** Strict: what a lenient decoder would skip is a sign that this is not the file. */
function decodeContent(text: string): Buffer {
  const content = Buffer.from(text, 'base64');
  if (content.length > documentBytesMax)
    throw new ServiceError('payload-too-large', {
      message: `The document has ${content.length} bytes, at most ${documentBytesMax} (10 MiB) are taken: send a smaller scan.`,
    });
  const isBase64 =
    content.length > 0 && content.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');
  if (!isBase64)
    throw new ServiceError('validation-error', {
      message:
        'body.content: is not base64. Send the bytes of the file as standard base64, without line breaks and without "data:…;base64,".',
    });
  return content;
}

async function sniffMediaType(content: Buffer): Promise<string> {
  const found = await fileTypeFromBuffer(content).catch(() => undefined);
  if (found && Object.hasOwn(mediaTypes, found.mime)) return found.mime;
  throw new ServiceError('validation-error', {
    message: `body.content: the document is ${found ? `of type ${found.mime}` : 'of no type that is known here'}: send a JPEG, PNG, WebP or HEIC picture, or a PDF.`,
  });
}
