import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { MODEL, OPERATION_NAMES } from '../../src/dynamodb/model/operations.js'
import { generateFiles } from '../../tools/model/generate.js'
import { botocoreModels, trimModels } from '../../tools/model/service-model.js'
import { differences } from './differences.js'
import { KNOWN_DIFFERENCES } from './known-differences.js'

const [service, ...others] = botocoreModels()
const lines = OPERATION_NAMES.flatMap(operation => {
  const described = others.find(({ operations }) => operation in operations) ?? service!
  return differences(described, operation, MODEL[operation])
})

describe("the model and botocore's description of DynamoDB", () => {
  test.each(OPERATION_NAMES)('the model differs from botocore for %s only for known reasons', operation => {
    const unknown = lines
      .filter(line => line.startsWith(`${operation} `) || line.startsWith(`${operation}:`))
      .filter(line => !KNOWN_DIFFERENCES.some(known => known.lines.test(line)))
    expect(unknown).toEqual([])
  })

  test.each(KNOWN_DIFFERENCES)('the model still differs from botocore in that $reason', known => {
    expect(lines.some(line => known.lines.test(line))).toBe(true)
  })
})

describe('the generated files and botocore', () => {
  const files = generateFiles(trimModels(botocoreModels()))

  test.each([...files])('the generator writes the committed %s; run npm run generate:model', (path, text) => {
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  test('the folder of generated files contains no other file', () => {
    const folder = 'src/dynamodb/generated'
    const found = readdirSync(folder).map(name => `${folder}/${name}`)
    expect(found.toSorted()).toEqual([...files.keys()].toSorted())
  })
})
