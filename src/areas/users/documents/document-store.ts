import { type RowOf, readRow, valuesOf } from '../../../store/rows.ts';
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

type RawDocumentRow = RowOf<DocumentRow>;

const columns = 'id, project_id, user_id, document_type, media_type, created_at';

const toRow = (row: RawDocumentRow) => readRow<DocumentRow>(row);

/** Inserts a document, or puts it in the place of the one of the same type. */
export async function upsertDocument(
  tx: Tx,
  row: DocumentContentRow & { readonly byteCount: number },
): Promise<void> {
  await tx.query({
    name: 'users-put-document',
    text: `insert into user_documents (${columns}, byte_count, sealed_content)
      values ($1, $2, $3, $4, $5, $6, $7, $8)
      on conflict (user_id, document_type) do update set id = excluded.id, media_type = excluded.media_type,
        byte_count = excluded.byte_count, sealed_content = excluded.sealed_content, created_at = excluded.created_at`,
    values: [...valuesOf(row, columns), row.byteCount, row.sealedContent],
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
  const { rows } = await db.query<RowOf<DocumentContentRow>>({
    text: `select ${columns}, sealed_content from user_documents where user_id = $1 order by document_type limit 20`,
    values: [userId],
  });
  return rows.map((row) => readRow<DocumentContentRow>(row));
}
