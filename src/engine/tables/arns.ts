import type { Engine } from '../engine.js'

/** The ID of the AWS managed key, used by tables that name no key. The real ID differs in each account. */
const MANAGED_KEY = '00000000-0000-4000-8000-000000000000'
const MANAGED_KEY_ALIAS = 'alias/aws/dynamodb'

export function tableArn(engine: Engine, tableName: string): string {
  return `arn:aws:dynamodb:${engine.region}:${engine.accountId}:table/${tableName}`
}

/** Returns the ARN of a KMS key from its ARN, ID or alias. */
export function kmsKeyArn(engine: Engine, key: string = MANAGED_KEY_ALIAS): string {
  if (key.startsWith('arn:')) return key
  const own = `arn:aws:kms:${engine.region}:${engine.accountId}:`
  if (key === MANAGED_KEY_ALIAS) return `${own}key/${MANAGED_KEY}`
  return key.startsWith('alias/') ? own + key : `${own}key/${key}`
}
