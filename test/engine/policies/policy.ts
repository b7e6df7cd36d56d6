import type { CanonicalPolicyStatement } from '../../../src/engine/policies/policy-document.js'
import { TABLE_ARN } from '../tables.js'

export const ROOT = 'arn:aws:iam::123456789012:root'

/** A statement that allows the account to read the table, in the service's normalized form. */
export function statement(more: object = {}): CanonicalPolicyStatement {
  return { Effect: 'Allow', Principal: { AWS: ROOT }, Action: 'dynamodb:GetItem', Resource: TABLE_ARN, ...more }
}

/** Returns the text of a policy with these statements. */
export function policy(...statements: object[]): string {
  return JSON.stringify({ Version: '2012-10-17', Statement: statements.length > 0 ? statements : [statement()] })
}
