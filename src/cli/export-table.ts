import type { TableDesign } from '../layout/design.js'
import { cliCommands, cliScript } from '../table/export/aws-cli/commands.js'
import { cdk } from '../table/export/cdk/construct.js'
import { cloudFormation } from '../table/export/cloudformation/template.js'
import { terraform } from '../table/export/terraform/module.js'
import { findings } from '../table/findings/findings.js'
import type { ProductionOptions } from '../table/production/production.js'
import { CommandFailure, UsageFailure } from './command-failure.js'
import type { S3Folder } from './commands/table.js'
import { loadGraph } from './graph-file/load-graph.js'
import type { SchemaOptions } from './options.js'
import { print, printJson } from './terminal/output.js'

interface TableOptions extends SchemaOptions {
  readonly format: 'cloudformation' | 'cdk' | 'terraform' | 'cli'
  readonly table?: string
  readonly region?: string
  readonly account?: string
  readonly function?: string
  readonly role?: string
  readonly batch?: S3Folder
  readonly schedule?: string
  readonly exportSchedule?: string
  readonly timezone?: string
  readonly release?: string
  readonly tag?: Readonly<Record<string, string>>
  readonly alarmAction?: readonly string[]
  readonly encryption?: string
  readonly requiredProviders?: boolean
  readonly recovery: boolean
  readonly protection: boolean
  readonly alarms: boolean
  readonly autoscaling: boolean
}

/** The output: text, and data with the same content for programs if the format has one. */
interface ExportedTable {
  readonly text: string
  readonly data: unknown
}

/** Prints the table of a schema in the format of a deployment tool. */
export async function tableCommand(file: string, options: TableOptions): Promise<void> {
  const { layout } = await loadGraph(file, options)
  const rejection = findings(layout.design).find(finding => finding.rejected)
  if (rejection) {
    const reason = rejection.message.replace(/\.$/, '')
    throw new CommandFailure(`${file}: DynamoDB rejects this table (${rejection.code}: ${reason}); correct the schema.`)
  }
  assertCompatibleOptions(layout.design, options)
  const { text, data } = WRITERS[options.format](layout.design, options)
  if (options.json) printJson(data)
  else print(text.trimEnd())
}

const WRITERS: Readonly<Record<TableOptions['format'], (design: TableDesign, options: TableOptions) => ExportedTable>> =
  {
    cloudformation(design, options) {
      const data = cloudFormation(design, toProductionOptions(options))
      return { data, text: JSON.stringify(data, null, 2) }
    },
    cdk: (design, options) => toExportedText(cdk(design, toProductionOptions(options))),
    terraform: (design, options) => {
      const { requiredProviders = false } = options
      return toExportedText(terraform(design, { ...toProductionOptions(options), requiredProviders }))
    },
    cli(design, options) {
      const { region = process.env.AWS_REGION, account } = options
      if (region === undefined || account === undefined)
        throw new CommandFailure(
          `--format cli: the commands need the ARN of the table; add ${region ? '' : '--region and '}--account.`,
        )
      const commandOptions = { ...toProductionOptions(options), region, account }
      return { data: cliCommands(design, commandOptions), text: cliScript(design, commandOptions) }
    },
  }

const toExportedText = (text: string): ExportedTable => ({ text, data: { text } })

function toProductionOptions(options: TableOptions): ProductionOptions {
  const { table, recovery, protection, tag, encryption, alarms, alarmAction, autoscaling, batch } = options
  return {
    ...(table !== undefined && { table }),
    recovery,
    deletionProtection: protection,
    ...(tag && { tags: tag }),
    ...(encryption !== undefined && { encryption: toEncryption(encryption) }),
    ...(options.function !== undefined && { consumer: { function: options.function, role: options.role } }),
    ...(batch && { batch: toBatchOptions(batch, options) }),
    ...(alarmAction && { alarms: { actionArns: alarmAction } }),
    ...(!alarms && { alarms: false }),
    ...(!autoscaling && { autoscaling: false }),
  }
}

function toBatchOptions(folder: S3Folder, options: TableOptions): NonNullable<ProductionOptions['batch']> {
  const { schedule, exportSchedule, timezone, release } = options
  return {
    ...folder,
    schedule,
    exportSchedule: exportSchedule === 'none' ? false : exportSchedule,
    ...{ timezone, release },
  }
}

function toEncryption(text: string): ProductionOptions['encryption'] {
  return text === 'aws-owned' || text === 'aws-managed' ? text : { keyArn: text }
}

/** The options of the batch, by the names of their flags. */
const BATCH_FLAGS = {
  schedule: '--schedule',
  exportSchedule: '--export-schedule',
  timezone: '--timezone',
  release: '--release',
} as const

function assertBatchOptions(options: TableOptions): void {
  const names = Object.keys(BATCH_FLAGS) as (keyof typeof BATCH_FLAGS)[]
  const name = options.batch === undefined && names.find(each => options[each] !== undefined)
  if (name) throw new UsageFailure(`${BATCH_FLAGS[name]}: the option is only for a batch; add --batch.`)
  if (options.batch && options.format === 'cli')
    throw new UsageFailure(
      '--batch: AWS CLI commands cannot create a batch; use --format cloudformation, cdk or terraform.',
    )
}

/** Rejects options that would have no effect. */
function assertCompatibleOptions({ stream }: TableDesign, options: TableOptions): void {
  assertBatchOptions(options)
  const { role, alarms, alarmAction, requiredProviders, format } = options
  if (role !== undefined && options.function === undefined)
    throw new UsageFailure('--role: the option is only for a function; add --function.')
  if (!alarms && alarmAction)
    throw new UsageFailure('--alarm-action: the option has no effect with --no-alarms; remove one of the two options.')
  if (requiredProviders && format !== 'terraform')
    throw new UsageFailure('--required-providers: the option is only for Terraform; add --format terraform.')
  if (options.function !== undefined && stream === 'none')
    throw new CommandFailure(
      "--function: the table has no stream for the function; derive data with by: 'stream', or set stream: 'both' in layout().",
    )
}
