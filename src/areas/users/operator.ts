import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { parseUserLocator } from '../../lib/locator/locator.ts';
import { hashLocator } from './access.ts';
import { listDocuments } from './documents/documents.ts';
import { openUser, type User } from './record.ts';
import { selectPersonPage, selectPersonsByLocator, selectUserById, type UserRow } from './store.ts';
import { isValidVersion, userLocatorOf } from './view.ts';

type OperatorCtx = Pick<Ctx, 'config' | 'store' | 'clock' | 'ids' | 'log'>;

/**
 * A person as a list of the console has it: by the name that the project gave, and nothing of what
 * is known.
 */
export interface UserLine {
  readonly id: string;
  readonly projectId: string;
  /** `userId:…`; undefined where the record cannot be opened. */
  readonly locator?: string | undefined;
  readonly hasData: boolean;
  readonly createdAt: Date;
  /** What stands in the row is not what the service has sealed. */
  readonly isChanged?: true;
}

/** A look-up asks each project by its own key. */
const projectsSearchedMax = 50;
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Persons of projects for their operator, the newest first, behind a place; or the one that is
 * looked for.
 * @param input.find our id, a locator such as `email:alice@shop.example`, an e-mail address, or the
 * project's own id of the user
 * @throws invalid-locator; validation-error where too many projects would have to be asked
 */
export async function listUserLines(
  ctx: OperatorCtx,
  input: {
    readonly projectIds: readonly string[];
    readonly find?: string | undefined;
    readonly before?: { readonly at: Date; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<UserLine[]> {
  const { find, projectIds, ...place } = input;
  const rows =
    find === undefined
      ? await selectPersonPage(ctx.store, { projectIds, ...place })
      : await findPersons(ctx, { projectIds, find });
  return rows.map((row) => lineOf(ctx, row));
}

async function findPersons(
  ctx: OperatorCtx,
  { projectIds, find }: { readonly projectIds: readonly string[]; readonly find: string },
): Promise<readonly UserRow[]> {
  if (uuidPattern.test(find)) {
    const found = await selectPerson(ctx, find);
    if (found && projectIds.includes(found.projectId)) return [found];
  }
  if (projectIds.length > projectsSearchedMax)
    throw new ServiceError('validation-error', {
      message: `Choose a project: a user is looked for in at most ${projectsSearchedMax} at once.`,
    });
  const locator = parseUserLocator(
    /^[a-zA-Z]+:/.test(find) ? find : find.includes('@') ? `email:${find}` : `userId:${find}`,
  );
  const found = await Promise.all(
    projectIds.map(async (projectId) => [
      ...(
        await selectPersonsByLocator(ctx.store, {
          projectId,
          hashes: [await hashLocator(ctx, projectId, locator)],
        })
      ).values(),
    ]),
  );
  return found.flat();
}

/** The person that a user is, whichever of several it was made as. */
async function selectPerson(ctx: Pick<Ctx, 'store'>, id: string): Promise<UserRow | undefined> {
  const row = await selectUserById(ctx.store, id);
  return row && row.personId !== row.id ? selectUserById(ctx.store, row.personId) : row;
}

function lineOf(ctx: OperatorCtx, row: UserRow): UserLine {
  const { id, projectId, hasData, createdAt } = row;
  const user = tryOpen(ctx, row);
  return {
    id,
    projectId,
    hasData,
    createdAt,
    ...(user ? { locator: userLocatorOf(user) } : { isChanged: true }),
  };
}

function tryOpen(ctx: OperatorCtx, row: UserRow): User | undefined {
  try {
    return openUser(ctx, row);
  } catch (error) {
    ctx.log.warn({ err: error, userId: row.id }, 'the record of a user cannot be opened');
    return undefined;
  }
}

/**
 * A person for an operator: names, which data there is and since when, and none of the data itself.
 * @returns undefined when the projects have none of this id @throws internal-error when it was
 * changed behind the service
 */
export async function readUserOf(
  ctx: OperatorCtx,
  key: { readonly id: string; readonly projectIds: readonly string[] },
) {
  const row = await selectPerson(ctx, key.id);
  if (!row || !key.projectIds.includes(row.projectId)) return undefined;
  const user = tryOpen(ctx, row);
  if (!user)
    throw new ServiceError('internal-error', {
      message: 'The record of this user cannot be opened: it was changed, or its key is missing.',
    });
  const { locators, legalDocuments, userDetails, kycData, dueDiligence, verificationHistory } =
    user.record;
  const uploads = await listDocuments(ctx.store, user);
  return {
    user,
    shown: {
      id: user.id,
      projectId: user.projectId,
      locator: userLocatorOf(user),
      locators,
      createdAt: user.createdAt,
      data: Object.entries({ userDetails, kycData, dueDiligence, verificationHistory }).flatMap(
        ([name, block]) => (block ? [name] : []),
      ),
      documents: uploads.map(({ documentType }) => documentType),
      legalDocuments: legalDocuments.map((one) => ({
        ...one,
        isInForce: isValidVersion(ctx, one),
      })),
    },
  };
}
