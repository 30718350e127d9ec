import type { AddressInfo } from 'node:net';
import { readConfig, type Config } from '../config';
import { AppError } from '../domain/errors';
import { createLogger } from '../observability/logger';
import { createReporter } from './reporter';
import { createAiService } from './server';

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/** The AI service as a process (`npm run ai-service`): listens until SIGTERM or SIGINT. Throws config.invalid. */
export async function runAiService({ aiService, logLevel }: Config): Promise<void> {
  const { host, port, secret, reportUrl, reportToken } = aiService;
  if (reportUrl === undefined)
    throw new AppError(
      'config.invalid',
      'The AI service needs AI_SERVICE_REPORT_URL: the address of the API that it reports to.',
    );
  if (secret === undefined && !LOOPBACK.has(host))
    throw new AppError('config.invalid', `AI_SERVICE_HOST=${host} is open to others: set AI_SECRET.`);
  const log = createLogger({ level: logLevel, role: 'ai-service' });
  const server = createAiService({
    secret,
    log,
    reporter: createReporter({ url: reportUrl, token: reportToken, log }),
  });
  await server.listen({ host, port });
  const bound = server.server.address() as AddressInfo;
  log.info({ host: bound.address, port: bound.port, reportUrl }, 'the AI service listens');
  const stop = (signal: NodeJS.Signals) => {
    log.info({ signal }, 'the AI service ends');
    void server.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

if (require.main === module)
  runAiService(readConfig()).catch((error: unknown) => {
    process.stderr.write(
      `${error instanceof AppError ? `error ${error.code}: ${error.message}\nnext: ${error.next}` : String(error instanceof Error ? error.stack : error)}\n`,
    );
    process.exit(1);
  });
