import { expect, it } from 'vitest';
import { choiceOf } from './linked-variants.ts';

it.each([
  ['without lid', ['With lid', 'Without lid'], { kind: 'one', index: 1 }],
  ['boots with no zip in brown', ['Black', 'Brown'], { kind: 'one', index: 1 }],
  ['a bota no tamanho 40 na cor marrom', ['preto', 'marrom'], { kind: 'one', index: 1 }],
  ['not brown', ['Black', 'Brown'], { kind: 'unclear' }],
  ['not brown but black', ['Black', 'Brown'], { kind: 'one', index: 0 }],
  ['no zip', ['Black', 'Brown'], { kind: 'none' }],
])('“%s” of the pages %s is %o', (request, titles, choice) => {
  const options = titles.map((title) => ({ title, disabled: false }));
  expect(choiceOf({ label: '', options }, request)).toEqual(choice);
});
