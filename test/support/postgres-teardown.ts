import { postgres } from './services';

/** End of the jest project `postgres`. */
export default async function tearDown(): Promise<void> {
  await postgres.leave();
}
