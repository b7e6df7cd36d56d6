import { reachableShapes, type ServiceModel, type ServiceShape } from './service-model.js'
import { DECLARED_SHAPES, DOCUMENTATION, REQUEST_STRUCTURES, STATED_MEMBERS, TYPE_NAMES } from './type-overlay.js'

const API_REFERENCE = 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference'
const STREAMS_API = new Set(['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'])

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  long: 'number',
  double: 'number',
  timestamp: 'Date',
  boolean: 'boolean',
  blob: 'Uint8Array',
}

/** Writes the TypeScript types of the inputs and outputs of operations. */
export function writeTypes(model: ServiceModel, operations: readonly string[]): string {
  const writer = new TypeWriter(model, operations)
  const declarations = writer.declarations()
  const imported = [...writer.imported].sort().join(', ')
  return `import type { ${imported} } from '../attribute-value.js'
import type { Described } from '../described.js'

${declarations.join('\n\n')}
`
}

class TypeWriter {
  /** The types that the declarations need from `attribute-value.ts`. */
  readonly imported = new Set<string>()
  private readonly requests: ReadonlySet<string>
  private readonly responses: ReadonlySet<string>
  private readonly documentation: Readonly<Record<string, string>>

  constructor(
    private readonly model: ServiceModel,
    private readonly operations: readonly string[],
  ) {
    const isGiven = (name: string | undefined) => name !== undefined
    const reachable = (roots: string[]) => new Set(roots.flatMap(root => [...reachableShapes(model, root)]))
    const shapes = operations.map(name => model.operations[name]!)
    this.requests = reachable(shapes.map(({ input }) => input?.shape).filter(isGiven))
    this.responses = reachable(shapes.map(({ output }) => output?.shape).filter(isGiven))
    this.documentation = { ...Object.fromEntries(operations.flatMap(documentOperation)), ...DOCUMENTATION }
  }

  declarations(): string[] {
    const names = [...new Set([...this.requests, ...this.responses])]
      .filter(name => !DECLARED_SHAPES.has(name))
      .filter(name => this.model.shapes[name]!.type === 'structure' || this.model.shapes[name]!.enum)
    const declared = names.map(name => [typeName(name), this.declaration(name, this.model.shapes[name]!)] as const)
    const outputs = declared.map(([name]) => name)
    const empty = this.operations
      .map(name => `${name}Output`)
      .filter(name => !outputs.includes(name))
      .map(name => [name, `${this.comment(name)}export type ${name} = object`] as const)
    return [...declared, ...empty].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
  }

  private declaration(name: string, shape: ServiceShape): string {
    const type = typeName(name)
    const head = this.comment(type)
    if (shape.enum) return `${head}export type ${type} = ${shape.enum.map(value => `'${value}'`).join(' | ')}`
    const members = Object.entries(shape.members!).map(([member, inner]) => this.member(name, member, inner.shape))
    if (members.length === 0) return `${head}export type ${type} = object`
    return `${head}export interface ${type} {\n${members.join('\n')}\n}`
  }

  private member(owner: string, name: string, shape: string): string {
    const key = `${typeName(owner)}.${name}`
    const type = this.typeOf(shape, !this.requests.has(owner))
    const isRequired = this.model.shapes[owner]!.required?.includes(name) ?? false
    const isComplete = !this.responses.has(owner) || REQUEST_STRUCTURES.has(owner)
    const head = this.comment(key)
    if (isRequired && isComplete && !STATED_MEMBERS.has(key)) return `${head}${name}: ${type}`
    return `${head}${name}${isRequired || STATED_MEMBERS.has(key) ? '' : '?'}: ${type} | undefined`
  }

  private typeOf(name: string, isResponse: boolean): string {
    const shape = this.model.shapes[name]!
    if (DECLARED_SHAPES.has(name)) {
      this.imported.add(typeName(name))
      return typeName(name)
    }
    switch (shape.type) {
      case 'structure':
        return isResponse && REQUEST_STRUCTURES.has(name) ? `Described<${typeName(name)}>` : typeName(name)
      case 'list':
        return `${this.typeOf(shape.member!.shape, isResponse)}[]`
      case 'map':
        return `Record<string, ${this.typeOf(shape.value!.shape, isResponse)}>`
      default:
        return shape.enum ? typeName(name) : SCALARS[shape.type]!
    }
  }

  private comment(key: string): string {
    const text = this.documentation[key]
    return text === undefined ? '' : `/** ${text} */\n`
  }
}

const typeName = (shape: string) => TYPE_NAMES[shape] ?? shape

function documentOperation(name: string): [string, string][] {
  const page = `${API_REFERENCE}/API_${STREAMS_API.has(name) ? 'streams_' : ''}${name}.html`
  return [
    [`${name}Input`, `The request of [${name}](${page}).`],
    [`${name}Output`, `The response of [${name}](${page}).`],
  ]
}
