import type { Reporter, TestModule } from 'vitest/node';

/** A test that was not run. */
export interface Skipped {
  readonly name: string;
  /** Why. */
  readonly note: string | undefined;
}

/** Says at the end of a run why tests were skipped: Vitest's own summary has their number alone. */
export class SkippedRunReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap(({ children }) =>
      [...children.allTests('skipped')].map((test): Skipped => {
        const result = test.result();
        return {
          name: test.fullName,
          note: result.state === 'skipped' ? result.note : undefined,
        };
      }),
    );
    for (const line of linesOfSkipped(skipped)) console.log(line);
  }
}

/** One line for each reason; tests that `-t` leaves out have none. */
export function linesOfSkipped(skipped: readonly Skipped[]): string[] {
  const byNote = new Map<string, string[]>();
  for (const { name, note } of skipped)
    if (note !== undefined) byNote.set(note, [...(byNote.get(note) ?? []), name]);
  return [...byNote].map(
    ([note, [first, ...others]]) =>
      `Skipped, ${note}: ${first}${others.length > 0 ? ` and ${others.length} more` : ''}`,
  );
}
