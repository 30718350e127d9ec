import { Client } from 'pg';

export interface HeldRow {
  letGo(): Promise<void>;
}

/** A second connection that holds the state of a context, as another round or a report does. */
export async function holdRow(url: string, contextId: string | number): Promise<HeldRow> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM ai.context_ai_state WHERE context_id = $1 FOR UPDATE', [contextId]);
  return {
    letGo: async () => {
      await client.query('ROLLBACK');
      await client.end();
    },
  };
}
