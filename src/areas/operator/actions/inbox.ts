import type { Ctx } from '../../../context.ts';
import type { AttentionItem, AttentionPlace } from '../../operations/index.ts';
import { attentionSources } from './registry.ts';

export const attentionKinds = attentionSources.map(({ kind }) => kind);

/**
 * All that waits in some projects, oldest first. Each source is read behind the same place, so a
 * page takes as many short reads as there are sources and projects, however long the list is.
 */
export async function listAttention(
  ctx: Ctx,
  input: {
    readonly projectIds: readonly string[];
    /** All when absent. */
    readonly kinds?: readonly string[] | undefined;
    readonly after?: AttentionPlace | undefined;
    readonly limit: number;
  },
): Promise<readonly AttentionItem[]> {
  const { projectIds, kinds, after, limit } = input;
  const sources = attentionSources.filter(
    (source) => kinds === undefined || kinds.includes(source.kind),
  );
  const lists = await Promise.all(
    projectIds.flatMap((projectId) =>
      sources.map((source) => source.list(ctx, { projectId, after, limit })),
    ),
  );
  return lists
    .flat()
    .sort((a, b) => a.since.getTime() - b.since.getTime() || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

const countedMax = 99;

/** How much waits by kind; 100 stands for more than 99. */
export async function countAttention(
  ctx: Ctx,
  projectIds: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const counts = await Promise.all(
    attentionSources.map(async (source) => {
      const ofProjects = await Promise.all(
        projectIds.map((projectId) => source.count(ctx, { projectId, max: countedMax + 1 })),
      );
      return [
        source.kind,
        Math.min(
          ofProjects.reduce((sum, count) => sum + count, 0),
          countedMax + 1,
        ),
      ] as const;
    }),
  );
  return Object.fromEntries(counts);
}
