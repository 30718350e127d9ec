import type { KyselyPlugin, PluginTransformQueryArgs, PluginTransformResultArgs, QueryId } from 'kysely';

/** Holds up one reading process between two of its queries: the answer to the first that reads one of these tables waits. */
export class QueryGate implements KyselyPlugin {
  readonly reached: Promise<void>;
  open: () => void = () => undefined;
  private arrive: () => void = () => undefined;
  private readonly opened: Promise<void>;
  private readonly reading = new WeakSet<QueryId>();
  private passed = false;

  constructor(
    private readonly tables: readonly string[],
    private readonly isArmed: () => boolean,
  ) {
    this.reached = new Promise((resolve) => (this.arrive = resolve));
    this.opened = new Promise((resolve) => (this.open = resolve));
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs) {
    const text = node.kind === 'SelectQueryNode' ? JSON.stringify(node) : '';
    if (this.tables.some((table) => text.includes(`"name":"${table}"`))) this.reading.add(queryId);
    return node;
  }

  async transformResult({ queryId, result }: PluginTransformResultArgs) {
    if (this.reading.has(queryId) && !this.passed && this.isArmed()) {
      this.passed = true;
      this.arrive();
      await this.opened;
    }
    return result;
  }
}
