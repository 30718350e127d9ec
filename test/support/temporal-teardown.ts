import { postgres, temporal } from './services';

/** End of the jest project `temporal`. */
export default async function tearDown(): Promise<void> {
  await Promise.all([temporal.leave(), postgres.leave()]);
}
