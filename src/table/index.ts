export { cdk } from './cdk.js'
export { type CliCommand, type CliOptions, cliCommands, cliScript } from './cli.js'
export { cloudFormation, type Resource, type Template, type Value } from './cloudformation.js'
export { consumersDesign, consumersName } from './consumers.js'
export type { StreamConsumerOptions } from './consuming.js'
export type { Protection } from './diff/protection.js'
export type { Impossible, Step } from './diff/step.js'
export { type DiffOptions, diff, differenceText, type TableDifference } from './diff.js'
export { type Finding, type FindingCode, findings } from './findings.js'
export {
  applicationPolicy,
  consumerPolicy,
  type PolicyDocument,
  type ResourceNames,
  type Statement,
} from './policies.js'
export type { AlarmOptions, AutoscalingOptions, ProductionOptions } from './production.js'
export { createTableRequest, timeToLiveRequest } from './requests.js'
export { type TerraformOptions, terraform } from './terraform.js'
