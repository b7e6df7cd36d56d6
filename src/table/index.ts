export { type DiffOptions, diff, formatDifference, type TableDifference } from './diff/difference.js'
export type { Protection } from './diff/protection.js'
export type { ImpossibleChange, Step } from './diff/step.js'
export { type CliCommand, type CliOptions, cliCommands, cliScript } from './export/aws-cli/commands.js'
export { cdk } from './export/cdk/construct.js'
export { cloudFormation, type Resource, type Template, type Value } from './export/cloudformation/template.js'
export { type TerraformOptions, terraform } from './export/terraform/module.js'
export { type Finding, type FindingCode, findings } from './findings/findings.js'
export { consumersDesign, consumersName } from './production/consumers-table.js'
export {
  applicationPolicy,
  consumerPolicy,
  type PolicyDocument,
  type ResourceNames,
  type Statement,
} from './production/policies.js'
export type { AlarmOptions, AutoscalingOptions, ProductionOptions } from './production/production.js'
export type { ScheduledBatchOptions } from './production/scheduled-batch.js'
export type { StreamConsumerOptions } from './production/stream-consumer.js'
export { createTableInput, timeToLiveInput } from './table-inputs.js'
