/** More than so many at once is no matter of chance. */
const filesMax = 3;

/** These look for what happens rarely: for them the first failure is the finding. */
const strict = /(?:faults|kill|invariant|fuzz|canary|tidy)[^/]*(?:\/[^/]*)?\.test\.ts$/;

/**
 * Which files of a failed run are run once more, alone: where processes, chains and browsers share
 * two cores, a test can miss its time (docs/decisions/0032). Nothing that fails twice passes.
 *
 * @param {import('./second-look.d.mts').FailedRun | undefined} run undefined when the run did not
 * come to its end
 * @returns {import('./second-look.d.mts').SecondLook}
 */
export function chooseSecondLook(run) {
  if (run === undefined || run.reason !== 'failed')
    return { files: [], why: 'the run did not come to its end' };
  if (run.unhandledErrors > 0)
    return { files: [], why: 'an error was heard by nobody, which no second look explains' };
  if (run.files.length === 0) return { files: [], why: 'no file failed' };
  if (run.files.length > filesMax)
    return {
      files: [],
      why: `${run.files.length} files failed, and ${filesMax} at most get a second look`,
    };
  const first = run.files.find((file) => strict.test(file));
  if (first !== undefined)
    return {
      files: [],
      why: `${first} looks for what happens rarely, so its first failure counts`,
    };
  return { files: run.files, why: '' };
}
