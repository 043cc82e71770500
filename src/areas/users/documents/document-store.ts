import type { Db, Tx } from '../../../store/types.ts';
import type { DocumentType } from '../schema.ts';

export interface DocumentRow {
  readonly id: string;
  readonly projectId: string;
  readonly userId: string;
  readonly documentType: DocumentType;
  readonly mediaType: string;
  readonly createdAt: Date;
}

export interface DocumentContentRow extends DocumentRow {
  readonly sealedContent: Buffer;
}

interface RawDocumentRow {
  id: string;
  project_id: string;
  user_id: string;
  document_type: DocumentType;
  media_type: string;
  created_at: Date;
}

const columns = 'id, project_id, user_id, document_type, media_type, created_at';

const toRow = (row: RawDocumentRow): DocumentRow => ({
  id: row.id,
  projectId: row.project_id,
  userId: row.user_id,
  documentType: row.document_type,
  mediaType: row.media_type,
  createdAt: row.created_at,
});

/** Inserts a document, or puts it in the place of the one of the same type. */
export async function upsertDocument(
  tx: Tx,
  row: DocumentContentRow & { readonly byteCount: number },
): Promise<void> {
  await tx.query({
    name: 'users-put-document',
    text: `insert into user_documents (id, project_id, user_id, document_type, media_type, byte_count, sealed_content, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8)
      on conflict (user_id, document_type) do update set id = excluded.id, media_type = excluded.media_type,
        byte_count = excluded.byte_count, sealed_content = excluded.sealed_content, created_at = excluded.created_at`,
    values: [
      row.id,
      row.projectId,
      row.userId,
      row.documentType,
      row.mediaType,
      row.byteCount,
      row.sealedContent,
      row.createdAt,
    ],
  });
}

export async function selectDocument(
  db: Db,
  key: { readonly userId: string; readonly id: string },
): Promise<DocumentRow | undefined> {
  const { rows } = await db.query<RawDocumentRow>({
    name: 'users-document',
    text: `select ${columns} from user_documents where id = $1 and user_id = $2`,
    values: [key.id, key.userId],
  });
  return rows[0] && toRow(rows[0]);
}

/** At most one of each type. */
export async function selectDocumentsOfUser(db: Db, userId: string): Promise<DocumentRow[]> {
  const { rows } = await db.query<RawDocumentRow>({
    name: 'users-documents',
    text: `select ${columns} from user_documents where user_id = $1 order by document_type limit 20`,
    values: [userId],
  });
  return rows.map(toRow);
}

export async function selectDocumentContents(
  db: Db,
  userId: string,
): Promise<DocumentContentRow[]> {
  const { rows } = await db.query<RawDocumentRow & { sealed_content: Buffer }>({
    text: `select ${columns}, sealed_content from user_documents where user_id = $1 order by document_type limit 20`,
    values: [userId],
  });
  return rows.map((row) => ({ ...toRow(row), sealedContent: row.sealed_content }));
}
