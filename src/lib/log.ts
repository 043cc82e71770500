import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

/** Structured logs: one JSON object per line. Secrets have their own type and print as `[secret]`. */
export function createLogger(options: { level: string; process: string }, destination?: DestinationStream): Logger {
  const settings = {
    level: options.level,
    base: { process: options.process },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: ['*.apiKey', '*.authorization', '*["x-api-key"]', '*.privateKey', '*.clientSecret'],
  };
  return destination ? pino(settings, destination) : pino(settings);
}
