import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { GraphError } from '../../schema/error.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import type { SparkPlan } from './plan.js'
import { programPath } from './program-file.js'

/** How a plan runs on the Spark of this machine. */
export interface RunSparkOptions {
  /** The folder of the results; by default a new temporary folder. */
  readonly output?: string | undefined
  /** The number of threads; by default one per core. */
  readonly threads?: number | undefined
  /** The memory of Spark, such as `'4GB'`; by default 1 GB. */
  readonly memory?: string | undefined
  readonly signal?: AbortSignalLike | undefined
}

const INSTALL = "install Java 17 and run 'pip install pyspark', or set SPARK_HOME"
/** The most characters of the output of Spark that an error shows. */
const SHOWN_CHARACTERS = 600
const KEPT_CHARACTERS = 20_000

/**
 * Runs a plan with the `spark-submit` or the PySpark of this machine. Resolves to the folder of the results, for
 * `openSparkResults`.
 *
 * @throws {batch.spark} if Spark is not installed, or failed.
 * @throws {batch.source} if a file of the export is missing or damaged.
 *
 * @example
 * ```ts
 * import { edge, graph, node, string, summary } from 'edgewise'
 * import { openSparkResults, pageRank, runJob, runSpark, sparkPlan } from 'edgewise/batch'
 *
 * const user = node('user', { id: string(), rank: summary() }, { id: 'id' })
 * const follow = edge('follow', { follower: user, followed: user })
 * const social = graph('social', [user, follow])
 * const ranking = pageRank({ edge: 'follow', node: 'user', into: 'rank' })
 * export async function rank(g: Parameters<typeof runJob>[0]) {
 *   const folder = await runSpark(sparkPlan(social, { from: './export', jobs: [ranking] }))
 *   await runJob(g, openSparkResults(social, folder), ranking)
 * }
 * ```
 */
export async function runSpark(plan: SparkPlan, options: RunSparkOptions = {}): Promise<string> {
  const { threads, memory, signal } = options
  const command = findSpark(process.env)
  const output = resolve(options.output ?? join(mkdtempSync(join(tmpdir(), 'edgewise-spark-')), 'results'))
  mkdirSync(output, { recursive: true })
  const planPath = join(output, 'plan.json')
  writeFileSync(planPath, JSON.stringify({ ...plan, source: plan.source.map(absolute) }))
  const program = [programPath(), '--plan', planPath, '--output', output]
  const submit = [
    '--master',
    `local[${threads ?? '*'}]`,
    '--conf',
    'spark.ui.enabled=false',
    ...(memory === undefined ? [] : ['--driver-memory', memory.replace(/B$/i, '')]),
  ]
  signal?.throwIfAborted()
  const failure = await runProgram(command, submit, program, signal)
  signal?.throwIfAborted()
  if (failure !== undefined) throw failure
  return output
}

/** A path of this machine from its root; an address as it is. */
const absolute = (path: string) => (/^[a-z][a-z0-9+.-]*:\/\//i.test(path) ? path : resolve(path))

/** A program that runs Spark: `spark-submit`, or Python with PySpark. */
interface SparkCommand {
  readonly file: string
  readonly isPython: boolean
}

/** The Spark of this machine. */
export function findSpark(environment: Readonly<Record<string, string | undefined>>): SparkCommand {
  const { SPARK_HOME, PATH = '' } = environment
  const folders = [...(SPARK_HOME ? [join(SPARK_HOME, 'bin')] : []), ...PATH.split(delimiter)]
  const submit = folders.map(folder => join(folder, 'spark-submit')).find(path => existsSync(path))
  if (submit !== undefined) return { file: submit, isPython: false }
  const hasPySpark =
    spawnSync('python3', ['-c', 'import pyspark'], { env: environment as NodeJS.ProcessEnv }).status === 0
  if (hasPySpark) return { file: 'python3', isPython: true }
  throw new GraphError('batch.spark', `Spark: it is not installed; ${INSTALL}.`)
}

/** Resolves to the error of a run; to undefined if it succeeded. */
function runProgram(
  { file, isPython }: SparkCommand,
  submit: readonly string[],
  program: readonly string[],
  signal: AbortSignalLike | undefined,
): Promise<GraphError | undefined> {
  // PySpark takes the options of spark-submit from this variable when Python starts it.
  const PYSPARK_SUBMIT_ARGS = [...submit.map(quoteWord), 'pyspark-shell'].join(' ')
  const child = spawn(file, isPython ? program : [...submit, ...program], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...(isPython && { PYSPARK_SUBMIT_ARGS }) },
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-KEPT_CHARACTERS)
  })
  const stop = () => void child.kill('SIGTERM')
  signal?.addEventListener('abort', stop)
  return new Promise(settle => {
    child.once('error', error =>
      settle(new GraphError('batch.spark', `Spark: it cannot start (${error.message}); ${INSTALL}.`)),
    )
    child.once('close', status => {
      signal?.removeEventListener('abort', stop)
      settle(status === 0 ? undefined : failureOf(errors))
    })
  })
}

const quoteWord = (word: string) => (/^[\w@%+=:,./[\]*-]+$/.test(word) ? word : `'${word}'`)

/** The error that a program printed in a line of its own, or else the end of the output of Spark. */
function failureOf(errors: string): GraphError {
  const [, code, message] = /^edgewise (batch\.(?:source|job|spark)): (.*)$/m.exec(errors) ?? []
  if (code !== undefined) return new GraphError(code as 'batch.spark', message!)
  if (/JAVA_HOME is not set|JAVA_GATEWAY_EXITED|java: not found|UnsupportedClassVersionError/.test(errors))
    return new GraphError('batch.spark', `Spark: it cannot start without Java 17; ${INSTALL}.`)
  const lines = errors.split('\n').filter(line => line.trim() !== '' && !/^\s+at |WARN/.test(line))
  return new GraphError(
    'batch.spark',
    `Spark: the run failed (${lines.join('\n').slice(-SHOWN_CHARACTERS)}); correct the cause and run it again.`,
  )
}
