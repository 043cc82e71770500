/** What the process of the tests is told, as JSON in the file that `planVariable` names. */
export interface Plan {
  /** By name of a test file, the numbers of the mutants that it is asked about. */
  readonly asked: Readonly<Record<string, readonly number[]>>;
  /** One line per mutant that a test noticed: `Noticed` as JSON. */
  readonly results: string;
  /** Whether tests that take longer than `slowMs` are asked, or the others. */
  readonly slow: boolean;
  /** Milliseconds since 1970: no test starts later. */
  readonly until: number;
}

export interface Noticed {
  readonly number: number;
  readonly by: string;
}

export const planVariable = 'PURSER_MUTANTS';
