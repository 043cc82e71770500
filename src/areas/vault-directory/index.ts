export { personsPushMs, publishPersons } from './persons.ts';
export { createDirectoryPusher, type DirectoryPusher, directoryPushMs } from './push.ts';
