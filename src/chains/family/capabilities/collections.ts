import type { JsonObject } from '../../../lib/json/json.ts';

/** What the sale of collectibles asks of a family. */

export const collectionStandards = ['erc721', 'erc1155'] as const;
export type CollectionStandard = (typeof collectionStandards)[number];

/** New items of a collection for one recipient. */
export interface MintIntent {
  readonly chain: string;
  readonly address: string;
  readonly standard: CollectionStandard;
  /** A signature, e.g. `mintTo(address to)`: see {@link Collections.mintParams}. */
  readonly mintFunction: string;
  /** Of an edition. */
  readonly tokenId?: string;
  readonly quantity: bigint;
  readonly recipientAddress: string;
  /** Arguments by name that the service does not know itself. */
  readonly callData?: JsonObject;
}

export interface Collections {
  /**
   * What kind of collection a contract says that it is; undefined: none.
   * @throws chain-not-supported, upstream-error
   */
  readStandard(chain: string, address: string): Promise<CollectionStandard | undefined>;
  /** The usual mint functions of a standard, the most usual first. */
  mintFunctions(standard: CollectionStandard): readonly string[];
  /** Items that one order may have: each is a call of its own where the function mints one. */
  mintedMax(mintFunction: string): number;
  /**
   * `params` of the transaction that mints. The first address of the function is the recipient;
   * `id` or `tokenId`, `amount` or `quantity` and `data` are filled in; every other argument is
   * looked up by its name in the call data.
   * @throws validation-error the function cannot be read, or an argument is missing or of another
   * type
   */
  mintParams(intent: MintIntent): JsonObject;
  /**
   * `params` of the transaction in which a collection for tests and development is deployed, and
   * where it will stand.
   */
  testCollection(input: {
    readonly chain: string;
    readonly standard: CollectionStandard;
    readonly owner: string;
  }): {
    readonly address: string;
    readonly params: JsonObject;
  };
}
