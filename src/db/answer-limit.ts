import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient } from 'pg';

/** The server ends a statement that takes longer. Nothing that we ask takes a tenth of it: rows are waited for at most 5 s. */
const STATEMENT_LIMIT_MS = 55_000;
/** Without an answer for so long, the server's own included, the network has swallowed it. */
const ANSWER_LIMIT_MS = 60_000;

export const WITH_LIMITS = { statement_timeout: STATEMENT_LIMIT_MS, query_timeout: ANSWER_LIMIT_MS };
/** For migrating, which waits for other migrations, and may rewrite a large table. */
export const WITHOUT_LIMITS = { statement_timeout: 0, query_timeout: 0 };

/** pg's words for a `query_timeout`; it gives no code. */
const NO_ANSWER = 'Query read timeout';

/**
 * The pool as Kysely takes it: a connection whose statement had no answer in time is closed when it is given back. pg leaves it
 * busy with that statement, so that whoever got it next would wait behind it, for nothing.
 */
export function closingUnanswered(pool: Pool): PostgresPool {
  return {
    connect: async () => closedIfUnanswered(await pool.connect()),
    end: () => pool.end(),
  };
}

/** After one statement without an answer the others fail at once, with the same error: the rollback of a transaction is one. */
function closedIfUnanswered(client: PoolClient): PostgresPoolClient {
  let unanswered: Error | null = null;
  const query = async (sql: string, parameters: readonly unknown[]): Promise<unknown> => {
    if (unanswered) throw unanswered;
    try {
      return await client.query(sql, [...parameters]);
    } catch (error) {
      if (error instanceof Error && error.message === NO_ANSWER) unanswered = error;
      throw error;
    }
  };
  return {
    // Kysely's other form reads with a cursor, and needs one in its dialect: there is none.
    query: query as PostgresPoolClient['query'],
    release: (destroy = false) => client.release(destroy || unanswered !== null),
  };
}
