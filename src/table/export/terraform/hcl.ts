/** A value of HCL; `raw` is an expression that is written unchanged. */
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

/** The attributes in their order; undefined ones are left out. */
export type HclAttributes = readonly (readonly [name: string, value: HclValue | undefined])[]

const MAX_LINE_CHARACTERS = 100
/** Names that need no quotes. `for` is excluded, because it would begin an expression. */
const UNQUOTED_NAME = /^(?!for$)[A-Za-z_]\w*$/
/** Characters that JSON escapes by one letter and HCL does not. */
const ESCAPES: Readonly<Record<string, string>> = { '\\b': '\\u0008', '\\f': '\\u000c' }

export function createBlock(
  type: string,
  labels: readonly string[],
  attributes: HclAttributes,
  blocks: readonly HclBlock[] = [],
) {
  return { type, labels, attributes, blocks }
}

export function createResourceBlock(
  type: string,
  name: string,
  attributes: HclAttributes,
  blocks: readonly HclBlock[] = [],
): HclBlock {
  return createBlock('resource', [type, name], attributes, blocks)
}

/** Formats a block as `terraform fmt` does: attributes with aligned equals signs, then nested blocks. */
export function formatBlock(block: HclBlock): string[] {
  const attributes = block.attributes.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  const body = [...formatAssignments(attributes, 0), ...block.blocks.flatMap(inner => ['', ...formatBlock(inner)])]
  if (body[0] === '') body.shift()
  return [
    ...(block.comment === undefined ? [] : [`# ${block.comment}`]),
    `${[block.type, ...block.labels.map(quoteText)].join(' ')} {`,
    ...body.map(line => (line === '' ? '' : `  ${line}`)),
    '}',
  ]
}

/** Adjacent single lines and heredocs are aligned. Another value over several lines is not aligned with others. */
function formatAssignments(entries: readonly (readonly [string, HclValue])[], indent: number): string[] {
  const assignments = entries.map(([name, value]) => ({ name, lines: formatValueLines(value, indent) }))
  return assignments.flatMap(({ name, lines: [first, ...more] }, position) => {
    const isAligned = isAlignedValue(assignments[position]!)
    return [`${isAligned ? name.padEnd(alignedWidth(assignments, position)) : name} = ${first}`, ...more]
  })
}

interface Assignment {
  readonly name: string
  readonly lines: readonly string[]
}

const isAlignedValue = ({ lines }: Assignment) => lines.length === 1 || lines[0]!.startsWith('<<-')

/** The longest name in the run of aligned values around a position. */
function alignedWidth(assignments: readonly Assignment[], position: number) {
  const isInRun = (at: number) => assignments[at] !== undefined && isAlignedValue(assignments[at])
  let first = position
  while (isInRun(first - 1)) first--
  let end = position
  while (isInRun(end)) end++
  return Math.max(...assignments.slice(first, end).map(({ name }) => name.length))
}

function formatValueLines(value: HclValue, indent: number): string[] {
  if (typeof value === 'string') return [quoteText(value)]
  if (typeof value !== 'object') return [String(value)]
  if ('raw' in value) return value.raw.split('\n')
  if ('call' in value) {
    const lines = formatValueLines(value.argument, indent)
    return [`${value.call}(${lines[0]}`, ...lines.slice(1, -1), `${lines.at(-1)})`]
  }
  if ('members' in value) {
    const entries = value.members.map(
      ([name, item]) => [UNQUOTED_NAME.test(name) ? name : quoteText(name), item] as const,
    )
    return ['{', ...formatAssignments(entries, indent + 2).map(line => `  ${line}`), '}']
  }
  const elements = value.map(item => formatValueLines(item, indent + 2))
  const line = `[${elements.map(item => item.join('')).join(', ')}]`
  if (elements.every(item => item.length === 1) && line.length + indent < MAX_LINE_CHARACTERS) return [line]
  return ['[', ...elements.flatMap(item => [...item.slice(0, -1), `${item.at(-1)},`]).map(item => `  ${item}`), ']']
}

/** Quotes a text and escapes template sequences of HCL: `${aws:PrincipalTag/tenant}` belongs to IAM. */
function quoteText(value: string): string {
  return JSON.stringify(value)
    .replace(/\\./g, sign => ESCAPES[sign] ?? sign)
    .replace(/[$%](?=\{)/g, mark => mark + mark)
}

/** Converts data, such as a policy, to HCL objects and lists. */
export function toHclValue(data: unknown): HclValue {
  if (typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean') return data
  if (Array.isArray(data)) return data.map(toHclValue)
  const members = Object.entries(data ?? {})
  if (members[0]?.[0] === 'raw') return { raw: String(members[0][1]) }
  return {
    members: members.filter(([, value]) => value !== undefined).map(([name, value]) => [name, toHclValue(value)]),
  }
}
