import type { RequestCtx } from '../../context.ts';
import { type AnyRoute, route } from '../../http/routes/route.ts';
import type { Tx } from '../../store/types.ts';
import {
  documentBodyBytesMax,
  getDocument,
  type StoredDocument,
  uploadDocument,
} from './documents/documents.ts';
import type { User } from './record.ts';
import {
  documentBodySchema,
  documentParamsSchema,
  documentSchema,
  legalDocumentAnswerSchema,
  legalDocumentBodySchema,
  putUserBodySchema,
  userParamsSchema,
  userSchema,
} from './schema.ts';
import { acceptLegalDocument, getUser, putUser } from './users.ts';
import { userView } from './view.ts';

const path = '/2025-06-09/users/:userLocator';
const common = { tag: 'Users', family: 'U' } as const;
const writes = { keys: 'both', user: 'required', scopes: ['users.create'] } as const;
const reads = { keys: 'both', user: 'required', scopes: ['users.read'] } as const;

/**
 * What identity verification adds: data about a person is for projects that have it, and a change
 * of the data is looked at anew.
 */
export interface UserChecks {
  /** @throws project:addon.required */
  requireProduct(ctx: RequestCtx): Promise<void>;
  followUserChange(
    ctx: RequestCtx,
    tx: Tx,
    input: { readonly user: User; readonly mayReopen: boolean },
  ): Promise<void>;
}

export function createUserRoutes({
  requireProduct,
  followUserChange,
}: UserChecks): readonly AnyRoute[] {
  return [
    route({
      ...common,
      method: 'GET',
      path,
      operationId: 'getUser',
      summary: 'Read a user',
      auth: reads,
      params: userParamsSchema,
      responses: { 200: { description: 'The user.', schema: userSchema } },
      errors: ['invalid-locator', 'user-not-found'],
      handler: async (ctx, { params }) => ({
        status: 200,
        body: userView(ctx, await getUser(ctx, params.userLocator)),
      }),
    }),
    route({
      ...common,
      method: 'PUT',
      path,
      operationId: 'putUser',
      summary: 'Create or replace a user',
      description:
        'Not additive: a block that is left out is removed, so send everything again. Accepted legal documents, uploaded documents and locators stay. One person under two locators is one user once a JWT with a verified e-mail or `locators` says so, never because data looks alike.',
      auth: writes,
      params: userParamsSchema,
      body: putUserBodySchema,
      responses: { 200: { description: 'The user.', schema: userSchema } },
      errors: ['invalid-locator', 'project:addon.required', 'user-not-found', 'conflict'],
      handler: async (ctx, { params, body }) => {
        await requireProduct(ctx);
        const mayReopen = ctx.caller.keyKind === 'server';
        const onSaved = (tx: Tx, user: User) => followUserChange(ctx, tx, { user, mayReopen });
        return {
          status: 200,
          body: userView(ctx, await putUser(ctx, { locator: params.userLocator, body, onSaved })),
        };
      },
    }),
    route({
      ...common,
      method: 'PUT',
      path: `${path}/legal-documents`,
      operationId: 'acceptLegalDocument',
      summary: 'Record an accepted legal document',
      description: 'Creates the user when it is unknown.',
      auth: writes,
      params: userParamsSchema,
      body: legalDocumentBodySchema,
      responses: {
        200: { description: 'When it was accepted.', schema: legalDocumentAnswerSchema },
      },
      errors: ['invalid-locator', 'user-not-found', 'conflict'],
      handler: async (ctx, { params, body }) => {
        const onSaved = (tx: Tx, user: User) =>
          followUserChange(ctx, tx, { user, mayReopen: false });
        const { acceptedAt } = await acceptLegalDocument(ctx, {
          locator: params.userLocator,
          document: body,
          onSaved,
        });
        return { status: 200, body: { acceptedAt } };
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: `${path}/documents`,
      operationId: 'uploadDocument',
      summary: 'Upload a document',
      description:
        'A JPEG, PNG, WebP or HEIC picture or a PDF of at most 10 MiB. A document of the same type is replaced.',
      auth: writes,
      params: userParamsSchema,
      body: documentBodySchema,
      bodyLimitBytes: documentBodyBytesMax,
      responses: {
        201: { description: 'The document, without its content.', schema: documentSchema },
      },
      errors: ['invalid-locator', 'project:addon.required', 'user-not-found', 'conflict'],
      handler: async (ctx, { params, body }) => {
        await requireProduct(ctx);
        return {
          status: 201,
          body: documentView(await uploadDocument(ctx, { locator: params.userLocator, ...body })),
        };
      },
    }),
    route({
      ...common,
      method: 'GET',
      path: `${path}/documents/:documentId`,
      operationId: 'getDocument',
      summary: 'Read what is known of a document',
      description: 'Never its content.',
      auth: reads,
      params: documentParamsSchema,
      responses: {
        200: { description: 'The document, without its content.', schema: documentSchema },
      },
      errors: ['invalid-locator', 'project:addon.required', 'user-not-found', 'document-not-found'],
      handler: async (ctx, { params }) => {
        await requireProduct(ctx);
        return {
          status: 200,
          body: documentView(
            await getDocument(ctx, { locator: params.userLocator, documentId: params.documentId }),
          ),
        };
      },
    }),
  ];
}

function documentView({ documentId, documentType, createdAt }: StoredDocument) {
  return { documentId, documentType, createdAt: createdAt.toISOString() };
}
