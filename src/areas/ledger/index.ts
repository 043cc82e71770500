export { decodeCursor, encodeCursor } from './cursor.ts';
