import { sql } from 'kysely';
import type { Db } from '../../src/db/pool';

export interface SchemaDescription {
  readonly migrations: readonly string[];
  /** Table → column → its type, whether it may be null, its default. */
  readonly tables: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly constraints: readonly string[];
  readonly indexes: readonly string[];
  readonly functions: readonly string[];
  readonly triggers: readonly string[];
}

interface ColumnRow {
  table_name: string;
  column_name: string;
  type: string;
  is_nullable: string;
  default: string | null;
  generated: string | null;
}

async function texts(db: Db, query: ReturnType<typeof sql<{ text: string }>>): Promise<string[]> {
  return (await query.execute(db)).rows.map((row) => row.text);
}

/** What other tools can see of the schema, in an order that does not depend on the server's locale. */
export async function describeSchema(db: Db): Promise<SchemaDescription> {
  const columns = await sql<ColumnRow>`
    SELECT CASE c.table_schema WHEN 'public' THEN '' ELSE c.table_schema || '.' END || c.table_name AS table_name, c.column_name, c.data_type AS type, c.is_nullable, c.column_default AS "default",
           c.identity_generation AS generated
    FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema IN ('public', 'core', 'ai') AND t.table_type = 'BASE TABLE' AND c.table_name NOT LIKE 'callsheet_migration%'
    ORDER BY c.table_schema = 'public' DESC, c.table_schema, c.table_name COLLATE "C", c.ordinal_position`.execute(db);
  const tables: Record<string, Record<string, string>> = {};
  for (const row of columns.rows) {
    const parts = [row.type, row.is_nullable === 'NO' ? 'not null' : 'nullable'];
    if (row.default !== null) parts.push(`default ${row.default}`);
    if (row.generated !== null) parts.push(`identity ${row.generated}`);
    (tables[row.table_name] ??= {})[row.column_name] = parts.join(', ');
  }
  return {
    migrations: await texts(db, sql`SELECT name AS text FROM callsheet_migration ORDER BY name COLLATE "C"`),
    tables,
    constraints: await texts(
      db,
      sql`SELECT conrelid::regclass || ': ' || pg_get_constraintdef(oid) AS text FROM pg_constraint
          WHERE connamespace::regnamespace::text IN ('public', 'core', 'ai') AND contype <> 'n' AND conrelid::regclass::text NOT LIKE 'callsheet_migration%'
          ORDER BY (conrelid::regclass || ': ' || pg_get_constraintdef(oid)) COLLATE "C"`,
    ),
    indexes: await texts(
      db,
      sql`SELECT indexdef AS text FROM pg_indexes
          WHERE schemaname IN ('public', 'core', 'ai') AND tablename NOT LIKE 'callsheet_migration%' ORDER BY indexdef COLLATE "C"`,
    ),
    functions: await texts(
      db,
      sql`SELECT pg_get_function_identity_arguments(p.oid) || ' ' || p.proname || ': ' || pg_get_function_result(p.oid) AS text
          FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace ORDER BY p.proname COLLATE "C"`,
    ),
    triggers: await texts(
      db,
      sql`SELECT pg_get_triggerdef(oid) AS text FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgname COLLATE "C"`,
    ),
  };
}
