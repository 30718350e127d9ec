import '../observability/source-maps';
import { readConfig } from '../config';
import { AppError } from '../domain/errors';
import { runApi } from './run-api';

/** Entry: the API as a process of its own, of the embedded stack or of `callsheet api`. */
if (require.main === module)
  runApi(readConfig()).then(
    (exitCode) => process.exit(exitCode),
    (error: unknown) => {
      const text =
        error instanceof AppError
          ? `error ${error.code}: ${error.message}\nnext: ${error.next}`
          : String(error instanceof Error ? error.stack : error);
      process.stderr.write(`${text}\n`);
      process.exit(1);
    },
  );
