export * from './authorization.ts';
export * from './calls.ts';
export * from './errors.ts';
export * from './setup.ts';
export * from './state.ts';
