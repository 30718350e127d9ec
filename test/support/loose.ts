/** A body or answer that a test reads or breaks without its type. */
export type Loose = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any -- fixtures are broken on purpose

/** The list under a key. */
export function listIn(value: Loose, key: string): Loose[] {
  return value[key] as Loose[];
}
