import { startPostgres, startTemporal } from './services';

/** Set-up of the jest project `temporal`: its tests need both servers. */
export default async function setUp(): Promise<void> {
  await startPostgres();
  await startTemporal();
}
