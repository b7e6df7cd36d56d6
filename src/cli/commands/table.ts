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
  $ edgewise table graph.ts --format cli --region eu-west-1 --account 123456789012`

function account(text: string): string {
  if (!/^\d{12}$/.test(text)) throw new InvalidArgumentError('It is a number of 12 digits.')
  return text
}
