/** A sanctions list as it was at a moment. */
export interface ListVersion {
  /** Name of the list, e.g. of its file. */
  readonly list: string;
  /** Its own date or version; of a list that says none, when its file was written. */
  readonly version: string;
  /** SHA-256 of the list, hexadecimal. */
  readonly digest: string;
}

export interface ScreeningHit {
  /** The address as it was asked for. */
  readonly address: string;
  readonly list: string;
  readonly listVersion: string;
  readonly digest: string;
  /** Where in the list it stands, to be looked up by people. */
  readonly entry: string;
}

export type ScreeningResult =
  /**
   * `off`: nothing was compared, since this instance has no list. Everything passes, and the stored
   * decision says so.
   */
  | { readonly status: 'clear'; readonly lists: readonly ListVersion[]; readonly off?: true }
  | {
      readonly status: 'blocked';
      readonly hit: ScreeningHit;
      readonly lists: readonly ListVersion[];
    };

/** A list in use, and what is wrong with the file that should have replaced it. */
export interface ListStatus extends Partial<ListVersion> {
  readonly list: string;
  readonly entryCount: number;
  /** Present while a newer or missing file could not be read. */
  readonly alarm?: string;
}

/** Says whether addresses are on a sanctions list. */
export interface ScreeningProvider {
  /**
   * The first of the addresses that is listed, or that none is. An address stands for all chains
   * that use its form: who is listed with one on Ethereum is listed with it on Base. At most 1,000
   * addresses.
   * @throws ScreeningError when nothing can be said: do not pay out then
   */
  screen(input: {
    readonly addresses: readonly string[];
    readonly chain: string;
  }): Promise<ScreeningResult>;
  /** For readiness and metrics. */
  status(): readonly ListStatus[];
}

/** No list can be read. */
export class ScreeningError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ScreeningError';
  }
}

export const screenedAddressesMax = 1_000;

/**
 * The form in which addresses are compared: hexadecimal ones say nothing by their case, others do.
 */
export function comparableAddress(address: string): string {
  return /^0x[0-9a-f]+$/i.test(address) ? address.toLowerCase() : address;
}

/** @throws Error when there are too many: the caller's own bound was lost */
export function checkAddressCount(addresses: readonly string[]): void {
  if (addresses.length > screenedAddressesMax)
    throw new Error(
      `${addresses.length} addresses are screened at once; the most is ${screenedAddressesMax}.`,
    );
}
