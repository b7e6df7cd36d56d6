import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type SparkPlan, VALIDATION } from './plan.js'
import { programPath } from './program-file.js'

/**
 * Writes a folder that runs a plan on EMR Serverless, EMR or AWS Glue: the PySpark program, the plan, and a README with
 * the commands. Returns the names of the files.
 *
 * @example
 * ```ts
 * import { edge, graph, node, string, summary } from 'edgewise'
 * import { packageSpark, pageRank, sparkPlan } from 'edgewise/batch'
 *
 * const user = node('user', { id: string(), rank: summary() }, { id: 'id' })
 * const follow = edge('follow', { follower: user, followed: user })
 * const social = graph('social', [user, follow])
 * const ranking = pageRank({ edge: 'follow', node: 'user', into: 'rank' })
 * const plan = sparkPlan(social, { jobs: [ranking] })
 * export const writeJob = () => packageSpark(plan, './job')
 * ```
 */
export function packageSpark(plan: SparkPlan, folder: string): string[] {
  mkdirSync(folder, { recursive: true })
  const program = basename(programPath())
  copyFileSync(programPath(), join(folder, program))
  writeFileSync(join(folder, 'plan.json'), `${JSON.stringify(plan, null, 2)}\n`)
  writeFileSync(join(folder, 'README.md'), readme(plan))
  return [program, 'plan.json', 'README.md']
}

const JOB = 's3://BUCKET/job'
const RESULTS = 's3://BUCKET/results'

function readme({ jobs, source }: SparkPlan): string {
  const names = jobs.map(({ name }) => (name === VALIDATION ? 'a validation' : `\`${name}\``)).join(', ')
  const from = source.length > 0 ? source : ['s3://BUCKET/AWSDynamoDB/EXPORT']
  const options = ['--plan', `${JOB}/plan.json`, '--output', RESULTS, ...from.flatMap(path => ['--from', path])]
  const driver = { sparkSubmit: { entryPoint: `${JOB}/edgewise_batch.py`, entryPointArguments: options } }
  const step = ['--deploy-mode', 'cluster', `${JOB}/edgewise_batch.py`, ...options]
  return `# Batch job on Spark
This folder computes ${names} over an export of DynamoDB. It needs Spark 4.0 or later, and Python with nothing but PySpark.

| file | content |
|-|-|
| \`edgewise_batch.py\` | the program: reads the export, runs the plan, writes the results |
| \`plan.json\` | the plan: SQL and iterations |

Replace the names in capitals: BUCKET, EXPORT, APPLICATION, ROLE, CLUSTER, VERSION. The role reads the export and this folder, and it reads, writes and deletes objects below the results.

With \`--latest FOLDER\` in place of \`--from\`, the program reads the newest complete full export below FOLDER, the S3 prefix of the exports of one table.

\`\`\`sh
aws s3 cp --recursive . ${JOB}
\`\`\`

## EMR Serverless
\`\`\`sh
aws emr-serverless start-job-run --application-id APPLICATION --execution-role-arn ROLE \\
  --job-driver '${JSON.stringify(driver)}'
\`\`\`

## EMR
\`\`\`sh
aws emr add-steps --cluster-id CLUSTER \\
  --steps '${JSON.stringify([{ Type: 'Spark', Name: 'edgewise', ActionOnFailure: 'CONTINUE', Args: step }])}'
\`\`\`

## AWS Glue
Use a version of Glue that has Spark 4. An argument occurs once, so give several exports separated by commas.

\`\`\`sh
aws glue create-job --name edgewise --role ROLE --glue-version VERSION --worker-type G.1X --number-of-workers 10 \\
  --command '${JSON.stringify({ Name: 'glueetl', ScriptLocation: `${JOB}/edgewise_batch.py`, PythonVersion: '3' })}'
aws glue start-job-run --job-name edgewise \\
  --arguments '${JSON.stringify({ '--plan': `${JOB}/plan.json`, '--output': RESULTS, '--from': from.join(',') })}'
\`\`\`

## Results
A complete run ends with \`results.json\`. Bring the results back. The first of the last two commands writes the summaries of a job that changed. The second lists what a validation found:

\`\`\`sh
aws s3 sync --delete ${RESULTS} ./results
npx edgewise batch graph.ts JOB --results ./results --write-units 100
npx edgewise verify graph.ts --results ./results --findings found.jsonl
\`\`\`
`
}
