import { expect, it } from 'vitest';
import { choiceOf } from './linked-variants.ts';

it.each([
  ['without lid', ['With lid', 'Without lid'], { kind: 'one', index: 1 }],
  ['boots with no zip in brown', ['Black', 'Brown'], { kind: 'one', index: 1 }],
  ['a bota no tamanho 40 na cor marrom', ['preto', 'marrom'], { kind: 'one', index: 1 }],
  ['not brown', ['Black', 'Brown'], { kind: 'unclear' }],
  ['not brown but black', ['Black', 'Brown'], { kind: 'one', index: 0 }],
  ['no zip', ['Black', 'Brown'], { kind: 'none' }],
  ['not red', ['Red (no stock)', 'Blue'], { kind: 'unclear' }],
  ['blue, not red', ['Red (no stock)', 'Blue'], { kind: 'one', index: 1 }],
  ['not red please', ['Red', 'Blue', 'No colour'], { kind: 'unclear' }],
  ['red', ['Red – not in stock', 'Blue'], { kind: 'one', index: 0 }],
  ['gift wrap, no box', ['Yes', 'No'], { kind: 'unclear' }],
  ['gift wrap yes, subscription no', ['Yes', 'No'], { kind: 'several', indexes: [0, 1] }],
  ['emballage oui, abonnement non', ['Oui', 'Non'], { kind: 'several', indexes: [0, 1] }],
  ['Brötchen mit Ei und Käse', ['Ei', 'Käse'], { kind: 'several', indexes: [0, 1] }],
  ['mug without a lid', ['With lid', 'Without lid'], { kind: 'one', index: 1 }],
  ['mug without box', ['With lid', 'Without lid'], { kind: 'unclear' }],
  ['mug without lid', ['Mug (with lid)', 'Mug (without lid)'], { kind: 'one', index: 1 }],
  ['gift wrap, not insurance', ['Insurance', 'No insurance'], { kind: 'unclear' }],
  ['gift wrap, no insurance', ['Insurance', 'No insurance'], { kind: 'one', index: 1 }],
  ['with lid or without lid', ['With lid', 'Without lid'], { kind: 'several', indexes: [0, 1] }],
])('“%s” of the pages %s is %o', (request, titles, choice) => {
  const options = titles.map((title) => ({ title, disabled: false }));
  expect(choiceOf({ label: '', options }, request)).toEqual(choice);
});

it('what is sold out of several that are named is the one that is wished', () => {
  const options = ['Red', 'Blue', 'Green'].map((title) => ({ title, disabled: title !== 'Green' }));
  expect(choiceOf({ label: '', options }, 'blue, not red')).toEqual({ kind: 'gone', index: 1 });
});
