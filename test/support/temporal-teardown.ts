import { stopPostgres, stopTemporal } from './services';

/** End of the jest project `temporal`. */
export default async function tearDown(): Promise<void> {
  await stopTemporal();
  await stopPostgres();
}
