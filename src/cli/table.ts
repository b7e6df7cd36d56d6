import type { TableDesign } from '../layout/design.js'
import { cdk } from '../table/cdk.js'
import { cliCommands, cliScript } from '../table/cli.js'
import { cloudFormation } from '../table/cloudformation.js'
import { findings } from '../table/findings.js'
import type { ProductionOptions } from '../table/production.js'
import { terraform } from '../table/terraform.js'
import { Failure } from './failure.js'
import type { SchemaOptions } from './options.js'
import { print, printJson } from './output.js'
import { loadGraph } from './schema-file.js'

interface TableOptions extends SchemaOptions {
  readonly format: 'cloudformation' | 'cdk' | 'terraform' | 'cli'
  readonly table?: string
  readonly region?: string
  readonly account?: string
  readonly requiredProviders?: boolean
  readonly recovery: boolean
  readonly protection: boolean
  readonly alarms: boolean
  readonly autoscaling: boolean
}

/** What is written: text, and for a program the same as data where it has such a form. */
interface Written {
  readonly text: string
  readonly data: unknown
}

/** Prints the table of a schema in the form of a tool that makes it. */
export async function tableCommand(file: string, options: TableOptions): Promise<void> {
  const { layout } = await loadGraph(file, options)
  const refused = findings(layout.design).find(finding => finding.refused)
  if (refused) throw new Failure(`${refused.says} (${refused.code})`)
  const { text, data } = WRITERS[options.format](layout.design, options)
  if (options.json) printJson(data)
  else print(text.trimEnd())
}

const WRITERS: Readonly<Record<TableOptions['format'], (design: TableDesign, options: TableOptions) => Written>> = {
  cloudformation(design, options) {
    const data = cloudFormation(design, productionOf(options))
    return { data, text: JSON.stringify(data, null, 2) }
  },
  cdk: (design, options) => ofText(cdk(design, productionOf(options))),
  terraform: (design, options) => {
    const { requiredProviders = false } = options
    return ofText(terraform(design, { ...productionOf(options), requiredProviders }))
  },
  cli(design, options) {
    const { region = process.env.AWS_REGION, account } = options
    if (region === undefined || account === undefined)
      throw new Failure(
        `the policies that --format cli writes name the table by its ARN: give ${region ? '' : '--region and '}--account`,
      )
    const made = { ...productionOf(options), region, account }
    return { data: cliCommands(design, made), text: cliScript(design, made) }
  },
}

const ofText = (text: string): Written => ({ text, data: { text } })

function productionOf({ table, recovery, protection, alarms, autoscaling }: TableOptions): ProductionOptions {
  return {
    ...(table !== undefined && { table }),
    recovery,
    deletionProtection: protection,
    ...(!alarms && { alarms: false }),
    ...(!autoscaling && { autoscaling: false }),
  }
}
