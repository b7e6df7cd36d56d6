import { type Command, InvalidArgumentError, Option } from 'commander'
import { addSchemaOptions } from '../options.js'

export function register(program: Command): void {
  addSchemaOptions(program.command('table'))
    .description('Export the table of a schema to CloudFormation, CDK, Terraform or the AWS CLI.')
    .summary('export the table to CloudFormation, CDK, Terraform, AWS CLI')
    .addOption(
      new Option('--format <format>', 'output format')
        .choices(['cloudformation', 'cdk', 'terraform', 'cli'])
        .default('cloudformation'),
    )
    .option('--table <name>', 'table name (default: the name of the graph)')
    .option('--function <name>', 'name or ARN of the Lambda function that consumes the stream')
    .option('--role <name>', 'role of that function, to attach its policy to')
    .option('--batch <url>', 'S3 folder of a nightly batch on EMR Serverless, as s3://bucket/prefix', parseFolderUrl)
    .option('--schedule <expression>', 'start of the batch (default: every night at 03:00)')
    .option('--export-schedule <expression>', 'start of its export, or none (default: every night at 01:00)')
    .option('--timezone <name>', 'time zone of both schedules (default: UTC)')
    .option('--release <label>', 'EMR release of the batch (default: emr-spark-8.0.0)')
    .option('--tag <name=value>', 'tag of the table and of the batch; repeatable', parseTag)
    .option('--alarm-action <arn>', 'topic that alarms notify; repeatable', appendValue)
    .option('--encryption <key>', 'encryption key: aws-owned, aws-managed or the ARN of a KMS key')
    .option('--region <name>', 'AWS region, for --format cli')
    .option('--account <number>', 'AWS account, for --format cli', parseAccount)
    .option('--required-providers', 'include a required_providers block, for --format terraform')
    .option('--no-recovery', 'disable point-in-time recovery')
    .option('--no-protection', 'disable deletion protection')
    .option('--no-alarms', 'omit alarms')
    .option('--no-autoscaling', 'omit autoscaling of provisioned capacity')
    .addHelpText('after', EXAMPLES)
    .action(async (file, options) => (await import('../export-table.js')).tableCommand(file, options))
}

const EXAMPLES = `
Examples:
  $ edgewise table graph.ts > template.json
  $ edgewise table graph.ts --format cdk > table.ts
  $ edgewise table graph.ts --format terraform --table movies-test > table.tf
  $ edgewise table graph.ts --function update-movies --role update-movies-role \\
      --tag team=films --alarm-action arn:aws:sns:eu-west-1:123456789012:oncall
  $ edgewise table graph.ts --batch s3://movies-batch/movies
  $ edgewise table graph.ts --format cli --region eu-west-1 --account 123456789012`

/** An S3 folder as its bucket and its prefix. */
export interface S3Folder {
  readonly bucket: string
  readonly prefix?: string
}

function parseFolderUrl(text: string): S3Folder {
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)(?:\/(.*?)\/?)?$/.exec(text) ?? []
  if (bucket === undefined) throw new InvalidArgumentError('Use the form s3://bucket/prefix.')
  return { bucket, ...(prefix !== '' && { prefix }) }
}

function parseTag(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('Use the form name=value.')
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}

function appendValue(text: string, before: readonly string[] = []): string[] {
  return [...before, text]
}

function parseAccount(text: string): string {
  if (!/^\d{12}$/.test(text)) throw new InvalidArgumentError('Give a number of 12 digits.')
  return text
}
