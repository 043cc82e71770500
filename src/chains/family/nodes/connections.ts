import { ServiceError } from '../../../lib/errors.ts';
import type { Logger } from '../../../lib/log/log.ts';
import type { Network } from '../capabilities/networks.ts';

/** The nodes of a family with one network. */
export interface Connections<OneNetwork extends Network, Connection> {
  readonly network: OneNetwork;
  /** Whether this instance has a node. */
  readonly isUsable: boolean;
  /** @throws chain-not-supported */
  requireNetwork(chain: string): OneNetwork;
  /**
   * The verified node; its first use asks for its network.
   * @throws chain-not-supported, upstream-error, provider-unavailable
   */
  connect(chain: string): Promise<Connection>;
  /**
   * The second, independent node; undefined where none is configured.
   * @throws as {@link connect}
   */
  connectSecond(chain: string): Promise<Connection | undefined>;
  close(): void;
}

export interface ConnectionsInput<OneNetwork extends Network, Connection> {
  readonly network: OneNetwork;
  /** The family's name as people write it. */
  readonly label: string;
  readonly first: NodeSetting;
  readonly second: NodeSetting;
  /**
   * Opens a node and asks which network it serves.
   * @throws upstream-error naming the setting when it is another one
   */
  open(url: string, setting: string): Promise<Connection & { close(): void }>;
  /**
   * Awaited once per process when the first node was verified; a failure is one of the connection.
   */
  readonly onFirstUse: (chain: string) => Promise<void>;
  readonly log: Logger;
}

interface NodeSetting {
  readonly setting: string;
  readonly url: string | undefined;
}

/** Opens no connection before it is used; a node that failed is tried again at its next use. */
export function openConnections<OneNetwork extends Network, Connection>({
  network,
  label,
  first: { url, setting },
  second,
  ...input
}: ConnectionsInput<OneNetwork, Connection>): Connections<OneNetwork, Connection> {
  const opened: { close(): void }[] = [];
  const open = async (node: NodeSetting) => {
    const connection = await input.open(node.url!, node.setting);
    opened.push(connection);
    return connection;
  };
  const first = lazily(async () => {
    const connection = await open({ url, setting });
    await input.onFirstUse(network.name);
    input.log.info({ chain: network.name }, 'node verified');
    return connection;
  });
  const other = lazily(() => open(second));

  function requireNetwork(chain: string): OneNetwork {
    if (chain !== network.name)
      throw new ServiceError('chain-not-supported', {
        message: `The chain "${chain.slice(0, 64)}" is not a ${label} chain known here. Available: ${network.name}.`,
      });
    if (url === undefined)
      throw new ServiceError('chain-not-supported', {
        message: `The chain "${network.name}" has no node on this instance: its operator sets ${setting}.`,
      });
    return network;
  }

  return {
    network,
    isUsable: url !== undefined,
    requireNetwork,
    async connect(chain) {
      requireNetwork(chain);
      return first();
    },
    async connectSecond(chain) {
      requireNetwork(chain);
      return second.url === undefined ? undefined : other();
    },
    close() {
      for (const connection of opened) connection.close();
    },
  };
}

/** Made at its first use, once; a failure is forgotten. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
