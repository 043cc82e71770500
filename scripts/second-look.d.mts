/** What `test/harness/failed-run.ts` wrote of a run. */
export interface FailedRun {
  readonly reason: 'passed' | 'failed' | 'interrupted';
  /** Test files that failed, relative to the root, with `/`. */
  readonly files: readonly string[];
  /** Errors and rejections outside of every test. */
  readonly unhandledErrors: number;
}

export interface SecondLook {
  /** Empty when there is none. */
  readonly files: readonly string[];
  /** Why there is none. */
  readonly why: string;
}

export function chooseSecondLook(run: FailedRun | undefined): SecondLook;
