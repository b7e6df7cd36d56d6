import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { dynamodbLocal } from './dynamodb-local.js'
import { dynoxide } from './dynoxide.js'

const START_TIMEOUT_MS = 60_000
const POLL_MS = 200

const WITNESSES = { 'dynamodb-local': dynamodbLocal, dynoxide }

/**
 * Runs a command while other implementations of DynamoDB are running, and returns its exit code. The environment contains
 * their addresses. If a tool that a witness needs is missing, nothing runs, which is a failure only in CI.
 */
export async function runBeside(names, command, given) {
  const witnesses = names.map(name => {
    if (!Object.hasOwn(WITNESSES, name))
      throw new Error(`no witness is called ${name}: give ${Object.keys(WITNESSES).join(' or ')}`)
    return WITNESSES[name]
  })
  for (const { name, missing } of witnesses) {
    const tools = missing()
    if (tools.length === 0) continue
    console.error(`${name} needs ${tools.join(' and ')}, which are not there: nothing was run`)
    return process.env.CI ? 1 : 0
  }
  const servers = []
  const stop = () => {
    for (const server of servers) server.kill('SIGKILL')
  }
  process.on('exit', stop)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))
  const env = { ...process.env }
  for (const witness of witnesses) env[witness.variable] = await started(witness, servers)
  const run = spawn(command, given, { env, stdio: 'inherit' })
  const status = await new Promise((resolve, reject) => {
    run.on('error', reject)
    run.on('exit', code => resolve(code ?? 1))
  })
  stop()
  return status
}

/** Starts a witness and returns its address. */
async function started({ name, fetch, command }, servers) {
  fetch()
  const port = await freePort()
  const { file, words, folder } = command(port)
  const server = spawn(file, words, { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] })
  servers.push(server)
  const url = `http://127.0.0.1:${port}`
  await answering(name, url, server)
  return url
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

/** Waits for any response. Even a rejected request without a signature shows that the server runs. */
async function answering(name, url, server) {
  const untilMs = Date.now() + START_TIMEOUT_MS
  for (;;) {
    if (server.exitCode !== null) throw new Error(`${name} ended with ${server.exitCode} before it answered`)
    if (await fetch(url).catch(() => undefined)) return
    if (Date.now() > untilMs) throw new Error(`${name} does not answer`)
    await new Promise(resolve => setTimeout(resolve, POLL_MS))
  }
}
