import { Client, Connection, type ConnectionOptions } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { AppError } from '../domain/errors';
import { retryInterceptors } from './calls-after-close';

export interface TemporalConnection {
  readonly client: Client;
  readonly address: string;
  readonly namespace: string;
  /** TLS, API key and headers, for a worker's own connection. */
  readonly options: Pick<ConnectionOptions, 'tls' | 'metadata'> & { readonly apiKey: string | undefined };
  close(): Promise<void>;
}

const DEFAULT_NAMESPACE = 'default';

type Profile = Pick<ReturnType<typeof loadClientConnectConfig>, 'connectionOptions' | 'namespace'>;

interface ConnectHow {
  /** Connects when it is first used, and again after an outage, so that nothing is thrown here. */
  readonly lazy?: boolean;
  /**
   * The embedded server: it has no TLS, key, headers or other namespace, whatever the user's shell or `temporal.toml` has for
   * another one.
   */
  readonly plain?: boolean;
}

/**
 * The namespace that a connection would have, where there is none: for links only. Null where a broken `temporal.toml` does not
 * tell: who only reads needs no Temporal, and says so by the first connection.
 */
export function temporalNamespace({ plain = false }: Pick<ConnectHow, 'plain'>): string | null {
  try {
    return profileOf(plain).namespace ?? DEFAULT_NAMESPACE;
  } catch {
    return null;
  }
}

function profileOf(plain: boolean): Profile {
  return plain ? { connectionOptions: {} } : loadClientConnectConfig();
}

/**
 * Connects to Temporal: namespace, TLS and API key by the conventions of @temporalio/envconfig; `address` outweighs its own
 * (spec 50 "Production"). Throws temporal.unavailable after 5 s without an answer.
 */
export async function connectTemporal(
  address: string | undefined,
  { lazy = false, plain = false }: ConnectHow = {},
): Promise<TemporalConnection> {
  const profile = profileOf(plain);
  const target = address ?? profile.connectionOptions.address ?? 'localhost:7233';
  const namespace = profile.namespace ?? DEFAULT_NAMESPACE;
  try {
    const options: ConnectionOptions = {
      ...profile.connectionOptions,
      address: target,
      connectTimeout: '5s',
      interceptors: retryInterceptors(),
    };
    const connection = lazy ? Connection.lazy(options) : await Connection.connect(options);
    const { tls, apiKey, metadata } = profile.connectionOptions;
    return {
      client: new Client({ connection, namespace }),
      address: target,
      namespace,
      options: { tls, metadata, apiKey: typeof apiKey === 'string' ? apiKey : undefined },
      close: () => connection.close(),
    };
  } catch (error) {
    throw new AppError(
      'temporal.unavailable',
      `Temporal does not answer at ${target}: ${error instanceof Error ? error.message : String(error)}.`,
      undefined,
      {
        cause: error,
      },
    );
  }
}
