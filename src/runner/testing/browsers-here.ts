import { type BrowserExecutable, findExecutable } from '../browser/index.ts';

/**
 * The browsers of this machine that a test of what gets out meets: the packaged one, and an
 * installed one (`CHROMIUM_PATH`, or where systems put it) if there is one.
 */
export async function browsersHere(): Promise<readonly BrowserExecutable[]> {
  const chromiumPath = process.env.CHROMIUM_PATH;
  const packaged = await findExecutable({}).catch(() => undefined);
  const installed = await findExecutable(
    chromiumPath === undefined ? { packageEntry: undefined } : { chromiumPath },
  ).catch(() => undefined);
  return [packaged, installed].flatMap((one, index, all) =>
    one && all.findIndex((other) => other?.path === one.path) === index ? [one] : [],
  );
}
