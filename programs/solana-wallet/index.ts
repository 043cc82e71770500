export * from './addresses.ts';
export * from './instructions.ts';
export * from './p256.ts';
export * from './setup.ts';
