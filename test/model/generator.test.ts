import { describe, expect, test } from 'vitest'
import { type ServiceModel, type ServiceShape, trimModels } from '../../tools/model/service-model.js'
import { writeRequests } from '../../tools/model/write-requests.js'
import { writeTypes } from '../../tools/model/write-types.js'

const refer = (shape: string) => ({ shape })
const structure = (members: Record<string, string>, required?: string[]): ServiceShape => ({
  type: 'structure',
  members: Object.fromEntries(Object.entries(members).map(([name, shape]) => [name, refer(shape)])),
  ...(required && { required }),
})

/** A service with one operation, `Do`. */
const service = (shapes: Record<string, ServiceShape>): ServiceModel => ({
  operations: { Do: { input: refer('DoInput'), ...(shapes.DoOutput && { output: refer('DoOutput') }) } },
  shapes: { Text: { type: 'string' }, Short: { type: 'string', min: 1, max: 3 }, ...shapes },
})

const typesOf = (shapes: Record<string, ServiceShape>) => writeTypes(service(shapes), ['Do'])
const requestsOf = (shapes: Record<string, ServiceShape>) => writeRequests(service(shapes), ['Do'])

describe('the generated types', () => {
  test('a request requires its required members', () => {
    const types = typesOf({ DoInput: structure({ Name: 'Text', Note: 'Short' }, ['Name']) })
    expect(types).toContain('export interface DoInput {\nName: string\nNote?: string | undefined\n}')
  })

  test('required members may be undefined in a response, and in a structure of both', () => {
    const both = { Both: structure({ Name: 'Text' }, ['Name']) }
    const types = typesOf({
      ...both,
      DoInput: structure({ It: 'Both' }, ['It']),
      DoOutput: structure({ It: 'Both' }, ['It']),
    })
    expect(types).toContain('export interface Both {\nName: string | undefined\n}')
    expect(types).toContain('export interface DoInput {\nIt: Both\n}')
    expect(types).toContain('export interface DoOutput {\nIt: Both | undefined\n}')
  })

  test('a response describes a structure whose members a request requires', () => {
    const Tag = structure({ Key: 'Text' }, ['Key'])
    const types = typesOf({ Tag, DoInput: structure({ It: 'Tag' }), DoOutput: structure({ It: 'Tag' }) })
    expect(types).toContain('export interface Tag {\nKey: string\n}')
    expect(types).toContain('export interface DoInput {\nIt?: Tag | undefined\n}')
    expect(types).toContain('export interface DoOutput {\nIt?: Described<Tag> | undefined\n}')
  })

  test('lists, maps, values and scalars have the types of the AWS SDK', () => {
    const types = typesOf({
      DoInput: structure({ A: 'List', B: 'Map', C: 'Mode', D: 'Time', E: 'Bytes', F: 'Count', G: 'AttributeMap' }),
      List: { type: 'list', member: refer('Mode') },
      Map: { type: 'map', key: refer('Text'), value: refer('List') },
      Mode: { type: 'string', enum: ['ON', 'OFF'] },
      Time: { type: 'timestamp' },
      Bytes: { type: 'blob' },
      Count: { type: 'long' },
      AttributeMap: { type: 'map', key: refer('Text'), value: refer('AttributeValue') },
      AttributeValue: structure({}),
    })
    const members = ['A?: Mode[]', 'B?: Record<string, Mode[]>', 'C?: Mode', 'D?: Date', 'E?: Uint8Array', 'F?: number']
    for (const member of [...members, 'G?: Item']) expect(types).toContain(`${member} | undefined`)
    expect(types).toContain("export type Mode = 'ON' | 'OFF'")
    expect(types).toContain("import type { Item } from '../attribute-value.js'")
  })

  test('an operation without members or without a response has empty types', () => {
    const types = typesOf({ DoInput: structure({}) })
    expect(types).toContain('export type DoInput = object')
    expect(types).toContain('export type DoOutput = object')
  })
})

describe('the generated request shapes', () => {
  test('scalars and lists without constraints are inlined, and required members are marked', () => {
    const requests = requestsOf({
      DoInput: structure({ A: 'Text', B: 'Short', C: 'List', D: 'AttributeValue' }, ['B']),
      List: { type: 'list', member: refer('Short') },
      AttributeValue: structure({ S: 'Text' }),
    })
    expect(requests).toContain('DoInput: {"members":{"A":"text","B":"Short!","C":"Short[]","D":"attributeValue"}}')
    expect(requests).toContain('Short: {"kind":"text","min":1,"max":3}')
    expect(requests).not.toContain('"S"')
  })

  test('an operation or a type that AWS does not publish is rejected by name', () => {
    expect(() => writeRequests(service({ DoInput: structure({}) }), ['Undo'])).toThrow("operation 'Undo'")
    const unknown = { DoInput: structure({ A: 'Odd' }), Odd: { type: 'decimal' } }
    expect(() => requestsOf(unknown)).toThrow("shape 'Odd': type 'decimal' is unknown")
  })
})

describe('the trimmed copy of the model', () => {
  const documented = { ...structure({ A: 'Text' }), documentation: '<p>A</p>' }

  test('the copy has no documentation and no shape that no operation contains', () => {
    const copy = trimModels([service({ DoInput: documented })])
    expect(copy.shapes).toEqual({ DoInput: structure({ A: 'Text' }), Text: { type: 'string' } })
  })

  test('services that describe a shape differently are rejected', () => {
    const models = [service({ DoInput: structure({ A: 'Text' }) }), service({ DoInput: structure({ B: 'Text' }) })]
    expect(() => trimModels(models)).toThrow("shape 'DoInput': the services describe it differently")
  })
})
