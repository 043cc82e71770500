import {
  listen as listenTo,
  webhooksCommand,
  webhooksUsage,
} from '../../../areas/webhooks/index.ts';
import { CommandError, parseCommand, readCommas } from '../../../lib/command.ts';
import { quietLog } from '../../lifecycle.ts';
import type { Command } from '../command.ts';
import { untilInterrupted } from '../interrupt.ts';

export const webhooks: Command = {
  usage: webhooksUsage,
  async run(call) {
    const { ctx, input } = await call.open();
    await webhooksCommand({ ...ctx, log: quietLog }, input);
  },
};

export const listen: Command = {
  usage: `purser listen --to http://localhost:4000/hooks
                                    pass the webhooks of a local instance on to a receiver, and print them, until Ctrl-C
Options: [--events a,b] [--project <id>]`,
  async run(call) {
    const { values } = parseCommand(call.argv, { texts: ['to', 'events', 'project'] });
    if (values.to === undefined)
      throw new CommandError('Say where to: purser listen --to http://localhost:4000/hooks.');
    const { ctx, input } = await call.open();
    const projectId = await input.projectOf(values.project);
    const { to } = values;
    await untilInterrupted((signal) =>
      listenTo(
        { ...ctx, log: quietLog },
        { projectId, to, events: readCommas(values.events), print: call.print, signal },
      ),
    );
  },
};
