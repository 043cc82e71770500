import { families } from '../../src/chains/families.ts';
import type { FamilyCommand } from '../../src/chains/family/facts.ts';
import type { Command } from './command.ts';

/** Every family has these under the same names; the words of the command line say which one is meant. */
function familyCommand(name: string): Command {
  const served = families.flatMap(({ code, linking }) => {
    const command = code?.commands[name];
    return command ? [{ command, linking }] : [];
  });
  const pick = (argv: readonly string[]): readonly FamilyCommand[] => {
    const named = served.filter(({ linking }) => argv.some((word) => linking.findChain(word, 'development') !== undefined));
    return (named.length > 0 ? named : served).map(({ command }) => command);
  };
  return {
    usage: served.map(({ command }) => command.usage).join('\n'),
    async run(call) {
      const { ctx, config, input } = await call.open();
      for (const command of pick(call.argv)) await (await command.load())({ config, store: ctx.store }, input);
    },
  };
}

export const chains: Command = familyCommand('chains');
export const gas: Command = familyCommand('gas');
