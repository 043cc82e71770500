import type { PlannerConfig } from '../../config/runner/read-planner.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { fingerprint } from '../engine/act.ts';
import { takePicture } from '../engine/page/picture.ts';
import type { Snapshot } from '../engine/page/snapshot.ts';
import { bareUrl, checkAlive, hiddenInputs, type Run, readPage } from '../engine/run.ts';
import { readConfirmation } from '../engine/steps/outcome/confirmation.ts';
import { stopFor, withTotal } from '../engine/steps/product/unpermitted.ts';
import type { Helped, Planner, StuckGoal } from '../engine/stuck.ts';
import { hideLongNumbers, type Scrubber } from '../scrub.ts';
import { runSteps } from '../types.ts';
import { type Action, valueNames } from './actions.ts';
import { createModel, type PlannerModel } from './model.ts';
import { type Seen, viewPage } from './page-view.ts';
import { perform } from './perform.ts';
import { systemPrompt, userPrompt } from './prompt.ts';
import { hideBuyer, spellingsOf } from './values.ts';

/** Questions in a row while the page stays as it is. */
const roundsMax = 3;
/** Faults of the endpoint in a row, after which it is not asked again in this run. */
const faultsMax = 3;
/** Waiting for the model, all calls of a run together. */
const waitMsMax = 3 * 60_000;
const historyMax = 12;

/** The planner of one run: it remembers over all browsers of the run how often it has asked. */
export function createPlanner(
  config: PlannerConfig,
  scrubber: Scrubber,
  model: PlannerModel = createModel(config),
): Planner {
  return new RunPlanner(config, scrubber, model);
}

interface Acted {
  readonly snapshot: Snapshot;
  readonly isChanged: boolean;
  readonly isDone: boolean;
  readonly hasGivenUp: boolean;
}

class RunPlanner implements Planner {
  readonly #config: PlannerConfig;
  readonly #scrubber: Scrubber;
  readonly #model: PlannerModel;
  readonly #history: string[] = [];
  #calls = 0;
  #faults = 0;
  #waitedMs = 0;
  /** The goal for which something on the page has changed. */
  #movedFor = '';

  constructor(config: PlannerConfig, scrubber: Scrubber, model: PlannerModel) {
    this.#config = config;
    this.#scrubber = scrubber;
    this.#model = model;
  }

  async help(
    run: Run,
    stuck: { readonly goal: StuckGoal; readonly snapshot: Snapshot },
  ): Promise<Helped | undefined> {
    let { snapshot } = stuck;
    for (let round = 0; round < roundsMax && this.#mayAsk(); round += 1) {
      const hide = this.#hideFor(run);
      const seen = viewPage(snapshot, this.#calls + 1, hide);
      const actions = await this.#ask(run, stuck.goal, { seen, hide });
      if (actions === undefined) continue;
      const acted = await this.#act(run, stuck.goal, { seen, hide, actions });
      if (acted.hasGivenUp) return undefined;
      if (acted.isChanged || acted.isDone)
        return { snapshot: acted.snapshot, isDone: acted.isDone };
      snapshot = acted.snapshot;
    }
    return undefined;
  }

  #mayAsk(): boolean {
    return (
      this.#calls < this.#config.callsMax && this.#faults < faultsMax && this.#waitedMs < waitMsMax
    );
  }

  #hideFor(run: Run): (text: string) => string {
    const withoutBuyer = hideBuyer(run);
    // Normal first: a wide quotation mark must not become one that ends a JSON text.
    return (text) => withoutBuyer(hideLongNumbers(this.#scrubber.text(text.normalize('NFKC'))));
  }

  async #ask(
    run: Run,
    goal: StuckGoal,
    { seen, hide }: { readonly seen: Seen; readonly hide: (text: string) => string },
  ): Promise<readonly Action[] | undefined> {
    this.#calls += 1;
    await this.#record(
      run,
      `was asked (call ${this.#calls} of ${this.#config.callsMax}): ${goal.kind}`,
      hide,
    );
    const [field] = seen.snapshot.fields;
    const values = valueNames.filter(
      (name) => field !== undefined && spellingsOf(run, name, field).length > 0,
    );
    const request = hide(run.task.request ?? '').slice(0, 1_000);
    const history = this.#history.slice(-historyMax);
    const user = userPrompt({
      goal:
        goal.kind === 'choose-option'
          ? { ...goal, group: hide(goal.group), option: hide(goal.option) }
          : goal,
      request,
      quantity: run.state.quantity,
      values,
      history,
      page: seen.view,
    });
    const from = performance.now();
    // Once more over the whole: what is harmless in two pieces may be a card number in one.
    const answer = await this.#model.ask({
      system: systemPrompt,
      user: this.#scrubber.text(user),
      signal: run.signal,
    });
    this.#waitedMs += performance.now() - from;
    checkAlive(run);
    if ('actions' in answer) {
      this.#faults = 0;
      return answer.actions;
    }
    this.#faults += 1;
    await this.#record(run, `gave no answer: ${answer.fault}`, hide);
    return undefined;
  }

  /**
   * Action by action; after the first that is refused, or another page, the rest of the plan is
   * void.
   */
  async #act(
    run: Run,
    goal: StuckGoal,
    {
      seen,
      hide,
      actions,
    }: {
      readonly seen: Seen;
      readonly hide: (text: string) => string;
      readonly actions: readonly Action[];
    },
  ): Promise<Acted> {
    const before = fingerprint(seen.snapshot);
    const changes = run.watch.changes;
    const key = JSON.stringify(goal);
    let snapshot = seen.snapshot;
    let isDone = false;
    const hasMoved = () => {
      if (fingerprint(snapshot) !== before || run.watch.changes > changes) this.#movedFor = key;
      return this.#movedFor === key;
    };
    for (const action of actions) {
      if (action.do === 'give-up') {
        await this.#record(run, `gave up: ${action.reason}`, hide);
        return { snapshot, isChanged: false, isDone: false, hasGivenUp: true };
      }
      if (action.do === 'done') {
        isDone = hasMoved();
        await this.#record(
          run,
          isDone ? 'says it is done' : 'says it is done, but nothing has changed',
          hide,
        );
        break;
      }
      const performed = await perform(run, seen, action, goal);
      const became = performed.state === 'done' ? 'done' : `refused: ${performed.why}`;
      // Without the page's words: what the model is told of its past is ours alone.
      this.#history.push(
        `call ${this.#calls}, ${action.do}${'ref' in action ? ` ${action.ref}` : ''}: ${became}`,
      );
      await this.#record(
        run,
        performed.state === 'done'
          ? performed.title
          : `refused: ${performed.title} (${performed.why})`,
        hide,
      );
      if (performed.state === 'refused') break;
      snapshot = await readPage(run);
      refuseOrdered(run, snapshot, seen.snapshot);
      hasMoved();
      if (bareUrl(snapshot.url) !== bareUrl(seen.snapshot.url)) {
        isDone = actions.at(-1)?.do === 'done' && actions.indexOf(action) === actions.length - 2;
        break;
      }
    }
    const isChanged = fingerprint(snapshot) !== before || run.watch.changes > changes;
    if (isChanged) await this.#show(run);
    return { snapshot, isChanged, isDone, hasGivenUp: false };
  }

  /**
   * A line of the step log, beside the step that was reached last.
   * @throws RunLostError, RunCancelledError
   */
  async #record(run: Run, text: string, hide: (text: string) => string): Promise<void> {
    const said = hide(text).slice(0, 300);
    const detail: JsonObject = { planner: said };
    run.log.info(detail, 'The planner helps.');
    const step = runSteps[run.state.reached]!;
    await run.ports.record({
      step,
      at: run.now().toISOString(),
      url: bareUrl(run.page.url()),
      detail,
    });
  }

  async #show(run: Run): Promise<void> {
    const jpeg = await takePicture(run.page, hiddenInputs(run));
    if (jpeg !== undefined) await run.ports.picture({ step: runSteps[run.state.reached]!, jpeg });
  }
}

/**
 * No rule has seen it coming, but the shop has an order now: the run goes no step further.
 * @throws RunStop
 */
function refuseOrdered(run: Run, snapshot: Snapshot, before: Snapshot): void {
  const confirmation = readConfirmation(snapshot, before.url);
  if (confirmation !== undefined && readConfirmation(before, before.url) === undefined)
    stopFor(run, withTotal(run, snapshot, confirmation));
}
