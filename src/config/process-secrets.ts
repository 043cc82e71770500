import { type SecretHolder, type Setting, type SettingName, settings } from './settings.ts';

export type { SecretHolder } from './settings.ts';

const secretsOf = (holder: SecretHolder): readonly SettingName[] =>
  settings.flatMap((setting: Setting) =>
    setting.secret?.includes(holder) ? [setting.name as SettingName] : [],
  );

/** The secrets that a process may know. It refuses to start with any other one. */
export const processSecrets: Readonly<Record<SecretHolder, readonly SettingName[]>> = {
  api: secretsOf('api'),
  worker: secretsOf('worker'),
  migrate: secretsOf('migrate'),
  purser: secretsOf('purser'),
  vault: secretsOf('vault'),
  runner: secretsOf('runner'),
};

const holders = Object.keys(processSecrets) as SecretHolder[];

/** Whether a secret is on the list of a process. */
export function mayKnow(process: SecretHolder, name: SettingName): boolean {
  return processSecrets[process].includes(name);
}

/** Every secret but those on its list. */
export function foreignSecrets(process: SecretHolder): readonly SettingName[] {
  return settings.flatMap((setting: Setting) =>
    setting.secret && !setting.secret.includes(process) ? [setting.name as SettingName] : [],
  );
}

/** The processes that may know a secret, as a sentence names them. */
export function holdersOf(name: SettingName): string {
  return new Intl.ListFormat('en').format(holders.filter((process) => mayKnow(process, name)));
}
