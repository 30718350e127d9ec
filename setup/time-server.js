'use strict';
/**
 * Finds a Temporal test server that skips time: the one that TEST_TIME_SERVER names, the one in the cache, the SDK's own download,
 * or the Java one from Maven behind a small wrapper.
 */
const childProcess = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const VERSION = '1.31.0';
const DOWNLOAD_MS = 60_000;

function cacheFolder() {
  const cache =
    process.env.CALLSHEET_CACHE ??
    path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'callsheet');
  return path.resolve(cache, 'time-server', VERSION);
}

function run(command, args, options) {
  const { status, error, stdout, stderr } = childProcess.spawnSync(command, args, { encoding: 'utf8', ...options });
  if (error || status !== 0)
    throw new Error(
      `${command}: ${error?.message ?? (stderr || stdout || `exit ${status}`).trim().split('\n').slice(-3).join(' ')}`,
    );
}

/** Has the SDK download its server, in a process that may be given up. */
function trySdkDownload() {
  const program =
    "require('@temporalio/testing').TestWorkflowEnvironment.createTimeSkipping().then((one) => one.teardown()).then(() => process.exit(0), (error) => { console.error(error.message); process.exit(1); })";
  run(process.execPath, ['-e', program], { cwd: path.resolve(__dirname, '..'), timeout: DOWNLOAD_MS });
}

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>callsheet</groupId>
  <artifactId>time-server</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>temporal-test-server</artifactId>
      <version>${VERSION}</version>
    </dependency>
  </dependencies>
</project>
`;

/** Fetches the jars beside the cache, and puts the folder in place when it is whole. Answers the wrapper. */
function fetchWithMaven(folder) {
  run('java', ['-version'], {});
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  const making = fs.mkdtempSync(`${folder}.new-`);
  try {
    fs.writeFileSync(path.join(making, 'pom.xml'), pom);
    run('mvn', ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=jars'], { cwd: making });
    const wrapper = '#!/bin/sh\nexec java -cp "$(dirname "$0")/jars/*" io.temporal.testserver.TestServer "$@"\n';
    fs.writeFileSync(path.join(making, 'time-server'), wrapper, { mode: 0o755 });
    try {
      fs.renameSync(making, folder);
    } catch (error) {
      if (!fs.existsSync(path.join(folder, 'time-server'))) throw error; // else another run was faster
    }
  } finally {
    fs.rmSync(making, { recursive: true, force: true });
  }
  return path.join(folder, 'time-server');
}

/** The server's program; undefined: the SDK has its own. Says what failed; throws where nothing worked. */
function findTimeServer(say) {
  const given = process.env.TEST_TIME_SERVER;
  if (given) return given;
  const folder = cacheFolder();
  const cached = path.join(folder, 'time-server');
  if (fs.existsSync(cached)) return cached;
  const failures = [];
  for (const [name, attempt] of [
    ["the SDK's download", () => trySdkDownload()],
    ['Maven', () => fetchWithMaven(folder)],
  ]) {
    try {
      say(`Getting the time-skipping server: ${name} …`);
      return attempt();
    } catch (error) {
      failures.push(`${name}: ${error.message}`);
      say(failures.at(-1));
    }
  }
  throw new Error(
    `No time-skipping server: name one with TEST_TIME_SERVER, or install Java and Maven.\n${failures.join('\n')}`,
  );
}

module.exports = { findTimeServer };
