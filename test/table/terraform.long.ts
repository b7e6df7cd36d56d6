import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { terraform } from '../../src/table/export/terraform/module.js'
import { EXPORTED } from './designs.js'
import { compiled, python } from './validators.js'

/** Terraform is not in a package registry, so it may be missing. */
const TERRAFORM = process.env.TERRAFORM ?? 'terraform'
const PARSE = 'import hcl2, json, sys; print(json.dumps(hcl2.loads(sys.stdin.read())))'
/** The blocks that may be repeated. The types of the provider have any other block as one object. */
const REPEATED = ['attribute', 'global_secondary_index', 'key_schema', 'local_secondary_index']

type Parsed = string | number | boolean | Parsed[] | { [name: string]: Parsed }

describe('the module for Terraform', () => {
  test("the Terraform module uses resources and arguments of the provider's schema with their types", () => {
    const modules = EXPORTED.map(({ design, options }) => parsed(terraform(design, options)))
    expect(compiled({ 'resources.ts': program(modules.flat()) })).toBe('')
  })

  test("the types of the provider's schema reject an unknown argument", () => {
    const text = terraform(EXPORTED[0]!.design).replace('billing_mode ', 'billing_mood ')
    expect(() => compiled({ 'resources.ts': program(parsed(text)) })).toThrow(/billingMood.* does not exist in type/)
  })

  test.for(EXPORTED)(
    'Terraform parses and formats the module for $message without changes',
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

/** A program that creates these resources by the classes generated from the provider's schema. */
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
  if (typeof value === 'string') return value.startsWith('"') && !value.startsWith('"<<-') ? JSON.parse(value) : value
  if (typeof value !== 'object') return value
  const isBlock = '__is_block__' in value
  // The parser's own marks have this prefix, and no argument does. `depends_on` belongs to Terraform and not to the
  // provider.
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
