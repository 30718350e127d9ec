import { z } from 'zod';
import { freePorts, isPortFree } from './free-port';
import { readJsonIfThere, writeWhole } from './whole-file';

const portsSchema = z.record(z.string(), z.number().int().min(1).max(65_535));

export type PortName = 'postgres' | 'temporal' | 'temporalUi' | 'temporalHttp' | 'temporalMetrics' | 'api';

/** Where a server's ports come from. */
export interface PortSource {
  /** To begin with. */
  first(): Promise<readonly number[]>;
  /** Instead of ports that turned out to be taken. */
  others(): Promise<readonly number[]>;
}

function read(file: string): Record<string, number> {
  const parsed = portsSchema.safeParse(readJsonIfThere(file));
  return parsed.success ? parsed.data : {};
}

/** Read again at each writing: the database and Temporal choose theirs at the same time. */
function remember(file: string, names: readonly PortName[], ports: readonly number[]): void {
  const entries = names.map((name, index) => [name, ports[index] ?? 0] as const);
  writeWhole(file, JSON.stringify({ ...read(file), ...Object.fromEntries(entries) }), 0o644);
}

/**
 * Free ports for a home: those of its last stack where nobody has them now, so that a link that was printed then leads
 * somewhere again; other free ones otherwise. What was chosen is written down.
 */
export function rememberedPorts(file: string, names: readonly PortName[]): PortSource {
  return {
    async first() {
      const last = read(file);
      const fresh = await freePorts(names.length);
      const ports = await Promise.all(
        names.map(async (name, index) => {
          const port = last[name];
          return port !== undefined && (await isPortFree(port)) ? port : (fresh[index] ?? 0);
        }),
      );
      remember(file, names, ports);
      return ports;
    },
    async others() {
      const ports = await freePorts(names.length);
      remember(file, names, ports);
      return ports;
    },
  };
}

/** Any free ports, for a server that nobody comes back to. */
export function anyPorts(count: number): PortSource {
  return { first: () => freePorts(count), others: () => freePorts(count) };
}
