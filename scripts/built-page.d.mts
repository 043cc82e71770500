import type { UserConfig } from 'vite';

export function builtPage(input: { readonly folder: string; readonly base: string }): UserConfig;
