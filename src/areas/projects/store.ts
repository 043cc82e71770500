import type { JSONWebKeySet } from 'jose';
import { rowMacsOf, type SealedRow, type SealedTable } from '../../store/row-mac.ts';
import { fieldsOf, type RowOf, readRow } from '../../store/rows.ts';
import type { Db } from '../../store/types.ts';
import type { IssuerRules } from './issuer-rules.ts';

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

export const issuerAlgorithms = ['RS256', 'ES256', 'EdDSA'] as const;
export type IssuerAlgorithm = (typeof issuerAlgorithms)[number];

/**
 * Who may vouch for a project's end users: one pinned algorithm, and either a JWKS address or the
 * key set itself.
 */
export interface TrustedIssuer {
  readonly id: string;
  readonly projectId: string;
  /** The exact `iss` claim. */
  readonly issuer: string;
  /** Any one of them must be in the `aud` claim. */
  readonly audiences: readonly string[];
  readonly algorithm: IssuerAlgorithm;
  readonly jwksUrl?: string;
  readonly jwks?: JSONWebKeySet;
  readonly rules: IssuerRules;
  readonly createdAt: Date;
}

/** An issuer as it was read. */
export interface ListedIssuer extends TrustedIssuer {
  /** Its row is not as it was sealed: its issuer vouches for nobody. */
  readonly sealProblem?: string;
}

type ProjectRow = RowOf<Project>;

type IssuerRow = RowOf<TrustedIssuer> & { readonly mac: string | null };

const issuerColumns =
  'id, project_id, issuer, audiences, algorithm, jwks_url, jwks, rules, created_at, mac';

/** Whom the issuer vouches for, and by which key. */
export function sealedIssuer(row: Omit<IssuerRow, 'created_at' | 'mac'>): SealedRow {
  const fields = fieldsOf(row, 'project_id, issuer, audiences, algorithm, jwks_url, jwks, rules');
  return { table: 'trusted_issuers', id: row.id, fields };
}

export const sealedIssuers: SealedTable = {
  table: 'trusted_issuers',
  columns: issuerColumns,
  toSealed: sealedIssuer,
};

export async function insertProject(db: Db, project: Project): Promise<void> {
  await db.query({
    text: 'insert into projects (id, name, created_at) values ($1, $2, $3)',
    values: [project.id, project.name, project.createdAt],
  });
}

export async function findProject(db: Db, id: string): Promise<Project | undefined> {
  const { rows } = await db.query<ProjectRow>({
    text: 'select id, name, created_at from projects where id = $1',
    values: [id],
  });
  return rows[0] && readProject(rows[0]);
}

/** Oldest first. */
export async function listProjectRows(db: Db, limit: number): Promise<Project[]> {
  const { rows } = await db.query<ProjectRow>({
    text: 'select id, name, created_at from projects order by created_at, id limit $1',
    values: [limit],
  });
  return rows.map(readProject);
}

/** False when the project has this issuer already. */
export async function insertIssuer(db: Db, issuer: TrustedIssuer): Promise<boolean> {
  const { rowCount } = await db.query({
    text: `insert into trusted_issuers (${issuerColumns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (project_id, issuer) do nothing`,
    values: [
      issuer.id,
      issuer.projectId,
      issuer.issuer,
      issuer.audiences,
      issuer.algorithm,
      issuer.jwksUrl ?? null,
      issuer.jwks ? JSON.stringify(issuer.jwks) : null,
      JSON.stringify(issuer.rules),
      issuer.createdAt,
      rowMacsOf(db).seal(
        sealedIssuer({
          ...issuer,
          project_id: issuer.projectId,
          jwks_url: issuer.jwksUrl ?? null,
          jwks: issuer.jwks ?? null,
        }),
      ),
    ],
  });
  return rowCount > 0;
}

export async function listIssuerRows(
  db: Db,
  input: { projectId: string; limit: number },
): Promise<ListedIssuer[]> {
  const { rows } = await db.query<IssuerRow>({
    name: 'issuers-of-project',
    text: `select ${issuerColumns} from trusted_issuers where project_id = $1 order by issuer limit $2`,
    values: [input.projectId, input.limit],
  });
  return rows.map((row) => readIssuer(db, row));
}

/** Of several projects, the newest first, behind a place: each trusts a few. */
export async function selectIssuersOf(
  db: Db,
  input: {
    readonly projectIds: readonly string[];
    readonly before?: { readonly at: Date; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<ListedIssuer[]> {
  const { rows } = await db.query<IssuerRow>({
    text: `select ${issuerColumns} from trusted_issuers where project_id = any($1::uuid[]) and (created_at, id) < ($2::timestamptz, $3::uuid)
      order by created_at desc, id desc limit $4`,
    values: [
      input.projectIds,
      input.before?.at ?? 'infinity',
      input.before?.id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      input.limit,
    ],
  });
  return rows.map((row) => readIssuer(db, row));
}

function readIssuer(db: Db, row: IssuerRow): ListedIssuer {
  const sealProblem = rowMacsOf(db).problemOf(sealedIssuer(row), row.mac);
  return { ...readRow<TrustedIssuer>(row), ...(sealProblem !== undefined && { sealProblem }) };
}

/**
 * Whose it was, and its name. Undefined when there is no such issuer, or none of the project that
 * is named.
 */
export async function deleteIssuer(
  db: Db,
  { id, projectId }: { id: string; projectId?: string },
): Promise<{ projectId: string; issuer: string } | undefined> {
  const { rows } = await db.query<{ project_id: string; issuer: string }>({
    text: 'delete from trusted_issuers where id = $1 and ($2::uuid is null or project_id = $2) returning project_id, issuer',
    values: [id, projectId ?? null],
  });
  return rows[0] && { projectId: rows[0].project_id, issuer: rows[0].issuer };
}

/** Of which project it is. */
export async function selectIssuerProject(db: Db, id: string): Promise<string | undefined> {
  const { rows } = await db.query<{ project_id: string }>({
    text: 'select project_id from trusted_issuers where id = $1',
    values: [id],
  });
  return rows[0]?.project_id;
}

const readProject = (row: ProjectRow) => readRow<Project>(row);
