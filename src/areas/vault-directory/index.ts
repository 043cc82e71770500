export { personsPushMs, tellPersons } from './persons.ts';
export { createDirectoryPusher, type DirectoryPusher, directoryPushMs } from './push.ts';
