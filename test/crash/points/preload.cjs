'use strict';
/*
 * Loaded into a worker before anything else (node --require): finds the points at which the process can be killed, and kills it
 * at one of them. Nothing here knows a line of the product: every statement that writes, every change of a file, every request
 * to a provider and every call to Temporal is seen where it leaves the process, and named by the line of ours that made it.
 *
 * CALLSHEET_CRASH_POINTS is JSON: `record`: a file that gets one line for each new point; `killAt`: the name of the point at
 * which the process sends itself SIGKILL, the first time it comes by; `killLike`: a pattern instead of a name.
 */
const { isMainThread, workerData } = require('node:worker_threads');
const { watchBuying, watchProviders } = require('./modules.cjs');
const { watchFiles } = require('./files.cjs');
const { watchHttp } = require('./http.cjs');
const { watchStatements } = require('./statements.cjs');
const { watchTemporal } = require('./temporal.cjs');

// Points are named by lines of TypeScript; the worker maps its main thread's only. The SDK's threads have no points.
if (!isMainThread && workerData?.databaseUrl) process.setSourceMapsEnabled(true);

watchFiles();
watchStatements();
watchHttp();
watchTemporal();
watchBuying();
watchProviders();
