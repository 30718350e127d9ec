import { postgres, temporal } from './services';

/** Set-up of the jest project `temporal`: its tests need both servers. */
export default async function setUp(): Promise<void> {
  await Promise.all([postgres.use(), temporal.use()]);
}
