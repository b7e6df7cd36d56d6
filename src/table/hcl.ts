/** A value as it stands in HCL; `raw` is an expression as it is. */
export type HclValue =
  | string
  | number
  | boolean
  | { readonly raw: string }
  | { readonly call: string; readonly argument: HclValue }
  | readonly HclValue[]
  | { readonly members: readonly (readonly [name: string, value: HclValue])[] }

export interface HclBlock {
  readonly type: string
  readonly labels: readonly string[]
  readonly comment?: string | undefined
  readonly attributes: HclAttributes
  readonly blocks: readonly HclBlock[]
}

/** In their order; one that is undefined is left out. */
export type HclAttributes = readonly (readonly [name: string, value: HclValue | undefined])[]

const WIDTH = 100
/** A name that needs no quotes: `for` would begin an expression. */
const PLAIN = /^(?!for$)[A-Za-z_]\w*$/
/** What JSON has a short sign for, and HCL has not. */
const UNKNOWN_SIGNS: Readonly<Record<string, string>> = { '\\b': '\\u0008', '\\f': '\\u000c' }

export function block(
  type: string,
  labels: readonly string[],
  attributes: HclAttributes,
  blocks: readonly HclBlock[] = [],
) {
  return { type, labels, attributes, blocks }
}

export function resource(
  type: string,
  name: string,
  attributes: HclAttributes,
  blocks: readonly HclBlock[] = [],
): HclBlock {
  return block('resource', [type, name], attributes, blocks)
}

/** A block in the layout of `terraform fmt`: attributes with their equals signs under one another, then the blocks. */
export function blockLines(block: HclBlock): string[] {
  const attributes = block.attributes.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  const body = [...assignmentLines(attributes, 0), ...block.blocks.flatMap(inner => ['', ...blockLines(inner)])]
  if (body[0] === '') body.shift()
  return [
    ...(block.comment === undefined ? [] : [`# ${block.comment}`]),
    `${[block.type, ...block.labels.map(text)].join(' ')} {`,
    ...body.map(line => (line === '' ? '' : `  ${line}`)),
    '}',
  ]
}

/** Lines that follow one another are aligned; a value that goes on over several lines stands by itself. */
function assignmentLines(entries: readonly (readonly [string, HclValue])[], indent: number): string[] {
  const written = entries.map(([name, value]) => ({ name, lines: valueLines(value, indent) }))
  return written.flatMap(({ name, lines: [first, ...more] }, position) => {
    if (more.length > 0) return [`${name} = ${first}`, ...more]
    return [`${name.padEnd(runWidth(written, position))} = ${first}`]
  })
}

/** The longest name in the run of single lines around a position. */
function runWidth(written: readonly { readonly name: string; readonly lines: readonly string[] }[], position: number) {
  const single = (at: number) => written[at]?.lines.length === 1
  let first = position
  while (single(first - 1)) first--
  let end = position
  while (single(end)) end++
  return Math.max(...written.slice(first, end).map(({ name }) => name.length))
}

function valueLines(value: HclValue, indent: number): string[] {
  if (typeof value === 'string') return [text(value)]
  if (typeof value !== 'object') return [String(value)]
  if ('raw' in value) return value.raw.split('\n')
  if ('call' in value) {
    const lines = valueLines(value.argument, indent)
    return [`${value.call}(${lines[0]}`, ...lines.slice(1, -1), `${lines.at(-1)})`]
  }
  if ('members' in value) {
    const entries = value.members.map(([name, one]) => [PLAIN.test(name) ? name : text(name), one] as const)
    return ['{', ...assignmentLines(entries, indent + 2).map(line => `  ${line}`), '}']
  }
  const elements = value.map(one => valueLines(one, indent + 2))
  const line = `[${elements.map(one => one.join('')).join(', ')}]`
  if (elements.every(one => one.length === 1) && line.length + indent < WIDTH) return [line]
  return ['[', ...elements.flatMap(one => [...one.slice(0, -1), `${one.at(-1)},`]).map(one => `  ${one}`), ']']
}

/** Quoted, with what would begin a template of HCL's own escaped: `${aws:PrincipalTag/tenant}` is IAM's. */
function text(value: string): string {
  return JSON.stringify(value)
    .replace(/\\./g, sign => UNKNOWN_SIGNS[sign] ?? sign)
    .replace(/[$%](?=\{)/g, mark => mark + mark)
}

/** Data, such as a policy, as HCL's objects and lists. */
export function fromData(data: unknown): HclValue {
  if (typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean') return data
  if (Array.isArray(data)) return data.map(fromData)
  const members = Object.entries(data ?? {})
  if (members[0]?.[0] === 'raw') return { raw: String(members[0][1]) }
  return { members: members.filter(([, one]) => one !== undefined).map(([name, one]) => [name, fromData(one)]) }
}
