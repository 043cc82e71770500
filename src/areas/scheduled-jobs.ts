import type { Ctx } from '../context.ts';
import { pruneIdempotencyKeys } from '../http/answers/idempotency.ts';
import { pruneRateLimits } from '../http/rate-limit.ts';
import { pruneNonces } from '../http/routes/signed-routes.ts';
import type { ScheduledJob } from '../jobs/every.ts';
import { foldLedger } from '../ledger/index.ts';
import { pruneCallCounts, storeCallCounts } from '../providers/calls/index.ts';
import { createPicturePruner, endStaleRuns, expireActions } from './agent-checkouts/index.ts';
import { pruneCardEvents, runSandboxCard } from './card-payments/index.ts';
import { pruneIdentityCallbacks } from './identity/index.ts';
import { pruneChallenges } from './linked-wallets/index.ts';
import { performActions, pruneSessions } from './operator/index.ts';
import { pruneLimits } from './order-limits/index.ts';
import {
  createIdentityReader,
  followCard,
  receivePayoutEvents,
  releaseExpiredLimits,
  sweepOrders,
} from './orders/index.ts';
import { reconcileAll, reconcileBooksDaily } from './reconciliation/index.ts';
import { assembleSignatures, closeSignatureWindows } from './signatures/index.ts';
import { pruneSignerCodes } from './signer-codes/index.ts';
import { closeSignerChanges, compareSigners } from './signers/index.ts';
import { closeApprovalWindows } from './transactions/index.ts';
import { resumeLostTransfers } from './treasury/index.ts';
import {
  createDirectoryPusher,
  directoryPushMs,
  personsPushMs,
  publishPersons,
} from './vault-directory/index.ts';
import { makeTreasuries } from './wallets/index.ts';
import { pruneWebhooks } from './webhooks/index.ts';

/** What the worker looks for from time to time. A new area adds one line. */
export function scheduledJobs(ctx: Ctx): readonly ScheduledJob[] {
  const identityReader = createIdentityReader(ctx);
  const picturePruner = createPicturePruner(ctx);
  return [
    { name: 'close approval windows', everyMs: 1_000, run: () => closeApprovalWindows(ctx) },
    {
      name: 'close approval windows of signatures',
      everyMs: 1_000,
      run: () => closeSignatureWindows(ctx),
    },
    { name: 'assemble approved signatures', everyMs: 1_000, run: () => assembleSignatures(ctx) },
    { name: 'close registrations of signers', everyMs: 5_000, run: () => closeSignerChanges(ctx) },
    { name: 'compare signers with the chains', everyMs: 3_000, run: () => compareSigners(ctx) },
    { name: 'end checkouts that no runner takes', everyMs: 5_000, run: () => endStaleRuns(ctx) },
    { name: 'end questions that nobody answered', everyMs: 1_000, run: () => expireActions(ctx) },
    { name: 'forget nonces', everyMs: 60_000, run: () => pruneNonces(ctx) },
    {
      name: 'forget pictures of agent checkouts',
      everyMs: 600_000,
      run: () => picturePruner.run(),
    },
    { name: 'forget signer codes', everyMs: 600_000, run: () => pruneSignerCodes(ctx) },
    ...(ctx.config.console ? consoleChores(ctx) : []),
    ...(ctx.config.vault ? vaultScheduledJobs(ctx) : []),
    {
      name: 'take lost transfers of treasuries up again',
      everyMs: 600_000,
      run: () => resumeLostTransfers(ctx),
    },
    { name: 'make treasuries of new projects', everyMs: 1_000, run: () => makeTreasuries(ctx) },
    { name: 'hold orders to their time limits', everyMs: 1_000, run: () => sweepOrders(ctx) },
    ...(ctx.config.vault
      ? [
          {
            name: 'hear of payouts',
            everyMs: 1_000,
            idleMs: 3_000,
            run: () => receivePayoutEvents(ctx),
          },
        ]
      : []),
    {
      name: 'give back limits of expired orders',
      everyMs: 60_000,
      run: () => releaseExpiredLimits(ctx),
    },
    { name: 'forget used limits', everyMs: 3_600_000, run: () => pruneLimits(ctx) },
    {
      name: 'store counts of calls to companies and nodes',
      everyMs: 10_000,
      run: () => storeCallCounts(ctx),
    },
    {
      name: 'forget counts of calls to companies and nodes',
      everyMs: 3_600_000,
      run: () => pruneCallCounts(ctx),
    },
    { name: 'forget rate limits', everyMs: 600_000, run: () => pruneRateLimits(ctx) },
    { name: 'forget idempotency keys', everyMs: 3_600_000, run: () => pruneIdempotencyKeys(ctx) },
    {
      name: 'forget identity callbacks',
      everyMs: 3_600_000,
      run: () => pruneIdentityCallbacks(ctx),
    },
    ...(ctx.providers.card?.sandbox
      ? [
          {
            name: 'let the sandbox acquirer act',
            everyMs: 1_000,
            run: () => runSandboxCard(ctx, followCard),
          },
        ]
      : []),
    {
      name: 'tell orders of identity checks',
      everyMs: 500,
      run: async () => void (await identityReader.drain()),
    },
    { name: 'forget card callbacks', everyMs: 3_600_000, run: () => pruneCardEvents(ctx) },
    { name: 'fold the ledger', everyMs: 5_000, run: () => foldLedger(ctx) },
    {
      name: 'compare chain, ledger, bank and acquirer',
      everyMs: 20_000,
      run: () => reconcileAll(ctx),
    },
    { name: 'compare the books as a whole', everyMs: 600_000, run: () => reconcileBooksDaily(ctx) },
    { name: 'forget wallet challenges', everyMs: 3_600_000, run: () => pruneChallenges(ctx) },
    { name: 'forget webhooks and events', everyMs: 600_000, run: () => pruneWebhooks(ctx) },
  ];
}

function consoleChores(ctx: Ctx): readonly ScheduledJob[] {
  return [
    { name: 'do what operators signed', everyMs: 250, idleMs: 500, run: () => performActions(ctx) },
    { name: 'forget sessions of operators', everyMs: 3_600_000, run: () => pruneSessions(ctx) },
  ];
}

function vaultScheduledJobs(ctx: Ctx): readonly ScheduledJob[] {
  return [
    {
      name: 'tell the vault about API keys',
      everyMs: directoryPushMs,
      run: createDirectoryPusher(ctx).run,
    },
    {
      name: 'tell the vault who is one person',
      everyMs: personsPushMs,
      run: () => publishPersons(ctx),
    },
  ];
}
