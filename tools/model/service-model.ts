import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

interface ServiceReference {
  readonly shape: string
}

/** A shape of AWS's description of a service, as the SDKs contain it, without documentation. */
export interface ServiceShape {
  readonly type: string
  readonly members?: Readonly<Record<string, ServiceReference>>
  readonly required?: readonly string[]
  readonly member?: ServiceReference
  readonly key?: ServiceReference
  readonly value?: ServiceReference
  readonly min?: number
  readonly max?: number
  readonly pattern?: string
  readonly enum?: readonly string[]
}

export interface ServiceModel {
  readonly operations: Readonly<
    Record<string, { readonly input?: ServiceReference; readonly output?: ServiceReference }>
  >
  readonly shapes: Readonly<Record<string, ServiceShape>>
}

const SERVICES = ['dynamodb', 'dynamodbstreams']

/**
 * Reads the descriptions of DynamoDB and of its streams from botocore: in the folder of the environment variable
 * BOTOCORE, or from the installation that Python imports.
 */
export function botocoreModels(): ServiceModel[] {
  const folder = process.env.BOTOCORE ?? importedBotocore()
  return SERVICES.map(service => {
    const file = join(folder, 'data', service, '2012-08-10', 'service-2.json.gz')
    return JSON.parse(gunzipSync(readFileSync(file)).toString()) as ServiceModel
  })
}

function importedBotocore(): string {
  return execFileSync('python3', ['-c', 'import botocore; print(botocore.__path__[0])'], { encoding: 'utf8' }).trim()
}

/** Returns the services as one model that contains the inputs and outputs of all operations, without documentation. */
export function trimModels(models: readonly ServiceModel[]): ServiceModel {
  const operations: Record<string, ServiceModel['operations'][string]> = {}
  const shapes: Record<string, ServiceShape> = {}
  for (const model of models)
    for (const [operation, { input, output }] of Object.entries(model.operations)) {
      operations[operation] = { ...reference('input', input), ...reference('output', output) }
      const names = [input, output].flatMap(root => (root ? [...reachableShapes(model, root.shape)] : []))
      for (const name of names) addShape(shapes, name, trimShape(model.shapes[name]!))
    }
  return { operations: sortByName(operations), shapes: sortByName(shapes) }
}

function addShape(shapes: Record<string, ServiceShape>, name: string, shape: ServiceShape): void {
  const existing = shapes[name]
  if (existing && JSON.stringify(existing) !== JSON.stringify(shape))
    throw new Error(`shape '${name}': the services describe it differently; read them as separate models`)
  shapes[name] = shape
}

/** Returns the names of a shape and of all shapes in it. */
export function reachableShapes({ shapes }: ServiceModel, root: string, found = new Set<string>()): Set<string> {
  if (found.has(root)) return found
  found.add(root)
  for (const { shape } of innerReferences(shapes[root]!)) reachableShapes({ operations: {}, shapes }, shape, found)
  return found
}

function innerReferences({ members = {}, member, key, value }: ServiceShape): ServiceReference[] {
  return [...Object.values(members), member, key, value].filter(inner => inner !== undefined)
}

function trimShape({ type, members, required, member, key, value, ...rest }: ServiceShape): ServiceShape {
  const { min, max, pattern } = rest
  return {
    type,
    ...(members && {
      members: Object.fromEntries(Object.entries(members).map(([name, { shape }]) => [name, { shape }])),
    }),
    ...(required?.length && { required }),
    ...reference('member', member),
    ...reference('key', key),
    ...reference('value', value),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(pattern !== undefined && { pattern }),
    ...(rest.enum && { enum: rest.enum }),
  }
}

const reference = (name: string, inner: ServiceReference | undefined) =>
  inner ? { [name]: { shape: inner.shape } } : {}

const sortByName = <Value>(record: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
