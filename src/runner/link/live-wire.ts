import { z } from 'zod';

/**
 * What goes over the WebSocket of a live picture: from the watcher's page through the API to the
 * runner, and back. Pictures are binary, everything else JSON text. Both ends read what comes
 * through these schemas.
 */

const liveKeys = [
  'Enter',
  'Tab',
  'Shift+Tab',
  'Backspace',
  'Delete',
  'Escape',
  'Home',
  'End',
  'PageUp',
  'PageDown',
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  'Space',
] as const;
export type LiveKey = (typeof liveKeys)[number];

const textCharactersMax = 200;
const wheelMax = 2_000;
const positionMax = 10_000;
const position = z.number().min(0).lt(positionMax);
const delta = z.number().min(-wheelMax).max(wheelMax);

/** What a user does in the live picture; positions in CSS pixels of the page's viewport. */
export const liveInputSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('mouse'),
    type: z.enum(['move', 'down', 'up']),
    x: position,
    y: position,
  }),
  z.strictObject({ kind: z.literal('wheel'), deltaX: delta, deltaY: delta }),
  z.strictObject({ kind: z.literal('key'), key: z.enum(liveKeys) }),
  z.strictObject({ kind: z.literal('text'), text: z.string().min(1).max(textCharactersMax) }),
]);
export type LiveInput = z.output<typeof liveInputSchema>;

/** From a watcher. `seen`: it has drawn a picture and can take another one. */
export const liveRequestSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('seen') }),
  ...liveInputSchema.options,
]);
export type LiveRequest = z.output<typeof liveRequestSchema>;
/** Inputs of one watcher; what comes faster is dropped. */
export const inputsPerSecondMax = 120;
/** A message of a watcher is no longer than this. */
export const liveRequestBytesMax = 2_048;

/**
 * From the runner, at the start and whenever it changes. `ended`: the run is over or has moved to
 * another runner.
 */
export const liveStatusSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('screen'),
    /** Of the page's viewport, in CSS pixels: what positions of inputs refer to. */
    width: z.number().int().positive(),
    height: z.number().int().positive(),
    isInputPermitted: z.boolean(),
  }),
  z.object({ kind: z.literal('ended') }),
]);
export type LiveStatus = z.output<typeof liveStatusSchema>;

/** First byte of a picture; a JPEG follows. */
export const pictureFlags = { shown: 0, masked: 1 } as const;
/** A picture is no larger than this. */
export const pictureBytesMax = 2 * 1_024 * 1_024;
/** Pictures on their way to a watcher that it has not confirmed with `seen`. */
export const picturesUnseenMax = 2;
