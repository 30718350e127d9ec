import { z } from 'zod';
import { freePorts, isPortFree } from './free-port';
import { readJsonIfThere, writeWhole } from './whole-file';

const portsSchema = z.record(z.string(), z.number().int().min(1).max(65_535));

type PortName = 'postgres' | 'temporal' | 'temporalUi' | 'api';

function read(file: string): Record<string, number> {
  const parsed = portsSchema.safeParse(readJsonIfThere(file));
  return parsed.success ? parsed.data : {};
}

/**
 * Free ports for a home: those of its last stack where nobody has them now, so that a link that was printed then leads
 * somewhere again; other free ones otherwise. What was chosen is written down.
 */
export async function rememberedPorts(file: string, names: readonly PortName[]): Promise<readonly number[]> {
  const last = read(file);
  const fresh = await freePorts(names.length);
  const chosen = await Promise.all(
    names.map(async (name, index) => {
      const port = last[name];
      return port !== undefined && (await isPortFree(port)) ? port : (fresh[index] ?? 0);
    }),
  );
  // Read again: the database and Temporal choose theirs at the same time.
  const entries = names.map((name, index) => [name, chosen[index] ?? 0] as const);
  writeWhole(file, JSON.stringify({ ...read(file), ...Object.fromEntries(entries) }), 0o644);
  return chosen;
}
