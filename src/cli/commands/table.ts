import { type Command, InvalidArgumentError, Option } from 'commander'
import { withSchema } from '../options.js'

export function register(program: Command): void {
  withSchema(program.command('table'))
    .description('Write the table of a schema for CloudFormation, the CDK, Terraform or the AWS CLI.')
    .summary('the table for CloudFormation, CDK, Terraform, AWS CLI')
    .addOption(
      new Option('--format <format>', 'what to write it for')
        .choices(['cloudformation', 'cdk', 'terraform', 'cli'])
        .default('cloudformation'),
    )
    .option('--table <name>', 'the table; that of the graph unless given')
    .option('--function <name>', 'the Lambda function, by name or ARN, that reads the stream')
    .option('--role <name>', 'the role of that function, which then gets its policy')
    .option('--tag <name=value>', 'a tag of the table; repeat it for several', tag)
    .option('--alarm-action <arn>', 'a topic that alarms notify; repeat it for several', appended)
    .option('--encryption <key>', 'the key of data at rest: aws-owned, aws-managed or the ARN of a KMS key')
    .option('--region <name>', 'AWS region, for --format cli')
    .option('--account <number>', 'AWS account, for --format cli', account)
    .option('--required-providers', 'with a required_providers block, for --format terraform')
    .option('--no-recovery', 'without point-in-time recovery')
    .option('--no-protection', 'without protection against deletion')
    .option('--no-alarms', 'without alarms')
    .option('--no-autoscaling', 'without autoscaling, where capacity is provisioned')
    .addHelpText('after', EXAMPLES)
    .action(async (file, options) => (await import('../table.js')).tableCommand(file, options))
}

const EXAMPLES = `
Examples:
  $ edgewise table graph.ts > template.json
  $ edgewise table graph.ts --format cdk > table.ts
  $ edgewise table graph.ts --format terraform --table movies-test > table.tf
  $ edgewise table graph.ts --function update-movies --role update-movies-role \\
      --tag team=films --alarm-action arn:aws:sns:eu-west-1:123456789012:oncall
  $ edgewise table graph.ts --format cli --region eu-west-1 --account 123456789012`

function tag(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('Give it as name=value.')
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}

function appended(text: string, before: readonly string[] = []): string[] {
  return [...before, text]
}

function account(text: string): string {
  if (!/^\d{12}$/.test(text)) throw new InvalidArgumentError('It is a number of 12 digits.')
  return text
}
