import { postgres } from './services';

/** Set-up of the jest project `postgres`. */
export default async function setUp(): Promise<void> {
  await postgres.use();
}
