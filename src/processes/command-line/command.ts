import type { DevelopmentKey, ProjectsCtx } from '../../areas/projects/index.ts';
import type { Config } from '../../config/config.ts';
import type { MovableClock } from '../../lib/clock.ts';
import type { Print } from '../../lib/command.ts';
import type { LocalInstance } from './place.ts';

/**
 * What `purser <name> …` says of itself and does. Modules of commands are loaded when they are
 * called.
 */
export interface Command {
  readonly usage: string;
  /**
   * @returns the exit code; nothing is 0
   * @throws CommandError, ServiceError, ConfigError with a sentence for whoever typed it
   */
  run(call: CommandCall): Promise<number | void>;
}

/** One command line. What it works on is opened when a command asks for it. */
export interface CommandCall {
  /** The words behind the name of the command. */
  readonly argv: readonly string[];
  readonly print: Print;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What `--data` says. */
  readonly dataDir?: string;
  /**
   * The instance that the command works on, with a store that is closed when the command is done.
   */
  open(): Promise<Opened>;
}

export interface Opened {
  readonly ctx: ProjectsCtx;
  readonly config: Config;
  readonly clock: MovableClock;
  /** Signs user tokens of the local instance. */
  readonly userJwtKey?: DevelopmentKey;
  /** Absent: the environment names the database. */
  readonly local?: LocalInstance;
  /** As the commands of areas take it. @throws CommandError when the project has to be named */
  readonly input: {
    readonly argv: readonly string[];
    readonly print: Print;
    projectOf(named: string | undefined): Promise<string>;
  };
}
