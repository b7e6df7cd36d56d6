import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { terraform } from '../../src/table/export/terraform/module.js'
import { EXPORTED } from './designs.js'
import { compiled, python } from './validators.js'

/** It comes from no registry of packages, so it may not be there. */
const TERRAFORM = process.env.TERRAFORM ?? 'terraform'
const PARSE = 'import hcl2, json, sys; print(json.dumps(hcl2.loads(sys.stdin.read())))'
/** Blocks of which there may be several; the types of the provider have any other as one object. */
const REPEATED = ['attribute', 'global_secondary_index', 'key_schema', 'local_secondary_index']

type Parsed = string | number | boolean | Parsed[] | { [name: string]: Parsed }

describe('the module for Terraform', () => {
  test('has the resources and arguments that the schema of the provider knows, and their types', () => {
    const modules = EXPORTED.map(({ design, options }) => parsed(terraform(design, options)))
    expect(compiled({ 'resources.ts': program(modules.flat()) })).toBe('')
  })

  test('is refused by these types with an argument that the provider does not know', () => {
    const text = terraform(EXPORTED[0]!.design).replace('billing_mode ', 'billing_mood ')
    expect(() => compiled({ 'resources.ts': program(parsed(text)) })).toThrow(/billingMood.* does not exist in type/)
  })

  test.for(EXPORTED)(
    'is parsed and laid out as Terraform itself would for $message',
    ({ design, options }, context) => {
      const input = terraform(design, options)
      const { error, status, stdout } = spawnSync(TERRAFORM, ['fmt', '-'], { input, encoding: 'utf8' })
      context.skip(error !== undefined, 'there is no terraform here')
      expect({ status, stdout }).toEqual({ status: 0, stdout: input })
    },
  )
})

/** The resources of a module: type, name and body. */
function parsed(text: string): [type: string, name: string, body: Parsed][] {
  const { resource } = JSON.parse(python(PARSE, text))
  return resource.map((one: Record<string, Record<string, Parsed>>) => {
    const [[type, named] = []] = Object.entries(one)
    const [[name, body] = []] = Object.entries(named!)
    return [JSON.parse(type!), JSON.parse(name!), body]
  })
}

/** A program that makes these resources by the classes which are generated from the schema of the provider. */
function program(resources: readonly [string, string, Parsed][]): string {
  const types = [...new Set(resources.map(([type]) => type.replace('aws_', '')))]
  return [
    "import type { Construct } from 'constructs'",
    ...types.map(
      type => `import { ${className(type)} } from '@cdktn/provider-aws/lib/${type.replaceAll('_', '-')}/index.js'`,
    ),
    'declare const stack: Construct',
    ...resources.map(([type, name, body]) => {
      const properties = JSON.stringify(argument(body), null, 2)
      return `new ${className(type.replace('aws_', ''))}(stack, '${name}', ${properties})`
    }),
  ].join('\n')
}

/** Arguments by the names of the generated classes. */
function argument(value: Parsed): Parsed {
  if (Array.isArray(value)) return value.map(argument)
  if (typeof value === 'string') return value.startsWith('"') ? JSON.parse(value) : value
  if (typeof value !== 'object') return value
  const isBlock = '__is_block__' in value
  // The parser's own marks begin so, and no argument does. What a resource waits for is Terraform's, not the provider's.
  const members = Object.entries(value).filter(([name]) => !name.startsWith('_') && name !== 'depends_on')
  return Object.fromEntries(members.map(([name, one]) => [isBlock ? camel(name) : name, member(name, one)]))
}

function member(name: string, value: Parsed): Parsed {
  const first = Array.isArray(value) ? value[0] : undefined
  const single = typeof first === 'object' && '__is_block__' in first && !REPEATED.includes(name)
  return argument(single ? first : value)
}

function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function className(type: string): string {
  return camel(`_${type}`)
}
