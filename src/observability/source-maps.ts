import { isMainThread } from 'node:worker_threads';

/**
 * To be imported first: stacks of what is loaded after it name lines of TypeScript. Of the main thread only: the flag
 * --enable-source-maps holds for the SDK's workflow threads, too, where each activity that a workflow schedules takes a stack, and
 * mapping the first of these makes the first workflow task of a start a quarter of a second longer (docs/takeover.md).
 */
if (isMainThread) process.setSourceMapsEnabled(true);
