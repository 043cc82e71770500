import type { Ctx } from '../../context.ts';
import { databaseStep, defineFlow } from '../../jobs/index.ts';
import { eraseProfile, isInUse } from './store.ts';

type EraseState = { readonly profileId: string };

/** How often a profile that runs still use is looked at. */
const lookAgainMs = 5_000;

/** Waits for the runs that began with a deleted profile, then destroys its key with its row. */
export const eraseProfileFlow = defineFlow<EraseState, Ctx>({
  kind: 'browser-profile-erase',
  version: 1,
  firstStep: 'erase',
  steps: {
    erase: databaseStep<EraseState, Ctx>({
      run: async (ctx, tx, { state }) => {
        if (await isInUse(tx, state.profileId))
          return { goto: 'erase', runAt: new Date(ctx.clock.now().getTime() + lookAgainMs) };
        await eraseProfile(tx, state.profileId);
        return { done: true };
      },
    }),
  },
});
