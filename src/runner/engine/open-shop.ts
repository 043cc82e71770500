import { errors } from 'playwright-core';
import { badCertificate, leaveUnanswered, originOf, ownRefusal, type Run } from './run.ts';

/**
 * Opens the page that the task names. The shop's origin is known from then on.
 * @returns why there is no page, as a sentence that the user and the step log get; undefined when
 * it is open
 */
export async function openShop(run: Run): Promise<string | undefined> {
  const { openMs } = run.patience;
  const opened = await run.page
    .goto(run.task.url, { waitUntil: 'domcontentloaded', timeout: openMs })
    .then(
      (response) => ({ status: response?.status() ?? 200 }),
      (error: unknown) => ({ error }),
    );
  const isOpen = 'status' in opened && opened.status < 400;
  run.state.shopOrigin = originOf(isOpen ? run.page.url() : run.task.url);
  if (isOpen) return undefined;
  const problem = ownRefusal(run) ?? badCertificate(run) ?? explain(opened, openMs);
  if ('error' in opened) await leaveUnanswered(run);
  await run.ports.progress({ title: 'The shop’s page was not opened', message: problem });
  return problem;
}

function explain(
  opened: { readonly status: number } | { readonly error: unknown },
  openMs: number,
): string {
  if ('error' in opened)
    return opened.error instanceof errors.TimeoutError
      ? `The shop did not answer within ${Math.round(openMs / 1_000)} seconds.`
      : 'The shop’s page could not be opened.';
  const { status } = opened;
  return status === 404 || status === 410
    ? `The shop has no such page any more (${status}).`
    : `The shop’s page could not be opened (${status}).`;
}
