/**
 * Tags of tests. `npm test` leaves slow ones out; `npm run test:all`, CI and `npx vitest run
 * <file>` do not (docs/decisions/0071).
 */
export const tags = [
  {
    name: 'slow',
    description: 'takes seconds, and a cheaper test in `npm test` stands for its rule',
  },
];
