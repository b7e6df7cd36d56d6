import { fileURLToPath } from 'node:url'
import { type Node, parseSync, visitorKeys } from 'oxc-parser'

interface LoadedModule {
  readonly format: string
  readonly source?: string | Uint8Array
}
type NextLoad = (url: string, context: object) => Promise<LoadedModule>

interface Insertion {
  readonly offset: number
  readonly text: string
}

const FUNCTION_TYPES: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
])

let sources: string

/** Called by Node before the first module is loaded. `sources` is the address of the compiled `src`. */
export function initialize(data: { readonly sources: string }): void {
  sources = data.sources
}

/** Loads the modules of `src` with a call of the global `recordEntry` at the start of every function. */
export async function load(url: string, context: object, nextLoad: NextLoad): Promise<LoadedModule> {
  const loaded = await nextLoad(url, context)
  if (!url.startsWith(sources) || !loaded.source) return loaded
  const text = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source)
  return { ...loaded, source: withEntryCalls(text, fileURLToPath(url), url.slice(sources.length)) }
}

function withEntryCalls(text: string, path: string, file: string): string {
  const insertions: Insertion[] = []
  visit(parseSync(path, text).program, 'module', (node, name) => {
    const { body } = node as { body?: Node | null }
    if (!FUNCTION_TYPES.has(node.type) || !body) return
    const call = `recordEntry(${JSON.stringify(file)}, ${node.start}, ${JSON.stringify(name)})`
    if (body.type === 'BlockStatement') insertions.push({ offset: body.start + 1, text: `${call};` })
    else insertions.push({ offset: body.start, text: `(${call}, ` }, { offset: body.end, text: ')' })
  })
  let result = ''
  let copied = 0
  for (const insertion of insertions.sort((a, b) => a.offset - b.offset)) {
    result += text.slice(copied, insertion.offset) + insertion.text
    copied = insertion.offset
  }
  return result + text.slice(copied)
}

/** Visits a node and its descendants, each with the name of the nearest declaration. */
function visit(node: Node, name: string, visitor: (node: Node, name: string) => void): void {
  const nearest = declaredName(node) ?? name
  visitor(node, nearest)
  for (const key of visitorKeys[node.type] ?? []) {
    const child = (node as unknown as Record<string, Node | (Node | null)[] | null | undefined>)[key]
    for (const next of Array.isArray(child) ? child : [child]) if (next) visit(next, nearest, visitor)
  }
}

function declaredName(node: Node): string | undefined {
  const { id, key } = node as { id?: { name?: string } | null; key?: { name?: string } | null }
  return id?.name ?? key?.name
}
