import { describe, expect, test } from 'vitest'
import { MODEL, OPERATION_NAMES } from '../../src/dynamodb/model/operations.js'
import { differences } from './differences.js'
import { KNOWN_DIFFERENCES } from './known-differences.js'
import { botocoreModels } from './service-model.js'

const [service, ...others] = botocoreModels()
const lines = OPERATION_NAMES.flatMap(operation => {
  const described = others.find(({ operations }) => operation in operations) ?? service!
  return differences(described, operation, MODEL[operation])
})

describe('our model and the description of DynamoDB in botocore', () => {
  test.each(OPERATION_NAMES)('differ for %s only where it is known why', operation => {
    const unknown = lines
      .filter(line => line.startsWith(`${operation} `) || line.startsWith(`${operation}:`))
      .filter(line => !KNOWN_DIFFERENCES.some(known => known.lines.test(line)))
    expect(unknown).toEqual([])
  })

  test.each(KNOWN_DIFFERENCES)('still differ in that $reason', known => {
    expect(lines.some(line => known.lines.test(line))).toBe(true)
  })
})
