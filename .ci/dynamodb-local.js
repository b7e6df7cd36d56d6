// Runs a command beside DynamoDB Local: `node .ci/dynamodb-local.js COMMAND…`, which finds its address in DYNAMODB_LOCAL.
// Java 17 and Maven must be there; DynamoDB Local itself is fetched once, by its coordinates, into node_modules/.cache.
// Where they are missing nothing is run, which is a failure only in CI.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const VERSION = '3.3.1'
/** Of the AWS SDK for Java. Newer versions of some of what DynamoDB Local asks for are not in Maven's repository. */
const SDK_VERSION = '2.41.0'
const START_TIMEOUT_MS = 60_000
const POLL_MS = 200

const cache = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url))
const home = `${cache}dynamodb-local-${VERSION}`

const [command, ...given] = process.argv.slice(2)
if (command === undefined) throw new Error('give a command to run beside DynamoDB Local')

const missing = ['java', 'mvn'].filter(tool => spawnSync(tool, ['-version']).status !== 0)
if (missing.length > 0) {
  console.error(`DynamoDB Local needs ${missing.join(' and ')}, which are not there: nothing was run`)
  process.exitCode = process.env.CI ? 1 : 0
} else {
  if (!existsSync(home)) fetchInto(home)
  process.exitCode = await runBeside(command, given)
}

/** Appears under its name only when it is whole. */
function fetchInto(place) {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(`${place}-`)
  writeFileSync(`${folder}/pom.xml`, project())
  const goal = ['--batch-mode', '--quiet', 'dependency:copy-dependencies', `-DoutputDirectory=${folder}/lib`]
  const { status } = spawnSync('mvn', goal, { cwd: folder, stdio: 'inherit' })
  if (status === 0 && !existsSync(place)) renameSync(folder, place)
  rmSync(folder, { recursive: true, force: true })
  if (status !== 0) throw new Error('Maven could not fetch DynamoDB Local')
}

function project() {
  const artifact = (group, name, version, more = '') =>
    `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version>${more}</dependency>`
  const versions = artifact('software.amazon.awssdk', 'bom', SDK_VERSION, '<type>pom</type><scope>import</scope>')
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>edgewise</groupId><artifactId>dynamodb-local</artifactId><version>1</version>
  <dependencyManagement><dependencies>${versions}</dependencies></dependencyManagement>
  <dependencies>${artifact('software.amazon.dynamodb', 'DynamoDBLocal', VERSION)}</dependencies>
</project>
`
}

/** Answers the command's exit code. */
async function runBeside(command, given) {
  const port = await freePort()
  const main = 'software.amazon.dynamodb.services.local.main.ServerRunner'
  const java = ['-Djava.library.path=lib', '-cp', 'lib/*', main, '-inMemory', '-disableTelemetry', '-port', `${port}`]
  const server = spawn('java', java, { cwd: home, stdio: ['ignore', 'ignore', 'ignore'] })
  const stop = () => server.kill('SIGKILL')
  process.on('exit', stop)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))
  const url = `http://127.0.0.1:${port}`
  await answering(url, server)
  const env = { ...process.env, DYNAMODB_LOCAL: url }
  const run = spawn(command, given, { env, stdio: 'inherit' })
  const status = await new Promise((resolve, reject) => {
    run.on('error', reject)
    run.on('exit', code => resolve(code ?? 1))
  })
  stop()
  return status
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}

/** Any answer will do: it refuses a request without a signature. */
async function answering(url, server) {
  const untilMs = Date.now() + START_TIMEOUT_MS
  for (;;) {
    if (server.exitCode !== null) throw new Error(`DynamoDB Local ended with ${server.exitCode} before it answered`)
    if (await fetch(url).catch(() => undefined)) return
    if (Date.now() > untilMs) throw new Error('DynamoDB Local does not answer')
    await new Promise(resolve => setTimeout(resolve, POLL_MS))
  }
}
