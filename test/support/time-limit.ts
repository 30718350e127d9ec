/** A limit against hanging for ever, wide enough for a busy machine; no test measures itself by it. */
jest.setTimeout(240_000);

/**
 * Real outages and deaths of several processes on a machine that may be busy with other work: such a test is tried again, and what
 * it said the first time stands in the log. Tests without such processes are never tried again.
 */
if (/[\\/]test[\\/](crash|doors)[\\/]/.test(expect.getState().testPath ?? ''))
  jest.retryTimes(2, { logErrorsBeforeRetry: true });
